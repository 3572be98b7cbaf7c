from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from fwdlab.errors import FwdlabError, LabError, MatrixError, RecordError
from fwdlab.files import tree_sha256
from fwdlab.profiles.formats import fold
from fwdlab.render import colours, names
from fwdlab.render.model import CampaignPage, FailedAttempt, Fault, MinistatBlock, Pair
from fwdlab.render.site import render_site, site_files
from tests.unit.render import examples

SOURCE = Path(__file__).parents[3] / "site"
HUGO = Path(sys.executable).parent / "hugo"
HOSTILE = """<script>alert(1)</script>"'&{{ .Site }}{{< figure >}}{{% x %}}</pre><img src=x onerror=alert(2)>"""


class Links(HTMLParser):
    """Every address a page names, and every tag on it."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src", "srcset"}]


def build(pages: list[CampaignPage], folder: Path, hugo: Path = HUGO) -> Path:
    known = colours.assign([page.result.campaign for page in pages], {})
    home = render_site(pages, colours=known, source=SOURCE, work=folder / "work", out=folder / "public", hugo=hugo)
    return home.parent


def small(folder: Path) -> CampaignPage:
    folder.mkdir(exist_ok=True)
    return examples.page(examples.result(hardware=("qemu-x86",)), folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    by_firewall = examples.page(examples.result("firewall"), folder)
    return build([small(folder), replace(by_firewall, measured="2025-11-20")], folder)


def links(path: Path) -> Links:
    found = Links()
    found.feed(path.read_text())
    return found


def test_every_link_names_a_file_of_the_site(built: Path) -> None:
    for page in sorted(built.rglob("*.html")):
        for address in links(page).addresses:
            parts = urlsplit(address)
            assert not parts.scheme or parts.scheme == "https", f"{page.name}: {address}"
            if not parts.scheme and parts.path:
                assert not parts.path.startswith("/"), f"{page.name}: {address}"
                assert (page.parent / unquote(parts.path)).is_file(), f"{page.name}: {address}"


def test_nothing_is_loaded_from_another_host(built: Path) -> None:
    for path in sorted(built.rglob("*")):
        if path.suffix in {".html", ".css", ".svg"}:
            loaded = re.findall(
                r"""(?:src|srcset)=["'](https?:[^"']*)|url\((?!#|["']?data:)([^)]*)\)""", path.read_text()
            )
            assert not loaded, f"{path}: {loaded}"


def test_campaigns_stand_newest_first(built: Path) -> None:
    home = (built / "index.html").read_text()
    assert home.index("Linux 6.12 against 6.1") < home.index("What nftables costs")


def test_a_page_says_what_virtual_numbers_show_and_what_not(built: Path) -> None:
    for page in (built / "campaigns/by-revision.html", next((built / "flames").glob("*.html"))):
        text = page.read_text()
        assert "how many instructions the code path takes" in text
        assert "do not show caches, memory, locks between cores or NICs" in text


def test_a_page_has_what_the_reference_pages_have(built: Path) -> None:
    text = (built / "campaigns/by-revision.html").read_text()
    for part in (
        "QEMU x86-64, one instruction a nanosecond",
        '<td class="word verdict better">better</td>',
        "29.1533% &#43;/- 0.0167%",
        "unmeasured",
        "sender offered 1.120 Mpps of 1.490 Mpps",
        "./lab run --only qemu-x86/debian-6.1/forwarding/none/udp4-64",
        "linux-image-cloud-amd64 6.1.176-1",
        "ab" * 32,
        "boots 2 min 11 s, traffic 1 min 02 s",
    ):
        assert part in text, part


def test_tables_have_captions_and_scopes_and_pictures_have_words(built: Path) -> None:
    text = (built / "campaigns/by-revision.html").read_text()
    assert text.count("<table") == text.count("<caption>")
    assert not re.search(r"<th(?![^>]*scope)[ >]", text)
    assert re.search(r'<img [^>]*alt="[^"]*&#43;29.15 % [^"]*better', text)


def test_built_twice_it_is_the_same_bytes(tmp_path: Path) -> None:
    page = small(tmp_path)
    first = tree_sha256(build([page], tmp_path))
    assert tree_sha256(build([page], tmp_path)) == first


def test_nothing_from_names_logs_or_stacks_reaches_a_page_unescaped(tmp_path: Path) -> None:
    page = small(tmp_path)
    campaign = replace(page.result.campaign, title=HOSTILE, question=HOSTILE, conditions=(HOSTILE,))
    first = replace(
        page.cases[0],
        command=HOSTILE,
        provenance=(Pair(label=HOSTILE, value=HOSTILE),),
        failed=(FailedAttempt(attempt=HOSTILE, reason=HOSTILE),),
        profile=fold(f"swapper;{HOSTILE} 1\n", "x"),
        profile_note=HOSTILE,
    )
    result = replace(page.result, campaign=campaign)
    block = MinistatBlock(title=HOSTILE, text=HOSTILE)
    gate = replace(page.gates[0], faults=(Fault(names=(HOSTILE,), trial=HOSTILE, reason=HOSTILE),))
    cases = (first, *page.cases[1:])
    hostile = replace(page, result=result, ministat=(block,), gates=(gate,), cases=cases, noise_source=HOSTILE)
    public = build([hostile], tmp_path)
    for path in sorted(public.rglob("*.html")):
        assert "<script>alert" not in path.read_text()
        assert "onerror" not in {part for tag in links(path).tags for part in tag.split()}
        assert links(path).tags.count("img") <= 1
    script = (public / f"{names.flame_stem(first)}.js").read_text()
    assert "<" not in script
    shown = (public / "campaigns/by-revision.html").read_text()
    assert "{{ .Site }}{{&lt; figure &gt;}}{{% x %}}" in shown


def test_names_that_are_no_file_names_stay_within_the_site(tmp_path: Path) -> None:
    page = small(tmp_path)
    campaign = replace(page.result.campaign, name="../../etc/$(id)")
    files = dict(site_files([replace(page, result=replace(page.result, campaign=campaign))], colours_of(page)))
    assert all(".." not in Path(path).parts for path in files)
    assert any(re.fullmatch(r"content/campaigns/etc-id-[0-9a-f]{8}\.md", path) for path in files)


def colours_of(page: CampaignPage) -> dict[colours.Arm, str]:
    return colours.assign([page.result.campaign], {})


@pytest.mark.parametrize("path", ["../escape", "/etc/passwd", "a/../../b", ""])
def test_a_download_that_would_leave_the_site_is_refused(path: str, tmp_path: Path) -> None:
    page = small(tmp_path)
    report = page.cases[0]
    outside = replace(report.downloads[0], path=path)
    with pytest.raises(RecordError, match="is outside the site"):
        build([replace(page, cases=(replace(report, downloads=(outside,)), *page.cases[1:]))], tmp_path)


def test_a_folder_that_is_no_site_of_ours_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "public/thesis.tex").write_text("ten years")
    with pytest.raises(MatrixError, match="did not write"):
        build([small(tmp_path)], tmp_path)
    assert (tmp_path / "public/thesis.tex").read_text() == "ten years"


def test_a_site_that_cannot_be_built_leaves_the_one_before(tmp_path: Path) -> None:
    page = small(tmp_path)
    public = build([page], tmp_path)
    before = tree_sha256(public)
    with pytest.raises(LabError, match="hugo: is not there"):
        build([page], tmp_path, tmp_path / "hugo")
    with pytest.raises(FwdlabError, match="hugo ended with status 1"):
        build([page], tmp_path, Path("/bin/false"))
    assert tree_sha256(public) == before


def test_a_lost_raw_file_is_a_sentence(tmp_path: Path) -> None:
    page = small(tmp_path)
    (tmp_path / "result").unlink()
    with pytest.raises(LabError, match="result: No such file or directory"):
        build([page], tmp_path)


def test_no_campaign_is_a_site_too(tmp_path: Path) -> None:
    assert "No campaign has been measured yet" in (build([], tmp_path) / "index.html").read_text()


def test_generated_content_is_front_matter_alone(tmp_path: Path) -> None:
    page = small(tmp_path)
    content = {path: text for path, text in site_files([page], colours_of(page)) if path.endswith(".md")}
    assert content
    for text in content.values():
        assert json.loads(text)["params"]["view"]
