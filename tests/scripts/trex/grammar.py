"""What TRex's server takes: each call with the names and kinds of its words, and what a stream is made of."""

from __future__ import annotations

import base64
import binascii

Json = dict[str, object]

_OWNED: dict[str, type | tuple[type, ...]] = {"handler": str, "port_id": int}
CALLS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "api_sync": {"api_vers": list},
    "get_version": {},
    "get_system_info": {},
    "get_supported_cmds": {},
    "get_active_pgids": {},
    "get_pgid_stats": {"pgids": list},
    "get_port_status": {"port_id": int},
    "publish_now": {"key": int, "baseline": bool},
    "acquire": {"port_id": int, "user": str, "session_id": int, "force": bool},
    "get_all_streams": {"port_id": int},
    "release": _OWNED,
    "stop_traffic": _OWNED,
    "remove_all_streams": _OWNED,
    "remove_rx_filters": _OWNED,
    "add_stream": {**_OWNED, "stream_id": int, "stream": dict},
    "start_traffic": {
        **_OWNED,
        "mul": dict,
        "duration": (int, float),
        "force": bool,
        "core_mask": int,
        "start_at_ts": (int, float),
    },
}
OWNERS = frozenset(name for name, words in CALLS.items() if "handler" in words)
_STREAM = {
    "enabled",
    "self_start",
    "isg",
    "flags",
    "action_count",
    "mode",
    "packet",
    "vm",
    "flow_stats",
    "next_stream_id",
}
_INSTRUCTIONS = {
    "tuple_flow_var": {"name", "ip_min", "ip_max", "port_min", "port_max", "limit_flows", "flags"},
    "write_flow_var": {"name", "pkt_offset", "add_value", "is_big_endian"},
    "fix_checksum_ipv4": {"pkt_offset"},
}
_BY_PACKET = 0b011  # flags: Ethernet addresses are those of the packet


def wrong_call(name: str, words: Json) -> str:
    """What is wrong with the words of a call; empty where nothing is."""
    wanted = CALLS[name]
    given = {key: value for key, value in words.items() if key != "api_h"}
    if given.keys() != wanted.keys():
        return f"{name}: words are {sorted(given)}, not {sorted(wanted)}"
    for key, kind in wanted.items():
        if not isinstance(given[key], kind):
            return f"{name}: '{key}' is no {kind}"
    return wrong_multiplier(given["mul"]) if name == "start_traffic" else ""


def wrong_multiplier(said: object) -> str:
    match said:
        case {"type": "pps" | "percentage" | "raw", "value": int() | float() as value, "op": "abs"} if value > 0:
            return ""
    return f"start_traffic: 'mul' is {said}"


def wrong_stream(stream: Json) -> str:
    """What is wrong with a stream; empty where nothing is."""
    match stream:
        case {
            "packet": {"binary": str() as text},
            "mode": {"type": "continuous", "rate": {"type": "pps"}},
            "vm": dict(),
        }:
            pass
        case _:
            return "stream: no packet, mode or vm"
    if stream.keys() - {"random_seed"} != _STREAM:
        return f"stream: keys are {sorted(stream)}"
    if stream["flags"] != _BY_PACKET:
        return f"stream: flags {stream['flags']}"
    try:
        frame = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        return f"stream: {error}"
    return "" if len(frame) >= 60 else f"packet of {len(frame)} octets"


def wrong_instruction(instruction: Json) -> str:
    name = str(instruction.get("type"))
    if name not in _INSTRUCTIONS:
        return f"vm: instruction '{name}'"
    missing = _INSTRUCTIONS[name] ^ (instruction.keys() - {"type"})
    return f"vm: {name} with {sorted(instruction)}" if missing else ""
