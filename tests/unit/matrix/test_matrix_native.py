"""Machines of the native lab, and the revision that is whatever runs on them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fwdlab.case import Kind, Lab, case_text, parse_case
from fwdlab.errors import MatrixError
from fwdlab.matrix.expand import as_written
from fwdlab.matrix.load import load_matrix
from fwdlab.matrix.plan import make_plan
from fwdlab.matrix.resolve import resolve, resolved_cases
from tests.unit.matrix.example import Bench

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "runner-scripts"
HERE = "here: {lab: netns, title: Here, processor: 1, trial: {warmup: 300ms, samples: 20, length: 1s}}"
TEXT = f"""\
repeats: 3
seed: 1
hardware:
  {HERE}
revisions:
  host: {{title: What runs, os: linux, running: kernel, version: latest}}
firewalls:
  forwarding: {{}}
patches:
  none: {{}}
traffic:
  udp4: {{family: inet, frame_size: 64, flows: 2000, load: max}}
"""


def bent(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


def faults(bench: Bench, text: str) -> list[str]:
    """What is wrong with the text, without the path."""
    bench.path.write_text(text)
    with pytest.raises(MatrixError) as caught:
        load_matrix(bench.path)
    return [line.removeprefix(f"{bench.path}:") for line in str(caught.value).splitlines()]


def test_the_example_in_the_repository_is_one() -> None:
    matrix = load_matrix(ROOT / "examples/netns.yaml")
    assert {machine.lab for machine in matrix.machines} == {Lab.NETNS}


def test_a_case_carries_processor_sender_and_times(bench: Bench) -> None:
    bench.path.write_text(TEXT)
    (case,) = resolved_cases(load_matrix(bench.path), SCRIPTS)
    assert case.hardware.settings == (
        ("processor", "1"),
        ("sender", "auto"),
        ("trial.warmup_ms", "300"),
        ("trial.samples", "20"),
        ("trial.slice_ms", "1000"),
    )
    assert parse_case(case_text(case), "a.case") == case


def test_the_revision_is_the_kernel_that_runs(bench: Bench) -> None:
    bench.path.write_text(TEXT)
    (found,) = resolve(load_matrix(bench.path), SCRIPTS).values()
    assert (found.kind, found.package, found.version) == (Kind.RUNNING, "kernel", os.uname().release)
    assert len(found.sha256) == 64
    assert not found.kind.built


def test_before_a_plan_the_revision_is_as_written(bench: Bench) -> None:
    bench.path.write_text(TEXT)
    (found,) = as_written(load_matrix(bench.path)).values()
    assert (found.package, found.version, found.sha256) == ("kernel", "latest", "")


def test_another_kernel_than_the_one_asked_for_is_refused(bench: Bench) -> None:
    bench.path.write_text(bent("version: latest", "version: 1.2.3"))
    with pytest.raises(MatrixError, match=rf":6:48: revision 'host': '{os.uname().release}' runs on .*, not '1.2.3'; "):
        resolve(load_matrix(bench.path), SCRIPTS)


def test_a_package_is_no_revision_of_a_host(bench: Bench) -> None:
    bench.path.write_text(bent("running: kernel", "package: linux-image"))
    with pytest.raises(MatrixError, match=r"measures the kernel that runs, none from 'linux-image'; exclude"):
        resolve(load_matrix(bench.path), SCRIPTS)


def test_what_runs_is_no_revision_of_a_guest(bench: Bench) -> None:
    trial = "trial: {warmup: 1, samples: 1, packets: 1}"
    bench.path.write_text(bent(HERE, f"box: {{lab: qemu, title: Box, arch: x86_64, memory: 64M, {trial}}}"))
    with pytest.raises(MatrixError, match="a guest boots a kernel of its own; exclude"):
        resolve(load_matrix(bench.path), SCRIPTS)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "processor: 1",
            "processor: one",
            "'processor' of hardware 'here' is 'one'; write a whole number from 0 to 4095",
        ),
        ("processor: 1, ", "", "hardware 'here' has no 'processor'; add it: number of the processor that"),
        ("processor: 1", "sender: bfp, processor: 1", "'sender' of hardware 'here' is 'bfp'; did you mean 'bpf'?"),
        ("processor: 1", "memory: 64M, processor: 1", "unknown key 'memory' in hardware 'here'; known are 'sender'"),
        ("length: 1s", "length: 0ms", "'length' of hardware 'here' is '0ms'; write a time such as '100ms' or '2s'"),
        ("length: 1s", "length: 0.5s", "'length' of hardware 'here' is '0.5s'; write a time such as '100ms' or '2s'"),
        ("length: 1s", "packets: 4", "unknown key 'packets' in 'trial' of hardware 'here'; known are 'length'"),
        ("lab: netns", "lab: netsn", "'lab' of hardware 'here' is 'netsn'; did you mean 'netns'?"),
        ("running: kernel", "running: walk", "'running' of revision 'host' is 'walk'; known are 'kernel'"),
    ],
)
def test_each_fault_has_its_advice(bench: Bench, old: str, new: str, expected: str) -> None:
    told = faults(bench, bent(old, new))
    assert any(expected in line for line in told), told


def test_small_frames_over_ipv6_are_noted(bench: Bench) -> None:
    bench.path.write_text(bent("family: inet", "family: inet6"))
    matrix = load_matrix(bench.path)
    plan = make_plan(matrix, resolved_cases(matrix, SCRIPTS))
    assert any("smallest over IPv6 have 66" in note for note in plan.notes)
