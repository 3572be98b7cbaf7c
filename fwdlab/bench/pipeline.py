"""`fwdlab bench pipeline`: seconds in which a large matrix becomes a pipeline, and how near GitLab's limits it is."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from fwdlab.pipeline.limits import YAML_OCTETS, size_of

_ROUNDS = 5
_REVISIONS, _FIREWALLS, _TRAFFICS, _REPEATS = 10, 10, 5, 5
_RESOLVE = "#!/bin/sh\nprintf '%s\\t1.0\\t%064d\\n' \"$2\" 0\n"
_TRIAL = "trial: {warmup: 4000, samples: 10, packets: 4000}"


@click.command("pipeline")
def command() -> None:
    """Print the median seconds of 'fwdlab pipeline' for 500 cases x 5 rounds of one machine, and the largest file."""
    with tempfile.TemporaryDirectory(prefix="fwdlab-pipeline-") as name:
        folder = Path(name)
        words = ["pipeline", "-m", str(_matrix(folder)), "--runner-scripts", str(_scripts(folder)), "--cap", "999h"]
        call = [sys.executable, "-m", "fwdlab", *words, "--results", str(folder), "--out", str(folder / "expanded")]
        took = statistics.median(_seconds(call) for _ in range(_ROUNDS))
        files = {path.name: path.stat().st_size for path in (folder / "expanded").iterdir()}
        counted = max(size_of(path.read_text(encoding="utf-8")) for path in (folder / "expanded").glob("child*.yml"))
    cases = _REVISIONS * _FIREWALLS * _TRAFFICS
    largest = max(files, key=lambda name: files[name])
    click.echo(f"{cases} cases x {_REPEATS} rounds: {took:.2f} s, median of {_ROUNDS}")
    click.echo(f"largest child: {counted / 1e6:.2f} MB in GitLab's memory, of {YAML_OCTETS / 1e6:.2f} MB it allows")
    click.echo(f"largest file: {largest}, {files[largest] / 1e6:.2f} MB; all {sum(files.values()) / 1e6:.2f} MB")


def _seconds(call: list[str]) -> float:
    began = time.monotonic()
    done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise click.ClickException(f"{' '.join(call)}: ended with status {done.returncode}; {done.stderr}")
    return time.monotonic() - began


def _scripts(folder: Path) -> Path:
    script = folder / "runner-scripts" / "labs" / "qemu" / "resolve.sh"
    script.parent.mkdir(parents=True)
    script.write_text(_RESOLVE, encoding="utf-8")
    script.chmod(0o755)
    return folder / "runner-scripts"


def _matrix(folder: Path) -> Path:
    """A matrix of 500 cases, with names as long as people give them."""
    (folder / "rules.nft").write_text("", encoding="utf-8")
    lines = [f"repeats: {_REPEATS}", "seed: 1", "hardware:"]
    lines += [f"  qemu-x86: {{lab: qemu, title: M, arch: x86_64, memory: 512M, {_TRIAL}}}", "revisions:"]
    lines += [
        f"  linux-6.12.{n}: {{title: R, os: linux, package: linux-{n}, version: latest}}" for n in range(_REVISIONS)
    ]
    lines += ["firewalls:", "  forwarding: {}"]
    lines += [f"  nft-stateful-{n}: {{rules: rules.nft}}" for n in range(1, _FIREWALLS)]
    lines += ["patches: {none: {}}", "traffic:"]
    lines += [
        f"  udp4-{64 + n}: {{family: inet, frame_size: {64 + n}, flows: 2000, load: max}}" for n in range(_TRAFFICS)
    ]
    lines += ["campaigns:", "  c: {title: C, question: Q, compare: revision, baseline: linux-6.12.0}"]
    (folder / "matrix.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "matrix.yaml"
