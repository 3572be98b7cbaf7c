"""Flame graphs of stacks that are deeper than a browser's own: drawn, searched, zoomed, and back again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page

from fwdlab.cli import main
from tests.site.opened import IN_A_BROWSER, opened

pytestmark = IN_A_BROWSER

DEPTH = 5000
DRAWN = "count => document.querySelectorAll('g.frame').length === count"


def write_stacks(path: Path, weight: int) -> str:
    """One stack of that depth, and another function beside its first."""
    path.write_text(f"{';'.join(f'f{place}' for place in range(DEPTH))} {weight}\nbeside 700\n")
    return str(path)


def click(page: Page, name: str) -> None:
    """Click on a box that may lie far out of sight."""
    page.locator(f"g.frame[name={name}] rect").dispatch_event("click")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], "30.00 % of all samples in f4990"),
        (["--diff"], "30.00 → 46.15 (+16.15, +53.8 %) % of all samples in f4990"),
    ],
    ids=["one", "difference"],
)
def test_five_thousand_frames_are_drawn_searched_zoomed_and_back(
    words: list[str], found: str, tmp_path: Path, browser: Browser
) -> None:
    files = [write_stacks(tmp_path / "old", 300), write_stacks(tmp_path / "new", 600)]
    done = CliRunner().invoke(main, ["flame", *words, *files[: 1 + len(words)]])
    context = browser.new_context(reduced_motion="reduce")
    page, wrong = opened(context, Path(done.stdout.rstrip("\n")))
    page.wait_for_function(DRAWN, arg=DEPTH + 2)
    page.get_by_label("Search functions").fill("f4990")
    page.keyboard.press("Enter")
    assert page.get_by_role("status").text_content() == found
    page.get_by_role("button", name="Clear").click()
    click(page, f"f{DEPTH - 1}")
    page.wait_for_function(DRAWN, arg=DEPTH + 1)
    page.get_by_role("button", name="Reset zoom").click()
    page.wait_for_function(DRAWN, arg=DEPTH + 2)
    assert wrong == []
    context.close()
