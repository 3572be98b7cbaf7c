from __future__ import annotations

from fwdlab.render.colours import FIREWALLS, ORDER, assign
from tests.unit.render.examples import campaign

CASES: list[tuple[str, ...]] = [("qemu-x86", "debian-6.1", "forwarding", "none", "udp4-64")]


def test_a_campaign_that_gains_an_arm_moves_no_colour() -> None:
    before = assign([campaign("revision", ("a", "b"), CASES, "x")], {})
    after = assign([campaign("revision", ("a", "b", "c"), CASES, "x")], {})
    assert after.items() > before.items()


def test_an_arm_has_one_colour_in_all_campaigns() -> None:
    one, two = campaign("revision", ("a", "b"), CASES, "x"), campaign("revision", ("b", "a", "c"), CASES, "y")
    colours = assign([one, two], {})
    assert len(set(colours.values())) == 3


def test_what_is_known_keeps_its_colour_whatever_comes_first() -> None:
    known = assign([campaign("patch", ("none", "D8526"), CASES, "x")], {})
    later = assign([campaign("patch", ("D5180", "none", "D8526"), CASES, "y")], known)
    assert later.items() > known.items()
    assert len(set(later.values())) == 3


def test_a_firewall_has_the_hue_of_its_family_and_stateless_is_lighter() -> None:
    arms = ("forwarding", "pf-stateful", "pf-stateless", "ipfw-stateful", "nft-stateful", "own-rules")
    colours = assign([campaign("firewall", arms, CASES, "x")], {})
    assert colours["firewall", "pf-stateful"] == FIREWALLS["pf"]
    assert colours["firewall", "pf-stateless"] == "#73b1d5"
    assert colours["firewall", "own-rules"] in ORDER
    assert len(set(colours.values())) == len(arms)
