from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fwdlab.analyse.result import Sample, Verdict
from fwdlab.render.table import sample_line, verdict_table
from tests.unit.render import examples


def table(tmp_path: Path, verdict: Verdict | None = None) -> list[str]:
    """The lines for one hardware, of which the first comparison has that verdict."""
    found = examples.result(hardware=("qemu-x86",))
    first, *rest = found.comparisons
    first = examples.comparison(first.base, first.new, "revision", verdict=verdict)
    return verdict_table(examples.page(replace(found, comparisons=(first, *rest)), tmp_path)).splitlines()


def test_one_row_a_comparison_under_one_unit(tmp_path: Path) -> None:
    title, head, *rows = table(tmp_path)
    assert title == "Linux 6.12 against 6.1 (virtual kpps, baseline debian-6.1)"
    assert head.split() == ["baseline", "new", "n", "difference", "95", "%", "interval", "verdict"]
    assert len(rows) == 6
    assert len({len(line) for line in (head, *rows)}) == 1, "columns stand under each other"
    assert rows[0].split()[-1] == "better"
    assert rows[0].split()[2:5] == ["93.3", "120.5", "5"]


def test_doubts_stand_below_with_what_they_belong_to(tmp_path: Path) -> None:
    *_, note = table(tmp_path, Verdict.UNPROVEN)
    assert note.endswith(": 5 repeats resolve 2.8 %; 15 repeats would resolve 1.5 %")
    assert note.startswith("  forwarding")


def test_a_side_without_values_has_no_figure(tmp_path: Path) -> None:
    found = examples.result(hardware=("qemu-x86",))
    first, *rest = found.comparisons
    empty = replace(first.new, values=(), invalid=("repeat-1: the receiver saw no frame",))
    broken = replace(first, new=empty, verdict=Verdict.INVALID, delta=None, low=None, high=None, p_value=None)
    line = verdict_table(examples.page(replace(found, comparisons=(broken, *rest)), tmp_path)).splitlines()[2]
    assert " 5, 0 " in line
    assert line.endswith("invalid")


def line_of(*values: float, invalid: tuple[str, ...] = ()) -> str:
    names = ("box", "old", "forwarding", "none", "udp4")
    return sample_line(Sample(names=names, key="0" * 12, metric="forwarded", values=values, invalid=invalid))


def test_a_case_in_a_line() -> None:
    assert line_of(93301.2, 93310.4, 93288.8) == "box/old/forwarding/none/udp4: 93.30 kpps, n 3, cv 0.012 %"
    assert line_of(93301.2) == "box/old/forwarding/none/udp4: 93.30 kpps, n 1"
    assert line_of(0.0, 0.0) == "box/old/forwarding/none/udp4: 0.000 pps, n 2"
    assert line_of(1e6, 1e6, invalid=("repeat-3: no link",)).endswith("n 2, cv 0.000 %; left out repeat-3: no link")
    assert line_of(invalid=("repeat-1: no link",)) == (
        "box/old/forwarding/none/udp4: no valid repeat; left out repeat-1: no link"
    )
