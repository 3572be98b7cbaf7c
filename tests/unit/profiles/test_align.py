"""Which stacks of two kernels are held against each other."""

from __future__ import annotations

import pytest
from hypothesis import given

from fwdlab.profiles.align import aligned
from fwdlab.profiles.folded import Profile
from tests.unit.profiles.stacks import profile, profiles

OLD = """\
kpktgend_0;ret_from_fork;kthread;pktgen_xmit 10
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;__do_softirq;net_rx_action;ip_rcv;ip_forward 80
kpktgend_0;ret_from_fork;kthread;pktgen_xmit;__do_softirq 4
"""


def joined(stacks: dict[tuple[str, ...], int]) -> dict[str, int]:
    return {";".join(frames): weight for frames, weight in stacks.items()}


def both(base: str, new: str) -> tuple[dict[str, int], dict[str, int]]:
    found = aligned(profile(base), profile(new))
    return joined(dict(found.base)), joined(dict(found.new))


def test_a_renamed_function_does_not_part_what_stands_on_it_and_keeps_its_own_cost() -> None:
    base, new = both(OLD, OLD.replace("__do_softirq", "handle_softirqs"))
    below = "kpktgend_0;ret_from_fork;kthread;pktgen_xmit"
    assert base == {below: 10, f"{below};net_rx_action;ip_rcv;ip_forward": 80, f"{below};__do_softirq": 4}
    assert new == {below: 10, f"{below};net_rx_action;ip_rcv;ip_forward": 80, f"{below};handle_softirqs": 4}


def test_a_function_put_between_near_the_root_is_taken_out_and_named() -> None:
    found = aligned(profile(OLD), profile(OLD.replace("ret_from_fork", "ret_from_fork_asm;ret_from_fork")))
    assert found.base == found.new
    assert (found.base_passing, found.new_passing) == ((), ("ret_from_fork_asm",))


def test_those_taken_out_are_named_by_weight() -> None:
    new = OLD.replace("ret_from_fork", "start").replace("net_rx_action", "poll").replace("__do_softirq", "softirqs")
    assert aligned(profile(OLD), profile(new)).new_passing == ("start", "softirqs", "poll")


def test_a_firewall_that_only_one_side_has_keeps_its_stacks() -> None:
    above = "ip_rcv;ip_forward;nf_hook_slow;nft_do_chain"
    base, new = both(
        "ip_rcv;ip_forward 50\nip_rcv;memcpy 5\n", f"ip_rcv;ip_forward 50\n{above} 30\n{above};memcpy 20\n"
    )
    assert base == {"ip_rcv;ip_forward": 50, "ip_rcv;memcpy": 5}
    assert new == {"ip_rcv;ip_forward": 50, above: 30, f"{above};memcpy": 20}


def test_half_of_a_functions_weight_is_not_most_of_it() -> None:
    base, new = both("a;b 1\n", "a;x;b 5\na;x;y 5\n")
    assert new == {"a;x;b": 5, "a;x;y": 5}
    base, new = both("a;b 1\n", "a;x;b 6\na;x;y 5\n")
    assert new == {"a;b": 6, "a;y": 5}
    assert base == {"a;b": 1}


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        ("ip_rcv_core.isra.0", "ip_rcv_core"),
        ("__netif_receive_skb_core.constprop.0", "__netif_receive_skb_core"),
        ("fn.constprop.0.isra.0.cold", "fn"),
        ("fn.llvm.1234567", "fn"),
        ("kmalloc_noprof", "kmalloc"),
        ("kmalloc_noprof.isra.0", "kmalloc"),
        ("fn.part.0_[i]", "fn_[i]"),
        ("kmalloc_noprofit", "kmalloc_noprofit"),
        ("module.part", "module"),
        ("java.util.Map", "java.util.Map"),
        (".part.0", ".part.0"),
        ("_noprof", "_noprof"),
        ("a.particle", "a.particle"),
    ],
)
def test_what_a_compiler_appends_is_no_part_of_a_name(frame: str, name: str) -> None:
    assert both(f"main;{frame} 1\n", f"main;{frame} 1\n")[0] == {f"main;{name}": 1}


def test_a_part_that_its_own_function_called_is_one_with_it_and_recursion_stays() -> None:
    assert both("f;f.part.0;g 1\n", "f;f;g 1\n") == ({"f;g": 1}, {"f;f;g": 1})


def test_clones_of_one_function_add_up() -> None:
    assert both("f.constprop.0 1\nf.constprop.1 2\nf 4\n", "f 1\n")[0] == {"f": 7}


@given(profiles(), profiles())
def test_no_weight_is_lost_or_made(base: Profile, new: Profile) -> None:
    found = aligned(base, new)
    assert sum(found.base.values()) == base.total
    assert sum(found.new.values()) == new.total


@given(profiles(), profiles())
def test_the_sides_are_treated_alike(base: Profile, new: Profile) -> None:
    one, other = aligned(base, new), aligned(new, base)
    assert (one.base, one.new, one.base_passing) == (other.new, other.base, other.new_passing)


@given(profiles())
def test_a_profile_and_itself_have_every_stack_in_common(same: Profile) -> None:
    found = aligned(same, same)
    assert found.base == found.new
    assert found.base_passing == ()
