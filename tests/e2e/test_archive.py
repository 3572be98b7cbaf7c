"""The five reference pages out of their archived logs: the way from a folder of logs to a page, figure by figure.

The commands are those that the example matrices give, so that a reader who types them gets these pages.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fwdlab.cli import main
from fwdlab.cli.site import pages_of
from fwdlab.render.model import CampaignPage
from tests.unit.profiles.test_archive import FOLDED
from tests.unit.structure.tree import ROOT

SHARED = ROOT.parent / "shared"
BLOCKS = SHARED / "seeds/blocks.json"
EXAMPLES = ROOT / "examples/freebsd"
ARCHIVES = {  # matrix, campaign, and the folder of its logs; the seed's number is the place here
    "vimage": ("vimage-on-atom", "fbsd12-head.r317849.VIMAGE"),
    "fastforwarding": ("firewalls-on-apu", "fbsd10.3"),
    "main-stable": ("main-against-stable", "main-vs-stable13"),
    "d8526": ("d8526-on-atom", "fbsd12-head.r299288.D8526"),
    "d5180": ("d5180-on-xeon", "fbsd11-head.r295150.mbuf.second"),
}
FIRST_RUN = "fbsd11-head.r295150.mbuf"
ODDITIES = (  # what the archive says that its own logs and lists do not
    "STABLE13.data: has 26978078 as median of 'STABLE13.forwarding.inet4', and its rates come to 27145666",
    "STABLE13.data: has 22 as minimum of 'STABLE13.forwarding.inet4', and its rates come to 26317649",
    "STABLE13.data: has 27217122 as maximum of 'STABLE13.forwarding.inet4', and its rates come to 27219814",
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.shared,
    pytest.mark.skipif(not BLOCKS.exists(), reason="needs the archived logs and pages of the shared folder"),
]


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What came of the archives."""

    pages: Mapping[str, CampaignPage]  # by campaign
    results: Path
    earlier: Path
    doubts: tuple[str, ...]


def command_of(matrix: str) -> list[str]:
    """The words with which a matrix says its archive is imported, after `./lab`."""
    text = (EXAMPLES / f"{matrix}.yaml").read_text()
    found = re.search(r"^#   \./lab (import (?:.*\\\n#)*.*)$", text, re.MULTILINE)
    assert found is not None
    return shlex.split(found[1].replace("\\\n#", " "))


def imported(matrix: str, folder: str, results: Path) -> list[str]:
    """Import one archive as its matrix says; every doubt about it."""
    (logs,) = (SHARED / "archive").glob(f"**/{folder}")
    words = [str(logs) if word == "DIR" else word for word in command_of(matrix)]
    done = CliRunner().invoke(main, [*words, "--results", str(results)])
    assert done.exit_code == 0, done.output
    return [line.replace(f"{logs}/", "") for line in done.stderr.splitlines()]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    folder = tmp_path_factory.mktemp("archives")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        doubts = [line for name, (_, logs) in ARCHIVES.items() for line in imported(name, logs, folder / "results")]
        doubts += imported("d5180", FIRST_RUN, folder / "first")
    pages, refused = pages_of(folder / "results", folder / "first")
    assert refused == ()
    by_name = {page.result.campaign.name: page for page in pages}
    return Imported(pages=by_name, results=folder / "results", earlier=folder / "first", doubts=tuple(doubts))


def reference_blocks() -> list[dict[str, Any]]:
    return json.loads(BLOCKS.read_text()) if BLOCKS.exists() else []


def figures(text: str) -> str:
    """A block without its names; where a page was pasted with blanks for the tab, the tab is put back."""
    lines = [re.sub("^ {8}", "\t", line) for line in text.splitlines()]
    return "\n".join(lines[next(place for place, line in enumerate(lines) if line.startswith("+--")) :])


@pytest.mark.parametrize("block", reference_blocks(), ids=lambda block: f"{block['seed']}-{block['block']}")
def test_every_ministat_block_of_the_reference_pages_comes_out(archives: Imported, block: dict[str, Any]) -> None:
    campaign, _ = list(ARCHIVES.values())[int(block["seed"])]
    ours = [figures(item.text) for item in archives.pages[campaign].ministat]
    assert figures(block["text"]) in ours


def test_every_trial_counts_and_nothing_but_the_known_oddities_is_doubted(archives: Imported) -> None:
    for page in archives.pages.values():
        assert not [fault for gate in page.gates for fault in gate.faults]
        assert all(sample.values and not sample.invalid for sample in page.result.samples)
    doubts = [line for line in archives.doubts if "is no case of" not in line]
    assert doubts == list(ODDITIES)


def test_the_second_run_is_held_against_the_first(archives: Imported) -> None:
    earlier = archives.pages["d5180-on-xeon"].earlier
    assert earlier is not None
    assert {row.subject: (row.now, row.before) for row in earlier.rows} == {
        "forwarding": ("no difference proven", "no difference proven"),
        "ipfw-stateful": ("-3.18994% +/- 1.04061%", "-3.30235% +/- 2.37229%"),
        "pf-stateful": ("-1.41039% +/- 0.982273%", "-1.54254% +/- 1.0098%"),
    }
    assert all(row.agreement.startswith("same verdict; ") for row in earlier.rows)


def test_the_call_graphs_fold_to_the_flame_graphs_of_the_page(archives: Imported) -> None:
    found = {}
    for report in archives.pages["vimage-on-atom"].cases:
        assert report.profile is not None
        digest = hashlib.sha256(report.profile.text.encode()).hexdigest()
        found[report.names[1:3]] = (len(report.profile.stacks), report.profile.total, digest)
    wanted = {
        (
            "r317849-vimage" if "VIMAGE" in name else "r317849",
            re.sub(r"stateful?\*", "stateful", name.split(".")[1]),
        ): said
        for name, said in FOLDED.items()
    }
    assert found == wanted


@pytest.mark.parametrize(
    ("campaign", "lines"),
    [
        ("vimage-on-atom", ("udp4-64: 64 octets with FCS", "udp4-64: 2000", "186.5 to 187.6 s of wall time")),
        ("firewalls-on-apu", ("10.3: 10.3-RELEASE-p2", "10 repeats a case; in which order they were taken is unknown")),
        ("main-against-stable", ("udp4: unknown; udp6: unknown", "42.49 Mpps offered, 2 static routes")),
        ("d5180-on-xeon", ("pkt-gen, its version unknown", "FreeBSD 11-head r295150, harvest.mask 351")),
    ],
)
def test_conditions_say_what_is_known_and_what_is_not(
    archives: Imported, campaign: str, lines: tuple[str, ...]
) -> None:
    said = [pair.value for pair in archives.pages[campaign].conditions]
    assert not [line for line in lines if line not in said]


def test_the_days_are_those_of_the_archive(archives: Imported) -> None:
    assert {name: page.measured for name, page in archives.pages.items()} == {
        "vimage-on-atom": "",
        "firewalls-on-apu": "2016-05-06",
        "main-against-stable": "",
        "d8526-on-atom": "",
        "d5180-on-xeon": "2016-02-04",
    }


def test_the_site_shows_them(archives: Imported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    words = [
        "--results",
        str(archives.results),
        "--earlier",
        str(archives.earlier),
        "--public",
        str(tmp_path / "public"),
    ]
    done = CliRunner().invoke(main, ["site", *words])
    assert done.exit_code == 0, done.output
    for block in reference_blocks():
        campaign, _ = list(ARCHIVES.values())[int(block["seed"])]
        page = unescape((tmp_path / "public/campaigns" / f"{campaign}.html").read_text())
        assert figures(block["text"]) in page
        assert (tmp_path / "public/campaigns" / campaign / "graph.svg").exists()
    assert len(list((tmp_path / "public/flames").glob("*.html"))) == 6
