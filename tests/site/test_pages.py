"""The built site in a browser, opened from disk: on a phone and a desk, light and dark, with JavaScript and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site.opened import HOSTILE, IN_A_BROWSER, opened

PAGES = (
    *("index.html", "campaigns/by-revision.html", "flames", "differences"),
    *("docs/glossary.html", "docs/decisions/index.html"),
)

pytestmark = IN_A_BROWSER


def flame_of(site: Path) -> Path:
    return next(path for path in sorted((site / "flames").glob("*.html")) if "6.1-forwarding" in path.name)


def page_file(site: Path, name: str) -> Path:
    """The first page of a folder of pages, or the file of that name."""
    if name == "flames":
        return flame_of(site)
    return min((site / name).glob("*.html")) if (site / name).is_dir() else site / name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_it_fits_its_window_and_asks_nobody(site: Path, browser: Browser, name: str, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page, wrong = opened(context, page_file(site, name))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    assert wrong == []
    context.close()


@pytest.mark.parametrize(("width", "drawn"), [(360, "graph-narrow.svg"), (1280, "graph.svg")])
def test_a_phone_gets_the_narrow_graph(site: Path, browser: Browser, width: int, drawn: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="light")
    page, _ = opened(context, site / "campaigns/by-revision.html")
    assert page.evaluate("document.querySelector('figure img').currentSrc.split('/').pop()") == drawn
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_text_stands_out_from_its_ground(site: Path, browser: Browser, name: str, scheme: str) -> None:
    """WCAG 2 level AA: 4.5 to 1 for text."""
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page, _ = opened(context, page_file(site, name))
    assert page.evaluate(FAINT_TEXT) == []
    context.close()


def test_without_javascript_everything_but_the_flame_graph_is_there(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page, _ = opened(context, flame_of(site))
    assert page.get_by_text("The graph needs JavaScript").is_visible()
    assert page.get_by_role("row", name="pktgen_xmit").is_visible()
    assert not page.get_by_label("Search functions").is_visible()
    context.close()


def test_a_flame_graph_zooms_searches_and_comes_back(site: Path, browser: Browser) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page, wrong = opened(context, flame_of(site))
    drawn = "share => Math.abs(document.querySelector('g[name=ip_rcv] rect').getBBox().width / all() - share) < 0.01"
    page.evaluate("window.all = () => document.querySelector('#flame').clientWidth")
    page.wait_for_function(drawn, arg=0.5)
    page.locator("g.frame[name=ip_rcv] rect").click()
    page.wait_for_function(drawn, arg=1)
    page.get_by_role("button", name="Reset zoom").click()
    page.wait_for_function(drawn, arg=0.5)
    page.get_by_label("Search functions").fill("NFT_DO")
    page.keyboard.press("Enter")
    assert page.get_by_role("status").text_content() == "26.67 % of all samples in NFT_DO"
    assert page.locator("g[name=nft_do_chain] rect").get_attribute("fill") == "#d6249f"
    page.get_by_role("button", name="Clear").click()
    assert page.locator("g[name=nft_do_chain] rect").get_attribute("fill") != "#d6249f"
    assert wrong == []
    context.close()


@pytest.mark.parametrize("term", ["(", "[", "*", "\\", "no such function"])
def test_a_search_that_fits_nothing_says_so(site: Path, browser: Browser, term: str) -> None:
    context = browser.new_context()
    page, wrong = opened(context, flame_of(site))
    page.get_by_label("Search functions").fill(term)
    page.keyboard.press("Enter")
    assert page.get_by_role("status").text_content() == "no function fits"
    assert wrong == []
    context.close()


def test_a_frame_named_like_markup_is_shown_as_text(site: Path, browser: Browser) -> None:
    context = browser.new_context()
    page, wrong = opened(context, flame_of(site))
    assert "Flame graph" in page.title()
    assert page.locator("#flame img, table img").count() == 0
    assert page.get_by_role("row", name=HOSTILE).is_visible()
    assert wrong == []
    context.close()


def test_the_keyboard_reaches_content_tables_and_search(site: Path, browser: Browser) -> None:
    context = browser.new_context()
    page, _ = opened(context, flame_of(site))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    seen = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label')"))
    assert {"flame-search", "flame-reset", "Heaviest functions"} <= seen
    context.close()


FAINT_TEXT = """() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parts(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const own = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  return [...document.querySelectorAll("body *:not(script)")]
    .filter((node) => own(node) && !node.closest("svg") && node.offsetParent)
    .map((node) => {
      const pair = [light(parts(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
      return [(pair[0] + 0.05) / (pair[1] + 0.05), node.className + ": " + node.textContent.trim().slice(0, 40)];
    })
    .filter(([contrast]) => contrast < 4.5);
}"""
