"""One note where each machine has a child pipeline: every child writes its part and keeps the others'."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import LabError
from fwdlab.gitlab.notes import Ending, put_note
from fwdlab.gitlab.text import Part, part_text, parts_of, pipeline_of, whole_text
from tests.unit.gitlab.server import Fault, GitLab
from tests.unit.gitlab.test_notes import HASTE, body, put, request

MACHINES = ("rack", "apu", "qemu_x86")


def part(number: int) -> Part:
    return Part(number=number, of=len(MACHINES), machine=MACHINES[number - 1])


def report(gitlab: GitLab, number: int, said: str = "1 worse", pipeline: int = 100) -> Ending:
    return put_note(request(gitlab, pipeline, part(number)), f"### fwdlab: {said}\n\n| a row |\n", HASTE)


def heads(gitlab: GitLab) -> list[str]:
    """The headings of the one note."""
    (said,) = gitlab.bodies()
    return [line.partition(" <!--")[0] for line in said.splitlines() if line.startswith("#")]


def test_every_machine_has_its_part_in_the_order_of_the_plan(gitlab: GitLab) -> None:
    assert [report(gitlab, number) for number in (3, 1, 2)] == [Ending.WRITTEN, Ending.EDITED, Ending.EDITED]
    assert heads(gitlab) == [
        "### fwdlab: 3 of 3 machines have reported, commit 0123456789ab",
        "#### `rack`: 1 worse",
        "#### `apu`: 1 worse",
        "#### `qemu_x86`: 1 worse",
    ]


def test_a_job_that_runs_again_writes_its_own_part_alone(gitlab: GitLab) -> None:
    report(gitlab, 1)
    report(gitlab, 2)
    assert report(gitlab, 1, "1 better") is Ending.EDITED
    assert report(gitlab, 2) is Ending.UNCHANGED
    assert heads(gitlab)[1:] == ["#### `rack`: 1 better", "#### `apu`: 1 worse"]


def test_a_later_pipeline_begins_the_note_anew_and_an_earlier_one_is_too_late(gitlab: GitLab) -> None:
    report(gitlab, 1)
    assert report(gitlab, 2, pipeline=101) is Ending.EDITED
    assert report(gitlab, 3, pipeline=100) is Ending.LATER
    assert heads(gitlab) == [
        "### fwdlab: 1 of 3 machines have reported, commit 0123456789ab",
        "#### `apu`: 1 worse",
    ]


def test_a_note_in_one_piece_and_one_of_parts_follow_each_other(gitlab: GitLab) -> None:
    put(gitlab, pipeline=99)
    assert report(gitlab, 1) is Ending.EDITED
    assert put(gitlab, pipeline=101) is Ending.EDITED
    assert gitlab.bodies() == [body(101)]


def test_two_that_both_found_no_note_end_with_one_that_has_both_parts(gitlab: GitLab) -> None:
    other = whole_text({2: part_text("### fwdlab: 2 same\n", part(2))}, 3, commit="", pipeline=100)

    def first(server: GitLab) -> None:
        server.put(other)

    gitlab.faults = [Fault(method="POST", status=502, after=True, first=first)]
    report(gitlab, 1)
    assert heads(gitlab)[1:] == ["#### `rack`: 1 worse", "#### `apu`: 2 same"]


def test_a_part_that_another_job_wrote_over_is_written_again(gitlab: GitLab) -> None:
    report(gitlab, 2)
    (stale,) = gitlab.bodies()
    read = gitlab.fault_for

    def after_the_write(method: str, path: str) -> Fault | None:
        if method == "GET" and path.endswith("/notes") and gitlab.count("PUT") == 1:
            gitlab.notes[1]["body"] = stale
        return read(method, path)

    gitlab.fault_for = after_the_write  # type: ignore[method-assign]
    assert report(gitlab, 1) is Ending.EDITED
    assert gitlab.count("PUT") == 2
    assert heads(gitlab)[1:] == ["#### `rack`: 1 worse", "#### `apu`: 1 worse"]


def test_a_note_that_is_written_over_for_ever_is_told(gitlab: GitLab) -> None:
    report(gitlab, 2)
    (stale,) = gitlab.bodies()
    read = gitlab.fault_for

    def always(method: str, path: str) -> Fault | None:
        if method == "GET":
            gitlab.notes[1]["body"] = stale
        return read(method, path)

    gitlab.fault_for = always  # type: ignore[method-assign]
    with pytest.raises(LabError, match="other jobs write the note over and over; run the job again"):
        report(gitlab, 1)


@given(st.integers(1, 12), st.integers(1, 80))
def test_the_parts_of_all_machines_fit_into_a_note(machines: int, rows: int) -> None:
    summary = "### fwdlab: 80 worse\n\n" + "| a row |\n" * rows
    parts = {
        number: part_text(summary, Part(number=number, of=machines, machine=f"box-{number}"))
        for number in range(1, machines + 1)
    }
    text = whole_text(parts, machines, commit="0" * 40, pipeline=7)
    assert text.count("\n") <= max(60, 2 + 8 * machines)
    assert parts_of(text) == parts
    assert pipeline_of(text) == 7
    cut = "Lines that did not fit into a note: "
    shown = parts[1].count("| a row |")
    assert shown == rows if cut not in parts[1] else f"{cut}{rows - shown}." in parts[1]
