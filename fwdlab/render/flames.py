"""Flame graphs: a profile as the tree the browser draws, and the page around it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from fwdlab.profiles.folded import Profile, Stack, self_weights
from fwdlab.render import words
from fwdlab.render.model import CampaignPage, CaseReport, Pair
from fwdlab.render.names import LinkView, campaign_page, flame_stem

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
        caveats=tuple(filter(None, (*profile.caveats, report.profile_note))),
    )


def samples_text(profile: Profile) -> str:
    """How many samples of what, such as `3514 samples of cpu-clock`."""
    return f"{profile.samples} samples of {profile.event}" if profile.event else f"{profile.samples} samples"


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
    return f"window.fwdlabFlame = {tree_json(profile)};\n"


def tree_json(profile: Profile) -> str:
    """The profile as nested nodes: `c` the callees, `n` the function, `v` the weight with all its callees.

    Written without recursion, since stacks may be deeper than Python's. ASCII only, and no `<`: it may stand in HTML.
    """
    return "".join(_nodes(profile)).replace("<", "\\u003c")


def _nodes(profile: Profile) -> Iterator[str]:
    path: list[str] = []  # open frames
    weights = [0]  # of the root and of each open frame
    comma = ""
    yield '{"c":['
    for stack in _sorted(profile.stacks):
        frames = stack.frames
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, frames, strict=False)))
        while len(path) > shared:
            yield _close(path, weights)
            comma = ","
        for frame in frames[shared:]:
            yield f'{comma}{{"c":['
            comma = ""
            path.append(frame)
            weights.append(0)
        weights[-1] += stack.weight
    while path:
        yield _close(path, weights)
    yield f'],"n":"all","v":{weights[0]}}}'


def _sorted(stacks: tuple[Stack, ...]) -> list[Stack]:
    """By frames, so that equal beginnings stand together; `;` in the text does not sort below every character."""
    return sorted(stacks, key=lambda stack: stack.frames)


def _close(path: list[str], weights: list[int]) -> str:
    weight = weights.pop()
    weights[-1] += weight
    return f'],"n":{json.dumps(path.pop())},"v":{weight}}}'
