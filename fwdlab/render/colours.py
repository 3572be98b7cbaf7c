"""One colour an arm, everywhere and for ever; told apart with the common kinds of colour blindness.

The hues are those of Okabe and Ito's set. A firewall has its colour by name: the family gives the hue, and rules that
keep no state are a lighter shade of it. Arms of other axes take the next free colour in the order they are first met,
and keep it: names that a caller knows already go before new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fwdlab.campaign import Campaign

FIREWALLS = {
    "forwarding": "#6e7781",
    "fastforwarding": "#a9b1ba",
    "nft": "#cc79a7",
    "iptables": "#56b4e9",
    "ipfw": "#d55e00",
    "ipf": "#009e73",
    "pf": "#0072b2",
}
ORDER = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#8b5a2b", "#6e7781")
_LIGHTER = 0.45  # how far a stateless rule set's colour is on its way to white

Arm = tuple[str, str]  # axis, value


def assign(campaigns: Iterable[Campaign], known: Mapping[Arm, str]) -> dict[Arm, str]:
    """The colour of every arm of the campaigns; those already known keep theirs."""
    colours = dict(known)
    for campaign in campaigns:
        for value in campaign.arms:
            arm = (campaign.axis, value)
            if arm not in colours:
                colours[arm] = _firewall(value) if campaign.axis == "firewall" else ""
                colours[arm] = colours[arm] or _next_free(campaign.axis, colours)
    return colours


def _firewall(name: str) -> str:
    family = name.split("-", 1)[0]
    base = FIREWALLS.get(family, "")
    return _lighter(base) if base and name.endswith("-stateless") else base


def _next_free(axis: str, colours: Mapping[Arm, str]) -> str:
    """The first colour no arm of the axis has; where all are taken they come round again, told apart by name alone."""
    named = FIREWALLS.values() if axis == "firewall" else ()
    taken = [colour for (arm_axis, _), colour in colours.items() if arm_axis == axis and colour]
    free = [colour for colour in ORDER if colour not in taken and colour not in named]
    return free[0] if free else ORDER[len(taken) % len(ORDER)]


def _lighter(colour: str) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _LIGHTER):02x}" for part in parts)
