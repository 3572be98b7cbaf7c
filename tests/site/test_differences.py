"""A differential flame graph in a browser: boxes, what they say, search, zoom, widths and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from fwdlab.render.words import MINUS
from tests.site.opened import IN_A_BROWSER, opened
from tests.unit.render.examples import REVISIONS

pytestmark = IN_A_BROWSER

BASE, NEW = REVISIONS


@pytest.fixture(params=[(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")], ids=str)
def page(request: pytest.FixtureRequest, site: Path, browser: Browser) -> Iterator[Page]:
    """The first differential flame graph, drawn."""
    width, scheme = request.param
    viewport = ViewportSize(width=width, height=900)
    context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    found, wrong = opened(context, min((site / "differences").glob("*.html")))
    found.wait_for_selector("g.frame[name=pktgen_xmit]")
    yield found
    assert wrong == []
    context.close()


def said(page: Page) -> str:
    return page.get_by_role("status").text_content() or ""


def has_share(page: Page, name: str, share: float) -> None:
    """Wait until a box has that share of the graph's width."""
    page.wait_for_function(
        """([name, share]) => {
          const box = document.querySelector(`g[name='${name}'] rect`);
          return box && Math.abs(box.getBBox().width / document.querySelector("#flame").clientWidth - share) < 0.005;
        }""",
        arg=[name, share],
    )


def colour(page: Page, name: str) -> str:
    return page.locator(f"g.frame[name={name}] rect").get_attribute("fill") or ""


def shown(page: Page, name: str) -> None:
    page.locator(f"g.frame[name={name}] rect").hover()


def test_every_function_of_either_side_has_a_box_in_the_colour_of_its_change(page: Page) -> None:
    assert colour(page, "nft_fast_eval") == "#d6604d"
    assert colour(page, "nft_do_chain") == "#4393c3"
    assert colour(page, "ip_forward") == "#92c5de"
    assert colour(page, "fib_table_lookup") == "#d9d9d9"
    assert colour(page, "kmem_cache_free") == "url(#hatch-3)"
    assert page.locator("#hatch-3").count() == 1


def test_widths_are_those_of_the_side_that_is_chosen_and_nothing_vanishes(page: Page) -> None:
    packet, gone = 1e9 / 120_500.48, 1e9 / 93_300.37 * 300 / 2905
    has_share(page, "nft_do_chain", packet * 400 / 2320 / (packet + gone))
    has_share(page, "kmem_cache_free", gone / (packet + gone))
    page.get_by_label(BASE, exact=True).check()
    packet, new = 1e9 / 93_300.37, 1e9 / 120_500.48 * 110 / 2320
    has_share(page, "nft_do_chain", packet * 800 / 2905 / (packet + new))
    has_share(page, "nft_fast_eval", new / (packet + new))
    assert colour(page, "nft_fast_eval") == "url(#hatch3)"
    assert colour(page, "kmem_cache_free") == "#4393c3"


def test_a_box_says_cost_change_own_cost_samples_and_noise(page: Page) -> None:
    shown(page, "nft_do_chain")
    assert said(page) == (
        f"nft_do_chain: 2952 → 1431 ({MINUS}1521, {MINUS}51.5 %) instructions a packet; itself 2952 → 1431; "
        "800 → 400 samples"
    )
    shown(page, "kmem_cache_free")
    assert said(page).startswith(f"kmem_cache_free: 1107 → 0 ({MINUS}1107) instructions a packet; itself 1107 → 0;")
    shown(page, "ip_forward")
    assert "itself 0 → 0; 800 → 510 samples" in said(page)
    shown(page, "default_idle")
    assert said(page).endswith("200 → 190 samples; within sampling noise (95 %)")


def test_the_legend_tells_every_shade_and_what_hatching_is(page: Page) -> None:
    told = page.locator("#flame-legend li").all_text_contents()
    assert len(told) == 8
    assert told[3] == "within sampling noise (95 %)"
    assert told[-1] == f"only in {BASE} or only in {NEW}, as wide as it is there"


def test_a_search_adds_up_both_sides_once_and_marks_what_it_found(page: Page) -> None:
    page.get_by_label("Search functions").fill("NFT_")
    page.keyboard.press("Enter")
    assert said(page) == f"2952 → 1824 ({MINUS}1127, {MINUS}38.2 %) instructions a packet in NFT_"
    assert colour(page, "nft_do_chain") == colour(page, "nft_fast_eval") == "#ffe14d"
    page.get_by_label("Search functions").fill("ip_forward")
    page.keyboard.press("Enter")
    assert said(page).startswith("2952 → 1824 (")
    page.get_by_role("button", name="Clear").click()
    assert colour(page, "nft_fast_eval") == "#d6604d"


def test_a_click_zooms_in_and_the_button_comes_back(page: Page) -> None:
    packet, gone = 1e9 / 120_500.48, 1e9 / 93_300.37 * 300 / 2905
    page.locator("g.frame[name=ip_rcv] rect").click()
    has_share(page, "ip_rcv", 1.0)
    assert page.locator("g.frame[name=kmem_cache_free]").count() == 0
    page.get_by_role("button", name="Reset zoom").click()
    has_share(page, "ip_rcv", packet * 1230 / 2320 / (packet + gone))


def test_keys_lead_from_box_to_box_zoom_and_come_back(page: Page) -> None:
    page.locator("#flame").focus()
    names = []
    for key in ("Up", "Up", "Up", "Up", "Up", "Down", "Right", "Left", "Down", "Right", "Up", "Right"):
        page.keyboard.press(f"Arrow{key}")
        names.append(said(page).partition(":")[0])
    assert names == [
        *("all", "kpktgend_0", "kthread", "pktgen_xmit", "net_rx_action", "pktgen_xmit", "pktgen_xmit", "pktgen_xmit"),
        *("kthread", "kthread", "pktgen_xmit", "pktgen_xmit"),
    ]
    assert page.locator("[data-cursor]").get_attribute("name") == "pktgen_xmit"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("swapper:")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('g[name=kpktgend_0]')")
    page.keyboard.press("Escape")
    page.wait_for_selector("g.frame[name=kpktgend_0]")


def test_the_widths_are_reached_and_changed_by_keys(page: Page) -> None:
    page.get_by_role("button", name="Reset zoom").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "new"
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelector('g[name=kmem_cache_free] rect').getAttribute('fill') === '#4393c3'")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "flame"


def test_it_fits_its_window_whenever_that_changes(page: Page) -> None:
    for width in (360, 700):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
        page.wait_for_function("width => document.querySelector('#flame svg').clientWidth > width - 40", arg=width)


def test_without_javascript_the_table_says_what_moved(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    found, _ = opened(context, min((site / "differences").glob("*.html")))
    assert found.get_by_text("The graph needs JavaScript").is_visible()
    assert found.get_by_role("row", name="nft_do_chain").text_content() is not None
    assert not found.get_by_label(BASE, exact=True).is_visible()
    context.close()


def test_findings_rows_and_tables_of_a_campaign_lead_to_it(site: Path, browser: Browser) -> None:
    context = browser.new_context()
    found, wrong = opened(context, site / "campaigns/by-revision.html")
    for part in (".summary .went a", "table td a", "details p a"):
        with found.expect_navigation():
            found.locator(f"{part}[href*='differences/']").first.evaluate("link => link.click()")
        assert found.get_by_role("heading", name="Differential flame graph").is_visible()
        found.go_back()
    assert wrong == []
    context.close()
