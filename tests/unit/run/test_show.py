from __future__ import annotations

import io
from collections.abc import Iterable

import pytest
from rich.console import Console

from fwdlab.run import show
from fwdlab.run.carry import Event
from fwdlab.run.tasks import Outcome, Step
from tests.unit.records.example import case
from tests.unit.run.example import FINE, outcome, task

SLUG = "qemu-x86/debian-6.1/nft-stateful/none/udp4-64"
EVENTS = (
    (Event(task=task(step=Step.PREPARE), outcome=FINE, skipped=False), ""),
    (Event(task=task(order=1), outcome=FINE, skipped=False), "93.30 kpps"),
    (Event(task=task(order=2, repeat=2), outcome=outcome(3, "box: no [link]; check the cable"), skipped=False), ""),
    (Event(task=task(order=3, repeat=3), outcome=outcome(3), skipped=True), ""),
    (Event(task=task(case(firewall="[red]"), order=4), outcome=FINE, skipped=False), "1.000 Mpps"),
)


def shown(monkeypatch: pytest.MonkeyPatch, events: Iterable[tuple[Event, str]], *, terminal: bool) -> str:
    """What stands on standard error afterwards."""
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=140, color_system=None, legacy_windows=False)
    monkeypatch.setattr(show, "Console", lambda **_: console)
    with show.shown(tasks=5, boots=4) as screen:
        for event, figure in events:
            screen.tell(event, figure)
    return stream.getvalue()


def test_elsewhere_than_on_a_terminal_each_boot_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, EVENTS, terminal=False).splitlines() == [
        f"1/4 {SLUG}: 93.30 kpps",
        f"2/4 {SLUG}: box: no [link]; check the cable",
        "4/4 qemu-x86/debian-6.1/[red]/none/udp4-64: 1.000 Mpps",
    ]


def test_a_step_without_a_number_that_failed_has_a_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event(task=task(step=Step.PREPARE), outcome=outcome(2, "no rules; mend it"), skipped=False)
    assert shown(monkeypatch, [(failed, "")], terminal=False) == f"prepare {SLUG}: no rules; mend it\n"


def test_a_terminal_has_a_bar_with_cases_done_time_left_and_the_last_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(monkeypatch, EVENTS, terminal=True)
    assert screen.count(f"{SLUG}: box: no [link]; check the cable") == 1
    last = screen.splitlines()[-2]
    assert "5/5" in last
    assert "0:00:00" in last
    assert "qemu-x86/debian-6.1/[red]/none/udp4-64 1.000 Mpps" in last


def test_long_lines_stay_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Outcome(status=3, message="x" * 300, seconds=0.0)
    event = Event(task=task(), outcome=long, skipped=False)
    assert "x" * 300 in shown(monkeypatch, [(event, "")], terminal=False)
    assert "x" * 300 in shown(monkeypatch, [(event, "")], terminal=True)
