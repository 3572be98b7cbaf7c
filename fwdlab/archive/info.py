"""What an archive says of a series, in either of two layouts; neither is given to a shell.

IMAGE="317849"                                  Image: /images/BSDRP-295150-upgrade-amd64-vga.img.xz
CFG="pf-stateful"                               CFG: configs//pf-stateful
PKTGEN=""                                       FreeBSD R1 11.0-CURRENT FreeBSD 11.0-CURRENT #0 r295150: ...
UNAME="FreeBSD host 12.0-CURRENT FreeBSD ..."   Start time: February  3, 2016 at 09:51:21 PM CET
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

from fwdlab.archive.model import Info

_ASSIGNED = re.compile(r'(?P<key>[A-Z]+)="(?P<value>[^"]*)"?')
_LABELLED = re.compile(r"(?P<key>[A-Z][A-Za-z ]*): +(?P<value>.*)")
_UNAME = re.compile(r"\w+BSD .*|Linux .*")
_NO_IMAGE = "none"
_EAST_OF_UTC = {"UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2}  # hours; of other zones nothing is known
_STAMP = "%B %d, %Y at %I:%M:%S %p"


def parse_info(text: str, series: str) -> Info:
    """What the `.info` of a series says; of an image that is a path, the name that the series was given for it."""
    found: dict[str, str] = {}
    for line in "".join(char if char.isprintable() or char == "\n" else " " for char in text).split("\n"):
        if pair := _ASSIGNED.fullmatch(line.strip()) or _LABELLED.fullmatch(line.strip()):
            found.setdefault(pair["key"].upper(), pair["value"].strip())
        elif _UNAME.fullmatch(line.strip()):
            found.setdefault("UNAME", line.strip())
    config = PurePosixPath(found.get("CFG", "")).name
    return Info(
        image=_image(found.get("IMAGE", ""), config, series),
        config=config,
        pktgen=found.get("PKTGEN", ""),
        uname=found.get("UNAME", ""),
        started=_moment(found, "START TIME"),
        ended=_moment(found, "END TIME"),
    )


def _image(said: str, config: str, series: str) -> str:
    """The image's name; the names of series were made of image and configuration, with a dot between."""
    if "/" not in said:
        return "" if said == _NO_IMAGE else said
    image = series.removesuffix(f".{config}")
    return image if image != series else PurePosixPath(said).name


def _moment(found: Mapping[str, str], key: str) -> str:
    """A moment in UTC; empty where it is none, or of a zone that is not known."""
    stamp, _, zone = " ".join(found.get(key, "").split()).rpartition(" ")
    try:
        local = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC) - timedelta(hours=_EAST_OF_UTC[zone])
    except (ValueError, KeyError, OverflowError):
        return ""
    return local.strftime("%Y-%m-%dT%H:%M:%SZ")
