"""What all tests share: how Hypothesis searches."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: the machine is shared with other tests and with virtual machines. In CI the same examples every time,
# so that a change is judged by itself; at a desk new ones, so that something new may be found.
settings.register_profile("fwdlab", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("fwdlab")
