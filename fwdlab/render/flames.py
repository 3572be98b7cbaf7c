"""Flame graphs: a profile as the tree the browser draws, and the page around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fwdlab.profiles.folded import Profile, counted, self_weights
from fwdlab.profiles.idle import idle_reason
from fwdlab.profiles.tree import tree_of
from fwdlab.render import words
from fwdlab.render.model import CampaignPage, CaseReport, Pair
from fwdlab.render.names import LinkView, campaign_page, flame_stem
from fwdlab.render.tree_text import parsed, tree_text

_TOP = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class FlameView:
    """A flame graph's page, every text as it will stand there."""

    title: str
    case: str
    samples: str
    idle: str
    width: str  # what the width of a box means
    virtual: bool
    data: str  # the tree's file, relative to the site
    folded: str  # the folded stacks' file, relative to the site
    campaigns: tuple[LinkView, ...]  # whose pages lead here
    functions: tuple[Pair, ...]  # the heaviest by their own share
    functions_note: str
    caveats: tuple[str, ...]


def flame_view(report: CaseReport, profile: Profile, pages: Sequence[CampaignPage]) -> FlameView:
    """The page about one case's profile; `pages` are those of the campaigns the case is a member of."""
    virtual = any(page.virtual for page in pages)
    functions = heaviest(profile)
    return FlameView(
        title="Flame graph",
        case=" \N{MIDDLE DOT} ".join(report.names),
        samples=samples_text(profile),
        idle=words.percent(profile.idle_share, 1, signed=False),
        width=_width(virtual=virtual),
        virtual=virtual,
        data=f"{flame_stem(report)}.js",
        folded=f"{flame_stem(report)}.folded",
        campaigns=tuple(_link(page) for page in pages),
        functions=functions,
        functions_note=f"{len(functions)} of {len(self_weights(profile))} functions",
        caveats=tuple(filter(None, (idle_reason(profile), *profile.caveats, report.profile_note))),
    )


def samples_text(profile: Profile) -> str:
    """How many samples of what, such as `3514 samples of cpu-clock`."""
    samples = counted(profile.samples, "sample")
    return f"{samples} of {profile.event}" if profile.event else samples


def heaviest(profile: Profile) -> tuple[Pair, ...]:
    """The functions that cost most themselves, each with its share."""
    return tuple(
        Pair(label=name, value=words.percent(weight / profile.total, 1, signed=False))
        for name, weight in self_weights(profile)[:_TOP]
    )


def _link(page: CampaignPage) -> LinkView:
    campaign = page.result.campaign
    return LinkView(text=campaign.title, href=campaign_page(campaign.name), detail=page.measured)


def _width(*, virtual: bool) -> str:
    clock = " Samples are taken on guest time, so a share of samples is a share of instructions." if virtual else ""
    return (
        "A box is a function and stands on the one that called it. Its width is the share of samples in which it was "
        f"running or waiting for a function it called; order from left to right is alphabetical.{clock}"
    )


def tree_script(profile: Profile) -> str:
    """A script that hands the tree to the page; it may be read from disk, where pages cannot fetch."""
    return f"window.fwdlabFlame = {parsed(tree_json(profile))};\n"


def tree_json(profile: Profile) -> str:
    """The profile as nested boxes; `v` is the weight of a function and all it called."""
    tree = tree_of({stack.frames: stack.weight for stack in profile.stacks})
    return tree_text(tree, (f'"v":{weight}' for weight in tree.weights[0]))
