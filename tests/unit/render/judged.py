"""Campaigns as analysis judges them, with every verdict among them, and with names nobody should trust."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

from hypothesis import strategies as st

from fwdlab.analyse.campaign import campaign_result
from fwdlab.analyse.result import CampaignResult, Comparison, Sample, Verdict
from fwdlab.analyse.rules import usual_rules
from fwdlab.render.model import CampaignPage
from tests.unit.render import examples

CENTRES = {"none": 1.0, "faster": 1.04, "slower": 0.98, "same": 1.0003, "unclear": 1.012, "broken": 1.0}
WIDE = (-0.04, -0.01, 0.0, 0.02, 0.05)
PANIC = "repeat-1: guest panicked: <IRQ> [[ATTACHMENT|/etc/passwd]] | `x`"
HOSTILE = (
    "a|b",
    "<img src=x onerror=alert(1)>",
    "`$(reboot)`",
    "\x1b[31m\u202e",
    "[x](javascript:1)",
    "a\n/close\n@all",
)
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.sampled_from("ab1 |<>&\\`*_[](){}#+-.!~$@:^\"'=/\n\r\t\x00\x1b\u2028\u202e\ufffe\ud800é"), max_size=12),
    st.text(max_size=12),
)


def judged(verdicts: tuple[str, ...] = tuple(CENTRES)) -> CampaignResult:
    """What five patches cost: better, worse, same, unproven, invalid."""
    cases: list[tuple[str, ...]] = [("qemu-x86", "debian-6.12", "forwarding", arm, "udp4-64") for arm in verdicts]
    asked = examples.campaign("patch", verdicts, cases, "five-patches")
    members = tuple(replace(member, key=f"{place:012x}") for place, member in enumerate(asked.members))
    asked = replace(asked, title="What five patches cost", members=members)
    samples = {member.key: _sample(member.names, member.key) for member in members}
    return campaign_result(asked, samples, {"qemu-x86": 0.0001}, usual_rules(0.002))


def _sample(names: tuple[str, ...], key: str) -> Sample:
    arm = names[3]
    found = examples.sample(names, 120.5e3 * CENTRES[arm], WIDE if arm == "unclear" else examples.SPREAD)
    if arm == "broken":
        return replace(found, key=key, values=found.values[:2], invalid=(PANIC,) * 3)
    return replace(found, key=key)


def page(folder: Path) -> CampaignPage:
    """The page of `judged`."""
    made = examples.page(judged(), folder)
    cases = tuple(
        replace(report, key=member.key) for report, member in zip(made.cases, made.result.campaign.members, strict=True)
    )
    return replace(made, cases=cases, noise_source="qemu-x86: 3 A/A pairs of 5 repeats an arm, 2025-11-20")


def renamed(found: CampaignPage, texts: list[str]) -> CampaignPage:
    """The page with these texts, in turns, wherever a text can stand that somebody wrote or a machine said."""
    turn = cycle(texts)
    result = found.result
    campaign = replace(
        result.campaign, name=next(turn), title=next(turn), arms=tuple(next(turn) for _ in result.campaign.arms)
    )
    comparisons = tuple(
        replace(
            item,
            names=tuple(next(turn) for _ in item.names),
            base_arm=next(turn),
            new_arm=next(turn),
            base=replace(item.base, invalid=(next(turn),)),
            caveats=(next(turn), *item.caveats, next(turn)),
            test=next(turn),
        )
        for item in result.comparisons
    )
    cases = tuple(replace(report, command=next(turn)) for report in found.cases)
    attributions = tuple(
        replace(said, comparison=changed)
        for said in found.attributions
        for before, changed in zip(result.comparisons, comparisons, strict=True)
        if said.comparison is before
    )
    changed = replace(result, campaign=campaign, comparisons=comparisons, correction=next(turn))
    return replace(
        found,
        result=changed,
        command=next(turn),
        noise_source=next(turn),
        cases=cases,
        attributions=attributions,
    )


def repeated(found: CampaignPage, verdicts: list[Verdict]) -> CampaignPage:
    """The page with one comparison for each of these verdicts."""
    by_verdict: dict[Verdict, Comparison] = {item.verdict: item for item in found.result.comparisons}
    comparisons = tuple(replace(by_verdict[verdict], new_arm=f"arm-{n}") for n, verdict in enumerate(verdicts))
    return replace(found, result=replace(found.result, comparisons=comparisons))
