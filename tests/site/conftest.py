from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from fwdlab.profiles.formats import fold
from fwdlab.render import colours
from fwdlab.render.site import render_site
from tests.site.opened import CHROMIUM, HOSTILE
from tests.unit.render import examples

ROOT = Path(__file__).parents[2]
HUGO = Path(sys.executable).parent / "hugo"
QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of one campaign; one of its profiles holds a function that is named like markup."""
    folder = tmp_path_factory.mktemp("site")
    page = examples.page(examples.result(hardware=("qemu-x86",)), folder)
    first = replace(page.cases[0], profile=fold(f"{examples.FOLDED}swapper;{HOSTILE} 1\n", "x"))
    pages = [replace(page, cases=(first, *page.cases[1:]))]
    known = colours.assign([page.result.campaign], {})
    out = folder / "public"
    render_site(pages, colours=known, source=ROOT / "site", work=folder / "work", out=out, hugo=HUGO)
    return out


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium that asks nobody."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield found
        found.close()
