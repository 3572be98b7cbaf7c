"""Where frames were lost: the stretches of a path add up to what the receiver did not see."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fwdlab.analyse.gates import faults_of
from fwdlab.analyse.hops import path_of
from fwdlab.records.model import Record
from fwdlab.render.model import Pair
from fwdlab.render.paths import paths
from tests.unit.analyse.records import SENT, counters, record

COUNTS = st.integers(0, 2 * SENT)


def tunnelled(received: int, into: int, out: int) -> Record:
    """A trial through a tunnel, whose reference endpoint counted so many frames before it and behind it."""
    endpoint = (("reference:e0", (("rx_packets", into),)), ("reference:e1", (("tx_packets", out),)))
    return replace(record(), counters=(*counters(received=received), *endpoint))


@given(at_dut=COUNTS, on=COUNTS, received=COUNTS, attack=COUNTS)
def test_the_stretches_add_up_to_what_is_missing(at_dut: int, on: int, received: int, attack: int) -> None:
    beside = (("attacker:generator", (("tx_packets", attack),)), ("receiver:attack", (("rx_packets", attack // 2),)))
    counted = (*counters(at_dut=at_dut, on=on, received=received), *beside)
    found = path_of(replace(record(), counters=counted))
    assert found is not None
    assert found.lost == found.sent - received - attack // 2
    assert found.sent == SENT + attack


@given(received=COUNTS, into=COUNTS, out=COUNTS)
def test_a_tunnel_has_a_stretch_before_in_and_behind_its_endpoint(received: int, into: int, out: int) -> None:
    found = path_of(tunnelled(received, into, out))
    assert found is not None
    assert [item.lost for item in found.stretches] == [0, 0, SENT - into, into - out, out - received]


def test_what_a_generator_sends_beside_the_load_is_not_lost() -> None:
    spoken = ("sender:generator", (("control_packets", 60), ("tx_packets", SENT)))
    found = replace(record(), counters=(*counters(at_dut=SENT + 60, on=SENT + 60), spoken))
    (pair,) = paths([found])
    assert pair.value == f"sender to DUT 0, in the DUT 0, to the receiver 0; 0 of {SENT + 60} sent in all, n 1"
    assert faults_of(found) == ()


def test_what_a_rule_without_a_counter_drops_is_the_duts() -> None:
    lossy = replace(record(), counters=counters(on=SENT - 500, received=SENT - 500, dropped=20))
    value = "sender to DUT 0, in the DUT 1000, to the receiver 0; 1000 of 80000 sent in all, n 2"
    wanted = Pair(label="frames lost, by hop", value=f"{value}; hops counted dut:cpu softnet_dropped 40")
    assert list(paths([lossy, lossy])) == [wanted]


def test_what_an_attack_lost_is_told_apart() -> None:
    beside = (("attacker:generator", (("tx_packets", 900),)), ("receiver:attack", (("rx_packets", 200),)))
    (pair,) = paths([replace(record(), counters=(*counters(at_dut=SENT + 900, on=SENT + 200), *beside))])
    assert pair.value.endswith(
        f"in the DUT 700, to the receiver 0; 700 of {SENT + 900} sent in all, of them 700 of 900 an attack's, n 1"
    )


def test_what_came_in_beside_the_load_is_told() -> None:
    (pair,) = paths([replace(record(), counters=counters(at_dut=SENT + 5, on=SENT, received=SENT))])
    assert pair.value == (
        "sender to DUT -5, in the DUT 5, to the receiver 0; 0 of 40000 sent in all, n 1; "
        "below 0: frames came in there that are none of the load, such as a neighbour's discovery"
    )


def test_where_no_receiver_counted_there_is_no_path() -> None:
    assert list(paths([replace(record(), counters=())])) == []
