"""Plausible campaigns for tests: the figures of the virtual lab, five boots a case, a spread of 0.01 %."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean

from fwdlab.analyse.result import CampaignResult, Comparison, Sample, Verdict
from fwdlab.campaign import Campaign, Member
from fwdlab.case import AXES
from fwdlab.profiles.diff import Unit, difference
from fwdlab.profiles.folded import Profile
from fwdlab.profiles.formats import fold
from fwdlab.records.model import Record
from fwdlab.render.attribution import packet_costs
from fwdlab.render.model import (
    Attribution,
    CampaignPage,
    CaseReport,
    Download,
    FailedAttempt,
    MinistatBlock,
    Pair,
    Spent,
)
from fwdlab.render.validity import gate_reports
from tests.unit.analyse.records import record, with_slice, with_trial

SPREAD = (-1.2e-4, -0.4e-4, 0.0, 0.5e-4, 1.1e-4)
RATES = {  # kpps on qemu-x86, IPv4: 6.1 and 6.12
    "forwarding": (93.3, 120.5),
    "nft-stateless": (87.4, 115.1),
    "nft-stateful": (79.7, 100.9),
}
PROVEN = {Verdict.BETTER, Verdict.WORSE}
REVISIONS = ("debian-6.1", "debian-6.12")
MEMBER_KEY = "0123456789ab"
FOLDED = """\
kpktgend_0;ret_from_fork;kthread;pktgen_xmit 9
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_forward;nf_hook_slow;nft_do_chain 8
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_route_input_slow;fib_table_lookup 7
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;kfree_skbmem;kmem_cache_free 3
swapper;do_idle;default_idle 2
"""
# One case before and after a change: a function renamed, one faster, one gone, one new; enough samples to prove it.
BEFORE = """\
kpktgend_0;ret_from_fork;kthread;pktgen_xmit 905
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_forward;nf_hook_slow;nft_do_chain 800
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_route_input_slow;fib_table_lookup.isra.0 700
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;net_rx_action;kfree_skbmem;kmem_cache_free 300
swapper;do_idle;default_idle 200
"""
AFTER = """\
kpktgend_0;ret_from_fork_asm;kthread;pktgen_xmit 900
kpktgend_0;ret_from_fork_asm;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_forward;nf_hook_slow;nft_do_chain 400
kpktgend_0;ret_from_fork_asm;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_forward;nf_hook_slow;nft_fast_eval 110
kpktgend_0;ret_from_fork_asm;kthread;pktgen_xmit;net_rx_action;ip_rcv;ip_route_input_slow;fib_table_lookup 720
swapper;do_idle;default_idle 190
"""


def sample(names: tuple[str, ...], centre: float, spread: tuple[float, ...] = SPREAD) -> Sample:
    values = tuple(round(centre * (1 + part), 1) for part in spread)
    return Sample(names=names, key=MEMBER_KEY, metric="forwarded", values=values, invalid=())


def comparison(base: Sample, new: Sample, axis: str, *, verdict: Verdict | None = None) -> Comparison:
    at = AXES.index(axis)
    delta = fmean(new.values) / fmean(base.values) - 1
    found = verdict or (Verdict.BETTER if delta > 0.002 else Verdict.WORSE if delta < -0.002 else Verdict.SAME)
    return Comparison(
        names=base.names[:at] + base.names[at + 1 :],
        base_arm=base.names[at],
        new_arm=new.names[at],
        base=base,
        new=new,
        verdict=found,
        delta=delta,
        low=delta - 2.1e-4,
        high=delta + 2.1e-4,
        confidence=0.95,
        p_value=0.21 if found is Verdict.UNPROVEN else 1e-7,
        test="Welch's t",
        mde=2.8e-4,
        threshold=0.002,
        noise_floor=None,
        caveats=("5 repeats resolve 2.8 %; 15 repeats would resolve 1.5 %",) if found is Verdict.UNPROVEN else (),
    )


def campaign(axis: str, arms: tuple[str, ...], cases: list[tuple[str, ...]], name: str) -> Campaign:
    return Campaign(
        name=name,
        title={"revision": "Linux 6.12 against 6.1", "firewall": "What nftables costs"}.get(axis, name),
        question="What did two years of kernel work change in what it costs to forward a packet?",
        conditions=("2000 flows of smallest UDP packets", "2 static routes"),
        axis=axis,
        arms=arms,
        members=tuple(Member(names=names, key=MEMBER_KEY) for names in cases),
        repeats=5,
        threshold=0.002,
    )


def rate(names: tuple[str, ...]) -> float:
    """Virtual pps of a case, near what the lab gives."""
    hardware, revision, firewall, _, traffic = names
    kpps = RATES[firewall][REVISIONS.index(revision)]
    return kpps * 1e3 * (1.12 if "arm" in hardware else 1.0) * (0.93 if "6-" in traffic else 1.0)


def result(axis: str = "revision", hardware: tuple[str, ...] = ("qemu-x86", "qemu-arm64")) -> CampaignResult:
    """The shipped matrix: two instruction sets, two kernels, three rule sets, two address families."""
    cases: list[tuple[str, ...]] = list(product(hardware, REVISIONS, RATES, ("none",), ("udp4-64", "udp6-64")))
    arms = REVISIONS if axis == "revision" else tuple(RATES)
    samples = {names: sample(names, rate(names)) for names in cases}
    at = AXES.index(axis)
    pairs = [
        (samples[(*names[:at], arms[0], *names[at + 1 :])], samples[names]) for names in cases if names[at] != arms[0]
    ]
    return CampaignResult(
        campaign=campaign(axis, arms, cases, f"by-{axis}"),
        samples=tuple(samples.values()),
        comparisons=tuple(comparison(base, new, axis) for base, new in pairs),
        correction="Holm",
    )


def profile() -> Profile:
    return fold(FOLDED, "example")


def case_report(names: tuple[str, ...], folder: Path) -> CaseReport:
    raw = folder / "result"
    raw.write_text("forwarded_pps\t93301.2\n")
    return CaseReport(
        names=names,
        key=MEMBER_KEY,
        provenance=(Pair(label="kernel", value="linux-image-cloud-amd64 6.1.176-1"), Pair(label="seed", value="1")),
        command="./lab run --only " + "/".join(names),
        downloads=(
            Download(source=raw, path="/".join((*names, MEMBER_KEY, "repeat-1/result")), size=22, sha256="ab" * 32),
        ),
        failed=(),
        profile=profile(),
        profile_note="",
    )


def records(found: CampaignResult) -> list[Record]:
    """A trial for each value of the samples, and one of the first case that the sender spoilt."""
    valid = [
        record(value, repeat, item.names, item.key)
        for item in found.samples
        for repeat, value in enumerate(item.values, 1)
    ]
    first = found.samples[0]
    spoilt = with_slice(record(repeat=len(first.values) + 1, names=first.names, key=first.key), errors=3)
    return [*valid, with_trial(spoilt, intended_pps=1.49e6, offered_pps=1.12e6)]


def page(found: CampaignResult, folder: Path) -> CampaignPage:
    """A page about `found` whose raw files lie in `folder`."""
    reports = [case_report(item.names, folder) for item in found.samples]
    panic = "qemu-x86: the guest stopped with 'Kernel panic - not syncing'; read console.log"
    reports[0] = replace(reports[0], failed=(FailedAttempt(attempt="repeat-2.1", reason=panic),))
    return CampaignPage(
        result=found,
        measured="2025-11-21",
        virtual=True,
        conditions=(
            Pair(label="hardware", value="QEMU x86-64, one instruction a nanosecond"),
            Pair(label="traffic", value="64-octet UDP frames, 2000 flows, as fast as the sender can"),
            Pair(label="routes", value="2 static"),
        ),
        noise_source="",
        ministat=(MinistatBlock(title="forwarding", text=MINISTAT),),
        command="./lab run",
        gates=gate_reports(records(found), found, reports),
        cases=tuple(reports),
        attributions=tuple(_attribution(item) for item in found.comparisons if item.verdict in PROVEN),
        spent=(Spent(label="boots", seconds=131.0), Spent(label="traffic", seconds=62.4)),
    )


def _attribution(item: Comparison) -> Attribution:
    before, after = (replace(fold(text, "x"), event="cpu-clock") for text in (BEFORE, AFTER))
    return Attribution(
        comparison=item, difference=difference(before, after, packet_costs(item, {Unit.INSTRUCTIONS})), note=""
    )


MINISTAT = """\
x debian-6.1
+ debian-6.12
+--------------------------------------------------------------------------+
|x                                                                        +|
|x                                                                        +|
|x                                                                        +|
|A|                                                                      |A|
+--------------------------------------------------------------------------+
    N           Min           Max        Median           Avg        Stddev
x   5       93288.8       93310.3         93300         93300     8.1
+   5        120485        120513        120500        120500     10.4
Difference at 95.0% confidence
\t27200 +/- 13.6
\t29.1533% +/- 0.0167%
\t(Student's t, pooled s = 9.3)
"""
