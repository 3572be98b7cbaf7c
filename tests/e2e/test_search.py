"""A search on the virtual lab, from the matrix to a record whose NDR repeats."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fwdlab.records.model import Label, Record
from tests.e2e.lab import Workplace
from tests.unit.run.processes import all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

FRMOL = "udp4-64: {family: inet, frame_size: 64, flows: 2000, load: max}"
NDR = FRMOL.replace("load: max", "load: ndr, search: {width: 0.5%, final: 50ms}")
CASE = "qemu-x86/debian-6.12/forwarding/none/udp4-64"


@dataclass(frozen=True, kw_only=True, slots=True)
class Searched:
    """Two repeats of one search."""

    records: tuple[Record, ...]
    stdout: str


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    place = Workplace(folder=tmp_path_factory.mktemp("search")).write(FRMOL, NDR)
    done = place.run("--only", CASE, "--repeats", "2")
    assert done.returncode == 0, done.stderr
    all_gone(str(place.folder))
    return Searched(records=place.records(), stdout=done.stdout)


def test_the_ndr_of_two_repeats_is_the_same(searched: Searched) -> None:
    first, second = (record.trial.forwarded_pps for record in searched.records)
    assert first
    assert second
    assert abs(first / second - 1) < 0.001


def test_each_record_tells_bounds_and_every_trial(searched: Searched) -> None:
    for record in searched.records:
        assert record.label is Label.NDR
        found = record.searched
        assert found is not None
        assert found.irregular == ""
        assert found.lower_pps is not None
        assert found.upper_pps is not None
        assert found.lower_pps < found.upper_pps <= found.lower_pps * 1.00503
        assert record.trial.forwarded_pps == found.lower_pps
        assert found.trials[0].intended_pps is None
        assert {
            f"repeat-{record.trial.repeat}/trial-{number}/result" for number in range(1, len(found.trials) + 1)
        } <= {raw.path for raw in record.raw}


def test_it_lies_below_what_comes_through_at_maximum_load_by_what_pacing_costs(searched: Searched) -> None:
    for record in searched.records:
        assert record.searched
        most = record.searched.trials[0].forwarded_pps
        assert 0.94 * most < (record.trial.forwarded_pps or 0) <= most


def test_the_run_says_what_the_rate_is(searched: Searched) -> None:
    assert "NDR (MLRsearch, RFC 9971): loss goal 0 %, width 0.5 %" in searched.stdout
    assert "FRMOL" not in searched.stdout
