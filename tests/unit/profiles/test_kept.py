"""A folded profile that is kept says all that the raw one did, and what is none is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from fwdlab.analyse.idle import profile_of_run
from fwdlab.errors import RecordError
from fwdlab.profiles.formats import fold
from fwdlab.profiles.kept import FOLDED_PROFILE, parse_profile, profile_text
from fwdlab.records.store import Folders

PERF = """\
swapper     0 [000]    34.567890:     100 cpu-clock:
\tffffffff81 ip_rcv+0x10 ([kernel.kallsyms])
\tffffffff82 net_rx_action+0x20 ([kernel.kallsyms])

swapper     0 [000]    34.577890:     300 cycles:
\tffffffff81 ip_forward+0x10 ([kernel.kallsyms])

"""


def test_it_is_read_as_it_was_folded() -> None:
    profile = fold(PERF, "x")
    assert profile.event == "cpu-clock"
    assert profile.caveats
    assert parse_profile(profile_text(profile), "x") == profile


def test_it_stands_in_for_a_raw_profile_that_is_not_there(tmp_path: Path) -> None:
    kept = tmp_path / FOLDED_PROFILE
    kept.parent.mkdir()
    kept.write_text(profile_text(fold(PERF, "x")))
    assert profile_of_run(Folders(results=tmp_path), tmp_path).profile == fold(PERF, "x")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "fwdlab-profile 9"}', '{"format": "fwdlab-profile 1", "stacks": ["a b"]}']
)
def test_what_is_no_profile_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(RecordError, match=r"^here: is no folded profile \(.*\); add"):
        parse_profile(text, "here")
