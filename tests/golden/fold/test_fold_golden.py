from __future__ import annotations

import pytest

from fwdlab.profiles.formats import fold
from tests.golden.conftest import Golden


@pytest.mark.parametrize("name", ["odd_frames_and_two_events", "kernel_stacks_of_a_forwarding_guest"])
def test_folds_as_stackcollapse_perf_does(golden: Golden, name: str) -> None:
    profile = fold(golden.read(f"{name}.perf"), f"{name}.perf")
    golden.check(f"{name}.folded", profile.text)
    golden.check(f"{name}.caveats", "".join(f"{caveat}\n" for caveat in profile.caveats))
