"""Numbers with their units: base units inside, prefixes only where a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_MAGNITUDES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_QUANTITY = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z%]*)")

ETHERNET_FCS_OCTETS = 4
ETHERNET_LEAST_OCTETS = 64  # of a frame with FCS: a shorter one is padded
ETHERNET_GAP_OCTETS = 20  # preamble, start of frame and inter-frame gap (IEEE 802.3): on the wire, in no frame


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """One prefix for a whole column or axis: a column never mixes kpps and Mpps."""

    factor: float
    prefix: str

    def text(self, value: float, unit: str, digits: int = 4) -> str:
        """The value with `digits` significant digits and the prefixed unit, such as `1.488 Mpps`."""
        return f"{self.number(value, digits)} {self.prefix}{unit}"

    def number(self, value: float, digits: int = 4) -> str:
        """The value alone, scaled, with `digits` significant digits and no exponent."""
        scaled = value / self.factor
        whole = len(str(int(abs(scaled)))) if abs(scaled) >= 1 else 0
        return f"{scaled:.{max(0, digits - max(whole, 1))}f}"


def common_scale(values: Iterable[float]) -> Scale:
    """The prefix that suits the largest of the values; no prefix where there is none."""
    largest = max((abs(value) for value in values), default=0.0)
    for factor, prefix in _PREFIXES:
        if largest >= factor:
            return Scale(factor=factor, prefix=prefix)
    return Scale(factor=1.0, prefix="")


def line_rate_pps(link_bps: float, frame_size: int) -> float:
    """Most frames a second a link carries; frame size in octets with FCS (RFC 2544, appendix B)."""
    return link_bps / (8 * (frame_size + ETHERNET_GAP_OCTETS))


def seconds(text: str) -> float:
    """The time in seconds that `90s`, `1.5 h` or `200ms` says; ValueError where it says none."""
    number, unit = _split(text)
    if unit not in _TIMES:
        raise ValueError(f"'{text}' is not a time; write it like '90s', '5min' or '2h'")
    return number * _TIMES[unit]


def fraction(text: str) -> float:
    """The fraction that `0.2%` says (0.002); ValueError where the per cent sign is missing."""
    number, unit = _split(text)
    if unit != "%":
        raise ValueError(f"'{text}' is not a share; write it like '0.2%'")
    return number / 100


def pps(text: str) -> float:
    """Packets a second that `1.488Mpps`, `500 kpps` or `1000pps` says; ValueError where it says none."""
    return _rate(text, "pps", "'500kpps' or '1.488Mpps'")


def bits_per_second(text: str) -> float:
    """Bits a second that `100Mbps` or `10 Gbps` says; ValueError where it says none."""
    return _rate(text, "bps", "'100Mbps' or '10Gbps'")


def _rate(text: str, suffix: str, examples: str) -> float:
    number, unit = _split(text)
    prefix = unit.removesuffix(suffix)
    if not unit.endswith(suffix) or prefix not in _MAGNITUDES:
        raise ValueError(f"'{text}' is not a rate; write it like {examples}")
    return number * _MAGNITUDES[prefix]


def duration_text(value_s: float) -> str:
    """A span for people: `48 s`, `7 min 05 s`, `2 h 10 min`."""
    whole = round(value_s)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _split(text: str) -> tuple[float, str]:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a number with a unit")
    return float(match["number"]), match["unit"]
