"""What an archive says of a series, in both layouts, and what a file that is none says: nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.archive.info import parse_info
from tests.unit.archive.written import UNAME

LABELLED = f"""Image: /images/BSDRP-295150mbuf-upgrade-amd64-vga.img.xz
CFG: configs//pf-stateful
{UNAME}
Start time: February  3, 2016 at 11:30:00 PM CET
End time: February  4, 2016 at 12:15:01 AM CET
"""


def test_assignments_are_read_and_never_run() -> None:
    text = f'IMAGE="317849.a"\nCFG="pf-stateful"\nPKTGEN="$(touch x)"\nUNAME="{UNAME}"'
    found = parse_info(text, "317849.a.pf-stateful")
    assert (found.image, found.config, found.pktgen) == ("317849.a", "pf-stateful", "$(touch x)")
    assert (found.host, found.release) == ("netgate", "12.0-CURRENT")
    assert found.version.startswith("FreeBSD 12.0-CURRENT #13 r317849M: ")
    assert (found.started, found.ended) == ("", "")


def test_the_older_layout_has_paths_and_times() -> None:
    found = parse_info(LABELLED, "295150mbuf.pf-stateful")
    assert (found.image, found.config, found.release) == ("295150mbuf", "pf-stateful", "12.0-CURRENT")
    assert (found.started, found.ended) == ("2016-02-03T22:30:00Z", "2016-02-03T23:15:01Z")


@pytest.mark.parametrize(
    ("series", "image"),
    [
        ("295150mbuf.pf-stateful", "295150mbuf"),
        ("pf-stateful", "BSDRP-295150mbuf-upgrade-amd64-vga.img.xz"),
        ("other", "BSDRP-295150mbuf-upgrade-amd64-vga.img.xz"),
    ],
)
def test_an_image_that_is_a_path_goes_by_the_name_its_series_has(series: str, image: str) -> None:
    assert parse_info(LABELLED, series).image == image


@pytest.mark.parametrize("zone", ["XYZ", "", "+0100"])
def test_a_time_of_an_unknown_zone_is_unknown(zone: str) -> None:
    assert parse_info(LABELLED.replace(" CET", f" {zone}"), "x").started == ""


def test_no_image_is_none() -> None:
    assert parse_info("Image: none\nCFG: configs//forwarding\n", "forwarding").image == ""


@given(st.text(), st.text())
def test_anything_can_be_read(text: str, series: str) -> None:
    found = parse_info(text, series)
    assert all(word.isprintable() for word in (found.config, found.pktgen, found.uname, found.started, found.ended))
