"""The checks of a pipeline see what they are there for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.lint import faults

SOUND = """\
stages: [one, two]
.base: {script: [./go.sh]}
a: {extends: .base, stage: one}
b: {extends: .base, stage: two, dependencies: [a], timeout: 5 minutes, variables: {RUNNER_SCRIPT_TIMEOUT: 4m}}
"""


def told(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "go.sh").touch()
    return faults(text, tmp_path)


def test_a_sound_pipeline_has_no_fault(tmp_path: Path) -> None:
    assert told(tmp_path, SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("stage: two", "stage: three", "b: stage 'three' is unknown"),
        ("dependencies: [a]", "dependencies: [c]", "b: takes from 'c', which no earlier stage has"),
        ("dependencies: [a]", "needs: [{job: b}]", "b: takes from 'b', which no earlier stage has"),
        ("dependencies: [a]", f"needs: [{', '.join(['a'] * 51)}]", "b: has 51 needs"),
        ("./go.sh", "./gone.sh now", "a: calls './gone.sh', which is not there"),
        ("a: {extends", "b: {extends", "stands twice: ['b']"),
        ("extends: .base, stage: one", "extends: .bass, stage: one", "a: extends '.bass', which is not there"),
        ("RUNNER_SCRIPT_TIMEOUT: 4m", "RUNNER_SCRIPT_TIMEOUT: 5m", "b: its script may take all its time"),
        ("a: {extends", f"{'a' * 256}: {{extends", f"{'a' * 256}: is no name of a job"),
        ("{script: [./go.sh]}", "{image: x}", "a: does nothing"),
        ("{script: [./go.sh]}", f"{{script: [./go.sh], variables: {{X: {'x' * 1024**2}}}}}", "a: takes 1048"),
        ("{script: [./go.sh]}", f"{{script: [./go.sh], variables: {{X: {'x' * 2**21}}}}}", "takes 20"),
    ],
)
def test_each_fault_is_seen(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SOUND
    assert [fault for fault in told(tmp_path, SOUND.replace(old, new, 1)) if fault.startswith(said)]
