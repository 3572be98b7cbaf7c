"""A campaign beside an earlier run of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fwdlab.analyse.result import CampaignResult, Comparison, Verdict
from fwdlab.cli import main
from fwdlab.render.earlier import with_earlier
from fwdlab.render.model import CampaignPage, Earlier
from fwdlab.render.table import verdict_table
from tests.unit.archive.written import archive
from tests.unit.render import examples


def page(folder: Path, **changes: object) -> CampaignPage:
    """A page of one comparison, changed so."""
    whole = examples.result(hardware=("qemu-x86",))
    changed = replace(whole.comparisons[0], **changes)  # type: ignore[arg-type]
    return examples.page(replace(whole, comparisons=(changed,)), folder)


def held(folder: Path, **changes: object) -> Earlier:
    """What a page says of an earlier run that was so."""
    (found,) = with_earlier([page(folder)], [page(folder, **changes)])
    assert found.earlier is not None
    return found.earlier


def test_the_same_run_agrees_with_itself(tmp_path: Path) -> None:
    (row,) = held(tmp_path).rows
    assert row.now == row.before
    assert row.now.startswith("29.15")
    assert row.agreement == "same verdict; effects 0 % apart, within the 0.03 % that both intervals allow"


def test_effects_that_differ_by_more_than_both_intervals_are_told(tmp_path: Path) -> None:
    delta = examples.result(hardware=("qemu-x86",)).comparisons[0].delta
    assert delta is not None
    (row,) = held(tmp_path, delta=delta - 0.01, low=delta - 0.0102, high=delta - 0.0098).rows
    assert row.agreement == "same verdict; effects 1 % apart, more than the 0.029 % that both intervals allow"


def test_a_verdict_that_changed_is_told(tmp_path: Path) -> None:
    (row,) = held(tmp_path, verdict=Verdict.UNPROVEN, delta=None).rows
    assert row.agreement == "unproven then, better now"


def test_a_side_of_two_repeats_has_no_figure(tmp_path: Path) -> None:
    short: Comparison = page(tmp_path).result.comparisons[0]
    (row,) = held(tmp_path, new=replace(short.new, values=short.new.values[:2])).rows
    assert row.before == "\N{EN DASH}"


def test_a_campaign_that_was_not_asked_before_stays_as_it_is(tmp_path: Path) -> None:
    now = page(tmp_path)
    other: CampaignResult = replace(now.result, campaign=replace(now.result.campaign, name="other"))
    assert with_earlier([now], [replace(now, result=other)]) == [now]


def test_the_table_tells_it(tmp_path: Path) -> None:
    (found,) = with_earlier([page(tmp_path)], [page(tmp_path)])
    assert (
        verdict_table(found)
        .splitlines()[-1]
        .endswith("in the earlier run): same verdict; effects 0 % apart, within the 0.03 % that both intervals allow")
    )


@pytest.mark.parametrize("command", ["report", "site"])
def test_results_of_something_else_are_refused(tmp_path: Path, command: str) -> None:
    for name in ("one", "two"):
        archive(tmp_path / name)
        words = ["import", "bench-lab", str(tmp_path / name), "--results", str(tmp_path / f"{name}.results")]
        assert CliRunner().invoke(main, words).exit_code == 0
    results = ["--results", str(tmp_path / "one.results"), "--earlier", str(tmp_path / "two.results")]
    done = CliRunner().invoke(main, [command, *results])
    assert done.exit_code == 2
    assert done.stderr == (
        f"--earlier: {tmp_path}/two.results has none of the campaigns of {tmp_path}/one.results; name results of the "
        "same matrix\n"
    )
