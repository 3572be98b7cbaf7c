"""Kernel settings that go with a firewall: set on the DUT for its cases, and read back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.scripts.ssh.bed import Bed

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def test_settings_of_a_firewall_are_set_and_read_back(bed: Bed) -> None:
    settings = {"net.ipv4.ip_default_ttl": "77", "net.ipv4.conf.all.log_martians": "1"}
    words = ";".join(f"{name}={value}" for name, value in settings.items())
    record = bed.with_case(firewall=replace(bed.case.firewall, sysctls=words)).measure()
    said = dict(record.conditions.sysctls)
    assert {name: said.get(name, said.get(name.replace(".", "/"))) for name in settings} == settings
    assert bed.on("dut", "cat", "/proc/sys/net/ipv4/ip_default_ttl").strip() == "77"
