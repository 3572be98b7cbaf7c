"""Where a page, a flame graph and a raw file stand in the built site: names made from fields, never taken apart."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from fwdlab.analyse.result import Comparison
from fwdlab.errors import RecordError
from fwdlab.render.model import CaseReport, Download

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*", re.ASCII)
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkView:
    """A link with its text; `detail` stands beside it."""

    text: str
    href: str  # relative to the site
    detail: str


def file_stem(text: str) -> str:
    """The text where it can name a file and stand in a link as it is; else made so, and told apart by its hash."""
    if _SAFE.fullmatch(text):
        return text
    return f"{_UNSAFE.sub('-', text).strip('-.')}-{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:8]}"


def campaign_page(name: str) -> str:
    """The campaign's page, relative to the site."""
    return f"campaigns/{file_stem(name)}.html"


def campaign_folder(name: str) -> str:
    """The folder of the files that only this campaign's page shows."""
    return f"campaigns/{file_stem(name)}"


def flame_stem(report: CaseReport) -> str:
    """A case's flame graph, relative to the site, without suffix."""
    return f"flames/{file_stem('-'.join((*report.names, report.key)))}"


def difference_stem(campaign: str, comparison: Comparison) -> str:
    """A comparison's differential flame graph, relative to the site, without suffix."""
    sides = (comparison.base_arm, comparison.base.key, "to", comparison.new_arm, comparison.new.key)
    return f"differences/{file_stem('-'.join((campaign, *comparison.names, *sides)))}"


def download_path(download: Download) -> str:
    """A raw file, relative to the site; RecordError where the path would leave the site's folder of files."""
    path = PurePosixPath(download.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise RecordError(f"{download.source}: its place '{download.path}' is outside the site; name a place within")
    return str(PurePosixPath("files") / path)


def file_name(download: Download) -> str:
    """What a page calls a raw file; one of a trial of several has the repeat that it belongs to."""
    parts = PurePosixPath(download.path).parts
    return "/".join(parts[-3:] if len(parts) > 2 and parts[-2].startswith("trial-") else parts[-2:])
