from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fwdlab.gitlab.text import Part, part_text, whole_text
from fwdlab.render.junit import junit_text
from fwdlab.render.markdown import summary_text
from fwdlab.render.model import CampaignPage
from fwdlab.render.verdicts_json import verdicts_text
from tests.golden.conftest import Golden
from tests.unit.render import examples, judged

SITE = "https://lab.example/fwdlab"


def every_verdict(folder: Path) -> list[CampaignPage]:
    return [judged.page(folder)]


def a_gate_fails_what_is_worse(folder: Path) -> list[CampaignPage]:
    (page,) = every_verdict(folder)
    return [replace(page, result=replace(page.result, campaign=replace(page.result.campaign, gate=True)))]


def more_comparisons_than_a_note_holds(folder: Path) -> list[CampaignPage]:
    """33 of them in three campaigns."""
    both = [examples.page(examples.result(axis), folder) for axis in ("revision", "firewall")]
    return [*both, judged.page(folder)]


def names_that_try_to_be_markup(folder: Path) -> list[CampaignPage]:
    return [judged.renamed(judged.page(folder), [*judged.HOSTILE, "plain"])]


PAGES = {
    made.__name__: made
    for made in (
        every_verdict,
        a_gate_fails_what_is_worse,
        more_comparisons_than_a_note_holds,
        names_that_try_to_be_markup,
    )
}


@pytest.mark.parametrize("name", PAGES)
def test_reports(golden: Golden, tmp_path: Path, name: str) -> None:
    pages = PAGES[name](tmp_path)
    golden.check(f"{name}/summary.md", summary_text(pages, SITE))
    golden.check(f"{name}/junit.xml", junit_text(pages))
    if len(pages) == 1:
        golden.check(f"{name}/verdicts.json", verdicts_text(pages))


def test_a_note_without_the_sites_address_has_no_links(golden: Golden, tmp_path: Path) -> None:
    pages = [replace(page, noise_source="") for page in every_verdict(tmp_path)]
    golden.check("without_an_address/summary.md", summary_text(pages, None))


def test_machines_fold_into_one_note_the_most_urgent_first(golden: Golden, tmp_path: Path) -> None:
    (tmp_path / "all").mkdir()
    many, few = [examples.page(examples.result("firewall"), tmp_path / "all")], every_verdict(tmp_path)
    said = {1: ("quiet-box", []), 2: ("rack_2", many), 3: ("apu-1", few)}
    parts = {
        number: part_text(summary_text(pages, SITE), Part(number=number, of=12, machine=machine))
        for number, (machine, pages) in said.items()
    }
    golden.check("machines_fold_into_one_note/note.md", whole_text(parts, 12, commit="0" * 40, pipeline=7))
