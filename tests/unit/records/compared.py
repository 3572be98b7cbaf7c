"""Measured results with a campaign that compares them, as a run leaves them."""

from __future__ import annotations

from pathlib import Path

from fwdlab.campaign import Campaign, Member, campaigns_text
from fwdlab.records.store import Folders, make_records
from tests.unit.records import example as recorded

REVISIONS = ("debian-6.1", "debian-6.12")


def two_revisions(results: Path, second: tuple[int, ...], title: str) -> Path:
    """Three repeats of one case on two revisions, the second with these times of its slices; the folder of results."""
    folders = Folders(results=results)
    cases = [recorded.case(revision=revision) for revision in REVISIONS]
    for case, slices in zip(cases, (recorded.SLICES, second), strict=True):
        run = recorded.write_run(folders.runs, case, repeats=0)
        for number in (1, 2, 3):
            recorded.write_repeat(run, number, recorded.result_text(tuple(value + number for value in slices)))
        recorded.write_manifest(run)
    assert make_records(folders, [case.folder for case in cases]) == ()
    campaign = Campaign(
        name="newer",
        title=title,
        question="What did it cost?",
        conditions=(),
        axis="revision",
        arms=REVISIONS,
        members=tuple(Member(names=case.names, key=case.key) for case in cases),
        repeats=3,
        adaptive=None,
        threshold=0.002,
    )
    (results / "campaigns.json").write_text(campaigns_text([campaign]))
    return results
