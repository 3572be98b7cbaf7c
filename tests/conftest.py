"""What all tests share: how Hypothesis searches, and that a keyboard's signals reach what they start."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# No deadline: the machine is shared with other tests and with virtual machines. In CI the same examples every time,
# so that a change is judged by itself; at a desk new ones, so that something new may be found.
settings.register_profile("fwdlab", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("fwdlab")

# Whoever starts the tests in a shell's background has both ignored, in every process below as well.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)
