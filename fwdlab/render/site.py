"""Write the site: pages and figures for Hugo, what Hugo makes of them, raw files beside it, all in place at once."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fwdlab.errors import FwdlabError, LabError, MatrixError
from fwdlab.render import names
from fwdlab.render.colours import Arm
from fwdlab.render.differences import difference_view, drawn, tree_data
from fwdlab.render.drawn import NOT_KEPT, Drawings
from fwdlab.render.figures import figure_files
from fwdlab.render.flames import flame_view, tree_script
from fwdlab.render.model import CampaignPage, CaseReport, Download
from fwdlab.render.panels import layout_of
from fwdlab.render.views import campaign_view, card_view

_MARK = ".fwdlab-site"  # stands in every folder this module may replace


def render_site(
    pages: Sequence[CampaignPage], *, colours: Mapping[Arm, str], source: Path, work: Path, out: Path, hugo: Path
) -> Path:
    """Build the site of these campaigns from the layouts in `source` and put it at `out`; gives back its home page.

    `work` is emptied first and keeps what Hugo was given. What stood at `out` stays until the new site is whole.
    Figures are kept beside `work`, and not drawn again while they are the same.
    """
    drawings = Drawings(folder=work.with_name("drawn"), wanted=set())
    for folder in (work, out):
        refuse_foreign(folder)
    try:
        _empty(work)
        shutil.copytree(source, work, dirs_exist_ok=True)
        for path, content in site_files(pages, colours, drawings):
            _write(work / path, content)
        built = out.with_name(f".{out.name}.new")
        _empty(built)
        _run_hugo(hugo, work, built)
        _copy_downloads(pages, built)
        _swap(built, out)
        drawings.forget_others()
    except OSError as error:
        where = error.filename or out
        raise LabError(f"{where}: {error.strerror}; free space or name another folder, then build again") from error
    return out / "index.html"


def site_files(
    pages: Sequence[CampaignPage], colours: Mapping[Arm, str], drawings: Drawings = NOT_KEPT
) -> Iterator[tuple[str, bytes]]:
    """Everything generated that Hugo lays out or carries, with its place in the work folder."""
    newest_first = sorted(pages, key=lambda page: page.result.campaign.title)
    newest_first.sort(key=lambda page: page.measured, reverse=True)
    yield "data/campaigns.json", _json([asdict(card_view(page)) for page in newest_first])
    for place, page in enumerate(newest_first):
        yield from _campaign_files(page, place, colours, drawings)
        yield from _difference_files(page)
    for report, members in _profiled(newest_first).values():
        yield from _flame_files(report, members)


def _campaign_files(
    page: CampaignPage, place: int, colours: Mapping[Arm, str], drawings: Drawings
) -> Iterator[tuple[str, bytes]]:
    campaign, layout = page.result.campaign, layout_of(page.result)
    view = asdict(campaign_view(page, layout))
    yield (
        f"content/campaigns/{names.file_stem(campaign.name)}.md",
        _content(campaign.title, names.campaign_page(campaign.name), view, weight=place + 1),
    )
    for name, content in figure_files(page, layout, colours, drawings).items():
        yield f"static/{names.campaign_folder(campaign.name)}/{name}", content


def _difference_files(page: CampaignPage) -> Iterator[tuple[str, bytes]]:
    for item, difference in drawn(page):
        stem = names.difference_stem(page.result.campaign.name, item)
        view = difference_view(page, item, difference)
        yield f"content/{stem}.md", _content(f"{view.title}: {view.subject}", f"{stem}.html", asdict(view), weight=1)
        yield f"static/{stem}.js", tree_data(item, difference).encode()


def _flame_files(report: CaseReport, pages: Sequence[CampaignPage]) -> Iterator[tuple[str, bytes]]:
    stem = names.flame_stem(report)
    if report.profile is not None:
        view = flame_view(report, report.profile, pages)
        yield f"content/{stem}.md", _content(f"{view.title}: {view.case}", f"{stem}.html", asdict(view), weight=1)
        yield f"static/{stem}.js", tree_script(report.profile).encode()
        yield f"static/{stem}.folded", report.profile.text.encode()


def _profiled(pages: Sequence[CampaignPage]) -> dict[str, tuple[CaseReport, list[CampaignPage]]]:
    """Cases with a profile, each once, with the campaigns they are members of."""
    found: dict[str, tuple[CaseReport, list[CampaignPage]]] = {}
    for page in pages:
        for report in page.cases:
            if report.profile is not None:
                found.setdefault(names.flame_stem(report), (report, []))[1].append(page)
    return found


def _content(title: str, url: str, view: Mapping[str, Any], *, weight: int) -> bytes:
    """A content file without a body: front matter in JSON, which no shortcode or template reads."""
    return _json({"title": title, "url": f"/{url}", "weight": weight, "params": {"view": view}})


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def _run_hugo(hugo: Path, work: Path, out: Path) -> None:
    places = {"--source": work, "--destination": out.absolute(), "--cacheDir": (work / ".cache").absolute()}
    options = [str(word) for option in places.items() for word in option]
    try:
        done = subprocess.run([hugo, "build", *options, "--noBuildLock", "--quiet"], capture_output=True, check=False)
    except FileNotFoundError as error:
        raise LabError(f"{hugo}: is not there; './lab check' sets up what is missing") from error
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace").strip()
        raise FwdlabError(f"{work}: hugo ended with status {done.returncode}: {said}; the layouts do not fit the data")


def _copy_downloads(pages: Sequence[CampaignPage], out: Path) -> None:
    for path, download in _downloads(pages).items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(download.source, target)


def _downloads(pages: Sequence[CampaignPage]) -> dict[str, Download]:
    return {names.download_path(item): item for page in pages for report in page.cases for item in report.downloads}


def refuse_foreign(folder: Path) -> None:
    """MatrixError where the folder holds anything but a site of ours: folders are replaced as a whole."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise MatrixError(f"{folder}: holds files that 'fwdlab site' did not write; name a new or an empty folder")


def _empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _swap(built: Path, out: Path) -> None:
    old = out.with_name(f".{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    built.rename(out)
    shutil.rmtree(old, ignore_errors=True)
