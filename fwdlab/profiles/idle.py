"""Profiles of machines that mostly waited."""

from __future__ import annotations

from fwdlab.profiles.folded import MOST_IDLE, Profile


def idle_reason(profile: Profile) -> str:
    """Why a profile says nothing about the DUT: it was mostly idle; empty where it was not."""
    if profile.idle_share <= MOST_IDLE:
        return ""
    return f"{100 * profile.idle_share:.1f} % of it is idle; profile while the load is offered"
