"""`fwdlab bench plan`: seconds and memory that cases and plan take on a matrix of ten thousand cases."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import click

_ROUNDS = 5

# In a small process of its own: the kernel counts the memory of the one that starts another as the other's.
_METER = """
import json, resource, subprocess, sys, time
began = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
took = time.monotonic() - began
print(json.dumps([status, took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""
_RESOLVE = "#!/bin/sh\nprintf '%s\\t1.0\\t%064d\\n' \"$1\" 0\n"
_TRIAL = "trial: {warmup: 4000, samples: 10, packets: 4000}"


@click.command("plan")
def command() -> None:
    """Print the median seconds and the memory of the commands that only read a matrix; 10 000 cases, no network."""
    with tempfile.TemporaryDirectory(prefix="fwdlab-plan-") as folder:
        matrix, scripts = _ten_thousand(Path(folder)), _scripts(Path(folder))
        for words in (["cases"], ["cases", "--json"], ["plan"], ["plan", "--json"]):
            call = [sys.executable, "-m", "fwdlab", *words, "-m", str(matrix), "--runner-scripts", str(scripts)]
            rounds = [_metered(call) for _ in range(_ROUNDS)]
            took, memory = (statistics.median(column) for column in zip(*rounds, strict=True))
            click.echo(f"{' '.join(words)}: {took:.2f} s, {memory / 1024:.0f} MiB, median of {_ROUNDS}")


def _metered(call: list[str]) -> tuple[float, float]:
    """Seconds and KiB of one call."""
    said = subprocess.run([sys.executable, "-S", "-c", _METER, *call], capture_output=True, text=True, check=True)
    status, took, memory = json.loads(said.stdout)
    if status != 0:
        raise click.ClickException(f"{' '.join(call)}: ended with status {status}; call it by hand")
    return took, memory


def _scripts(folder: Path) -> Path:
    lab = folder / "runner-scripts" / "labs" / "qemu"
    lab.mkdir(parents=True)
    (lab / "resolve.sh").write_text(_RESOLVE, encoding="utf-8")
    (lab / "resolve.sh").chmod(0o755)
    return folder / "runner-scripts"


def _ten_thousand(folder: Path) -> Path:
    """A matrix of 10 machines x 20 revisions x 10 firewalls x 5 traffics."""
    (folder / "rules.nft").write_text("", encoding="utf-8")
    lines = ["repeats: 5", "seed: 1", "hardware:"]
    lines += [f"  m{n}: {{lab: qemu, title: M, arch: x86_64, memory: 512M, {_TRIAL}}}" for n in range(10)]
    lines += ["revisions:"]
    lines += [f"  r{n}: {{title: R, os: linux, package: linux-{n}, version: latest}}" for n in range(20)]
    lines += ["firewalls:", "  forwarding: {}"]
    lines += [f"  f{n}: {{rules: rules.nft}}" for n in range(1, 10)]
    lines += ["patches: {none: {}}", "traffic:"]
    lines += [f"  t{n}: {{family: inet, frame_size: {64 + n}, flows: 2000, load: max}}" for n in range(5)]
    lines += ["campaigns:", "  c: {title: C, question: Q, compare: revision, baseline: r0}"]
    (folder / "matrix.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "matrix.yaml"
