"""Carry tasks out, several at a time: a case whose step fails is given up, the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from fwdlab.errors import LabError, MatrixError
from fwdlab.run.tasks import Outcome, Step, Task

Do = Callable[[Task], Outcome]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A task that is over."""

    task: Task
    outcome: Outcome
    skipped: bool  # its case was given up before


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A case that was given up, and what was said of it."""

    task: Task
    outcome: Outcome

    @property
    def message(self) -> str:
        """A sentence that names the case."""
        what = f"repeat {self.task.repeat}" if self.task.step is Step.TRAFFIC else self.task.step
        return f"{self.task.case.slug}: {what}: {self.outcome.message}"


@dataclass(slots=True)
class _State:
    """What the workers share; only the thread that submits writes it."""

    failures: dict[str, Failure] = field(default_factory=dict)


def carry_out(
    phases: Iterable[Sequence[Task]], do: Do, places: int, report: Callable[[Event], None], *, stop: Callable[[], None]
) -> tuple[Failure, ...]:
    """Do every task of every phase, `places` of the virtual lab and one of each machine at a time.

    What needs this host alone comes when the rest of its phase is done. Within a lane tasks begin in their order.
    `report` is called in this thread, and so is `stop` where an interrupt or an error ends the work: it is to end what
    `do` is at. Returns the cases given up.
    """
    state = _State()
    for tasks in _undisturbed(phases):
        lanes = _lanes(tasks, places)
        with ThreadPoolExecutor(max_workers=max(1, sum(size for size, _ in lanes))) as pool:
            try:
                for event in _run_lanes(pool, lanes, do, state):
                    _note(event, state)
                    report(event)
            except BaseException:
                stop()  # the pool waits for its threads, and they for what they call
                raise
    return tuple(state.failures.values())


def _undisturbed(phases: Iterable[Sequence[Task]]) -> Iterator[list[Task]]:
    """Each phase in two: what may run side by side, and what must not run beside anything."""
    for tasks in phases:
        yield [task for task in tasks if not task.alone]
        yield [task for task in tasks if task.alone]


def _note(event: Event, state: _State) -> None:
    if event.outcome.status != 0 and not event.skipped:
        state.failures.setdefault(event.task.key, Failure(task=event.task, outcome=event.outcome))


def _lanes(tasks: Sequence[Task], places: int) -> list[tuple[int, list[Task]]]:
    lanes: dict[str, list[Task]] = {}
    for task in tasks:
        lanes.setdefault(task.lane, []).append(task)
    return [(1 if name else places, queue) for name, queue in lanes.items()]


def _run_lanes(pool: ThreadPoolExecutor, lanes: list[tuple[int, list[Task]]], do: Do, state: _State) -> Iterator[Event]:
    """Keep every lane's places busy; yields events as tasks end."""
    queues = {index: iter(queue) for index, (_, queue) in enumerate(lanes)}
    pending: dict[Future[Outcome], tuple[int, Task]] = {}

    def feed(index: int) -> Iterator[Event]:
        for task in queues[index]:
            if failure := state.failures.get(task.key):
                yield Event(task=task, outcome=failure.outcome, skipped=True)
                continue
            pending[pool.submit(_with_one_retry, do, task)] = (index, task)
            return

    for index, (size, _) in enumerate(lanes):
        for _ in range(size):
            yield from feed(index)
    while pending:
        finished, _ = wait(pending, return_when=FIRST_COMPLETED)
        for future in finished:
            index, task = pending.pop(future)
            yield Event(task=task, outcome=future.result(), skipped=False)
            yield from feed(index)


def _with_one_retry(do: Do, task: Task) -> Outcome:
    """A broken lab gets a second chance; a wrong change does not."""
    first = do(task)
    return do(task) if first.status == LabError.exit_code else first


def exit_code(failures: Iterable[Failure]) -> int:
    """The exit status a run with these failures has: the author of the change first, then the lab keeper."""
    statuses = {failure.outcome.status for failure in failures}
    if MatrixError.exit_code in statuses:
        return MatrixError.exit_code
    return LabError.exit_code if statuses else 0
