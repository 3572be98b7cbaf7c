from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

from fwdlab.render import colours
from fwdlab.render.model import CampaignPage
from fwdlab.render.site import render_site
from tests.golden.conftest import Golden
from tests.golden.graph.test_graph_golden import all_verdicts
from tests.unit.render import examples

SOURCE = Path(__file__).parents[3] / "site"
HUGO = Path(sys.executable).parent / "hugo"


def page_with_doubts(folder: Path) -> CampaignPage:
    page = examples.page(all_verdicts(), folder)
    without = replace(page.cases[5], profile=None, profile_note="the guest panicked before a profile could be taken")
    return replace(page, cases=(*page.cases[:5], without), noise_source="A/A runs of 2025-11-20: 0.011 %")


def test_a_page_of_every_verdict_with_doubts_and_a_case_without_profile(golden: Golden, tmp_path: Path) -> None:
    page = page_with_doubts(tmp_path)
    out, source = tmp_path / "public", tmp_path / "site"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("docs"))  # documents come and go; this page stays
    known = colours.assign([page.result.campaign], {})
    render_site([page], colours=known, source=source, work=tmp_path / "work", out=out, hugo=HUGO)
    golden.check("index.html", (out / "index.html").read_text())
    (written,) = (out / "campaigns").glob("*.html")
    golden.check("campaign.html", written.read_text())
    golden.check("flame.html", min((out / "flames").glob("*.html")).read_text())
    difference = min((out / "differences").glob("*.html"))
    golden.check("difference.html", difference.read_text())
    golden.check("difference.js", difference.with_suffix(".js").read_text())
