"""One note where each machine has a child pipeline: every child writes its part and keeps the others'."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.errors import LabError
from fwdlab.gitlab.notes import Ending, put_note
from fwdlab.gitlab.text import URGENCY, Part, part_text, parts_of, pipeline_of, whole_text
from fwdlab.render import outcomes as render
from tests.unit.gitlab.server import Fault, GitLab
from tests.unit.gitlab.test_notes import HASTE, body, put, request

MACHINES = ("rack", "apu", "qemu_x86")


def part(number: int) -> Part:
    return Part(number=number, of=len(MACHINES), machine=MACHINES[number - 1])


def report(gitlab: GitLab, number: int, said: str = "1 worse", pipeline: int = 100) -> Ending:
    return put_note(request(gitlab, pipeline, part(number)), f"### fwdlab: {said}\n\n| a row |\n", HASTE)


def heads(gitlab: GitLab) -> list[str]:
    """The lines of the one note that show."""
    (said,) = gitlab.bodies()
    return shown(said)


def shown(note: str) -> list[str]:
    """What is read of a note before any part of it is unfolded."""
    folded = re.sub(r"</summary>.*?</details>", "", note, flags=re.DOTALL)
    lines = re.sub(r"<!--.*?-->|<details>\n|</?(code|p)>|<summary>", "", folded).splitlines()
    return [line.rstrip() for line in lines if line]


def test_every_machine_has_its_part_in_the_order_of_the_plan(gitlab: GitLab) -> None:
    assert [report(gitlab, number) for number in (3, 1, 2)] == [Ending.WRITTEN, Ending.EDITED, Ending.EDITED]
    assert heads(gitlab) == [
        "### fwdlab: 3 worse; 3 of 3 machines have reported, commit 0123456789ab",
        "rack: 1 worse",
        "apu: 1 worse",
        "qemu_x86: 1 worse",
    ]


def test_what_cannot_be_trusted_is_read_first_then_what_changed(gitlab: GitLab) -> None:
    report(gitlab, 1, "1 better, 7 same in 1 campaign")
    report(gitlab, 2, "no comparison in 0 campaigns")
    report(gitlab, 3, "1 invalid, 12 worse in 2 campaigns")
    assert heads(gitlab) == [
        "### fwdlab: 1 invalid, 12 worse, 1 better, 7 same; 3 of 3 machines have reported, commit 0123456789ab",
        "qemu_x86: 1 invalid, 12 worse in 2 campaigns",
        "rack: 1 better, 7 same in 1 campaign",
        "apu: no comparison in 0 campaigns",
    ]
    assert tuple(render.URGENCY) == URGENCY


def test_a_job_that_runs_again_writes_its_own_part_alone(gitlab: GitLab) -> None:
    report(gitlab, 1)
    report(gitlab, 2)
    assert report(gitlab, 1, "1 better") is Ending.EDITED
    assert report(gitlab, 2) is Ending.UNCHANGED
    assert heads(gitlab)[1:] == ["apu: 1 worse", "rack: 1 better"]


def test_a_later_pipeline_begins_the_note_anew_and_an_earlier_one_is_too_late(gitlab: GitLab) -> None:
    report(gitlab, 1)
    assert report(gitlab, 2, pipeline=101) is Ending.EDITED
    assert report(gitlab, 3, pipeline=100) is Ending.LATER
    assert heads(gitlab) == [
        "### fwdlab: 1 worse; 1 of 3 machines have reported, commit 0123456789ab",
        "apu: 1 worse",
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
    assert heads(gitlab)[1:] == ["rack: 1 worse", "apu: 2 same"]


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
    assert heads(gitlab)[1:] == ["rack: 1 worse", "apu: 1 worse"]


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


@given(st.integers(1, 50), st.integers(1, 80), st.sampled_from(["| a row |", f"| a row {'x' * 5000} |"]))
def test_the_parts_of_all_machines_fit_into_a_note(machines: int, rows: int, row: str) -> None:
    summary = "### fwdlab: 80 worse\n\n" + f"{row}\n" * rows
    parts = {
        number: part_text(summary, Part(number=number, of=machines, machine=f"box-{number}"))
        for number in range(1, machines + 1)
    }
    text = whole_text(parts, machines, commit="0" * 40, pipeline=7)
    assert len(shown(text)) == 1 + machines
    assert len(text) < 201_000
    assert parts_of(text) == parts
    assert pipeline_of(text) == 7
    cut = "Lines that did not fit into a note: "
    kept = parts[1].count(row)
    assert kept == rows if cut not in parts[1] else f"{cut}{rows - kept}." in parts[1]
