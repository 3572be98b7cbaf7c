"""What a run shows while it goes on: boots done, time left, the last figure. A bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from fwdlab.run.carry import Event
from fwdlab.run.tasks import Step


class Show(Protocol):
    """Something that tells a person what happened."""

    def tell(self, event: Event, figure: str) -> None:
        """One task is over; `figure` is its result in words, empty where it has none."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """One line a boot, and one for what was said of a case before it, for logs."""

    console: Console
    total: int

    def tell(self, event: Event, figure: str) -> None:
        """A line for each boot and each failure; a case that was given up is told once."""
        if not event.skipped and (event.task.step is Step.TRAFFIC or _has_news(event)):
            place = f"{event.task.order}/{self.total}" if event.task.order else str(event.task.step)
            said = figure or (event.outcome.message if _has_news(event) else "done")
            self.console.print(f"{place} {event.task.case.slug}: {said}", markup=False, highlight=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar over all tasks, with the last figure beside it."""

    progress: Progress
    bar: TaskID

    def tell(self, event: Event, figure: str) -> None:
        """Move the bar; a failure gets a line of its own above it."""
        if _has_news(event) and not event.skipped:
            self.progress.console.print(
                f"{event.task.case.slug}: {event.outcome.message}", markup=False, highlight=False, soft_wrap=True
            )
        self.progress.advance(self.bar)
        if figure:
            self.progress.update(self.bar, figure=f"{event.task.case.slug} {figure}")


def _has_news(event: Event) -> bool:
    """Whether a person is to hear what was said: of a failure, or a doubt while the case was prepared."""
    return bool(event.outcome.status or (event.task.step is Step.PREPARE and event.outcome.message))


@contextmanager
def shown(tasks: int, boots: int) -> Iterator[Show]:
    """A show of so many tasks on standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(console, boots)
        return
    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[figure]}", markup=False),
    )
    with Progress(*columns, console=console) as progress:
        yield _Bar(progress, progress.add_task("", total=tasks, figure=""))
