"""Real patches on a real kernel: what one costs, and what is said of those that break it, its build, or nothing."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.lab import ROOT
from tests.unit.run.processes import MARK, all_gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(3600)]  # the first time, the kernel is built from nothing

MATRIX = """\
repeats: 3
seed: 1
hardware:
  qemu-x86:
    {lab: qemu, title: A machine, arch: x86_64, memory: 512M, trial: {warmup: 4000, samples: 10, packets: 4000}}
revisions:
  debian: {title: Debian's source, os: linux, source: linux-source-6.12, version: latest}
firewalls: {forwarding: {}}
patches: {none: {}}
traffic:
  udp4-64: {family: inet, frame_size: 64, flows: 2000, load: max}
campaigns: {}
"""
FORWARD = "net/ipv4/ip_forward.c"
DUMMY = "\tThe purpose of this driver is to provide a device to point a"
SLUG = "qemu-x86/debian/forwarding"


def added(path: str, at: int, before: str, line: str, after: str) -> str:
    """A patch that adds a line after another, which is followed by an empty one and one more."""
    hunk = (f"@@ -{at},3 +{at},4 @@", f" {before}", f"+{line}", " ", f" {after}")
    return "".join(f"{line}\n" for line in (f"--- a/{path}", f"+++ b/{path}", *hunk))


def in_ip_forward(line: str) -> str:
    """A patch with one line more where a packet's own header is known."""
    return added(FORWARD, 146, "\tiph = ip_hdr(skb);", f"\t{line}", "\t/* Decrease ttl after skb cow done */")


COSTLY = in_ip_forward("for (unsigned int look = 0; look < 100; look++) barrier();")
DEADLY = in_ip_forward('if (iph->ttl) panic("nothing passes here");')
BROKEN = in_ip_forward("iph->colour = 0;")
IDLE = added("drivers/net/dummy.c", 2, "/* dummy.c: a dummy net driver", "\tIt is not even built.", DUMMY)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tries:
    """A folder with a matrix, and what tries of patches leave there; its unpatched kernel is measured once."""

    folder: Path

    @property
    def public(self) -> Path:
        return self.folder / "public"

    def lab(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, MARK: str(self.folder)}
        command = [str(ROOT / "lab"), *words, "-m", "matrix.yaml", "--results", str(self.folder / "results")]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        all_gone(str(self.folder))
        return done

    def tried(self, name: str, text: str) -> subprocess.CompletedProcess[str]:
        """What `./lab try` says of a patch."""
        (self.folder / f"{name}.patch").write_text(text)
        return self.lab("try", f"{name}.patch", "--repeats", "3", "--public", str(self.public))

    def logs(self, said: str) -> str:
        """The log that a sentence names."""
        named = re.search(r"read (/\S+\.log)", said)
        assert named, said
        return Path(named[1]).read_text(errors="replace")


@pytest.fixture(scope="module")
def tries(tmp_path_factory: pytest.TempPathFactory) -> Tries:
    folder = tmp_path_factory.mktemp("try")
    (folder / "matrix.yaml").write_text(MATRIX)
    made = Tries(folder=folder)
    built = made.lab("build")
    assert built.returncode == 0, built.stderr
    kernel = Path(built.stdout.removeprefix("qemu-x86/debian/none\t").rstrip("\n"))
    assert {"image", "vmlinux", "config", "build.log"} <= {path.name for path in kernel.iterdir()}
    return made


def test_a_patch_that_costs_is_worse_and_its_page_says_where_it_went(tries: Tries) -> None:
    done = tries.tried("look", COSTLY)
    assert done.returncode == 1, done.stderr
    verdict = re.search(r"^.*\blook\b.*? \N{MINUS SIGN}(\d\.\d+) %.*  worse", done.stdout, re.MULTILINE)
    assert verdict, done.stdout
    assert 2.6 < float(verdict[1]) < 3.6, "100 turns of 2 instructions, beside some 6400 a packet"
    page = (tries.public / "campaigns/try.html").read_text()
    assert "What does look.patch cost or win on Debian" in page
    (difference,) = (path for path in (tries.public / "differences").glob("*.html") if path.name != "index.html")
    assert difference.name in page
    assert "ip_forward" in difference.read_text()


def test_a_patch_that_panics_is_refused_with_the_place_of_the_console(tries: Tries) -> None:
    done = tries.tried("deadly", DEADLY)
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    words = "the guest stopped with 'Kernel panic - not syncing: nothing passes here'; read "
    assert said.startswith(f"{SLUG}/deadly/udp4-64: repeat ")
    assert f": qemu-x86: {words}" in said
    assert said.endswith("/console.log")
    assert "nothing passes here" in tries.logs(said)


def test_a_patch_that_does_not_compile_is_told_in_the_compilers_words(tries: Tries) -> None:
    done = tries.tried("broken", BROKEN)
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    words = f"{FORWARD}:147:12: error: 'struct iphdr' has no member named 'colour'"
    assert said.startswith(f"{SLUG}/broken/udp4-64: prepare: broken.patch: debian (linux-source-6.12 ")
    assert f") with it does not build ({words}); read " in said
    assert words in tries.logs(said)


def test_a_patch_of_what_is_not_built_changes_nothing(tries: Tries) -> None:
    done = tries.tried("idle", IDLE)
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"{SLUG}/idle/udp4-64: prepare: idle.patch: changes nothing, the kernel of debian (")
    assert said.endswith(", and name kernel options that build drivers/net/dummy.c under 'options' of the patch")
    assert "Applied patch drivers/net/dummy.c cleanly." in tries.logs(said)


def test_a_patch_of_another_kernel_is_refused_with_its_hunk(tries: Tries) -> None:
    done = tries.tried("older", COSTLY.replace("skb cow done", "skb_cow is done"))
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert f": older.patch: hunk 1 of {FORWARD} (line 146) does not fit debian (" in said
    assert "while searching for:" in tries.logs(said)
