"""Generated rules: the same by every awk, in words that each firewall takes, the last of which matches."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.scripts.freebsd.tools.firewalls import IPF, IPFW, PF, statements

ROOT = Path(__file__).parents[3]
RULES = ROOT / "runner-scripts/lib/rules.awk"
AWKS = (("mawk",), ("busybox", "awk"))
TOOLS = ("nft", "iptables", "ipfw", "pf", "ipf")


def generated(
    tool: str, *, state: str = "stateless", family: str = "inet", awk: tuple[str, ...] = ("mawk",), **numbers: int
) -> str:
    words = {"tool": tool, "state": state, "family": family, "rules": 50, "seed": 1, **numbers}
    assigned = [word for name, value in words.items() for word in ("-v", f"{name}={value}")]
    return subprocess.run([*awk, *assigned, "-f", str(RULES)], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("tool", TOOLS)
def test_every_awk_makes_the_same(tool: str) -> None:
    texts = {generated(tool, awk=awk, rules=3000, table=3000, seed=16777215) for awk in AWKS}
    assert len(texts) == 1


def test_the_bytes_are_those_of_today() -> None:
    digest = hashlib.sha256(generated("nft", rules=1000, table=1000, seed=7).encode()).hexdigest()
    assert digest == "e678b1b325ef4bce9212e46c6cad996135a875e71e8fece50eb806436d893a95"


@pytest.mark.parametrize("family", ["inet", "inet6"])
@pytest.mark.parametrize("tool", TOOLS)
def test_every_address_is_another_and_none_is_of_the_load(tool: str, family: str) -> None:
    table = 0 if tool in ("iptables", "ipf") else 500
    found = re.findall(
        r"\b10[.]\d+[.]\d+[.]\d+|2001:db8::[0-9a-f]+:[0-9a-f]+", generated(tool, family=family, rules=500, table=table)
    )
    assert len(found) == len(set(found)) == 500 + table


def test_another_seed_is_another_rule_set() -> None:
    assert generated("pf", seed=1) != generated("pf", seed=2)


@pytest.mark.parametrize("state", ["stateless", "stateful"])
@pytest.mark.parametrize(("tool", "grammar"), [("ipfw", IPFW), ("pf", PF), ("ipf", IPF)])
def test_words_are_of_the_firewalls_grammar(tool: str, grammar: re.Pattern[str], state: str) -> None:
    table = 0 if tool == "ipf" else 20
    lines = statements(generated(tool, state=state, table=table))
    assert [line for _, line in lines if not grammar.fullmatch(line)] == []
    assert ("keep" in lines[-1][1]) is (state == "stateful")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may ask nft and iptables")
@pytest.mark.parametrize("family", ["inet", "inet6"])
@pytest.mark.parametrize("state", ["stateless", "stateful"])
def test_nft_and_iptables_take_them(tmp_path: Path, state: str, family: str) -> None:
    rules = tmp_path / "rules"
    for tool, command in (
        ("nft", ["nft", "-c", "-f"]),
        ("iptables", [f"ip{'6' * (family == 'inet6')}tables-restore", "--test"]),
    ):
        table = 2000 if tool == "nft" else 0
        rules.write_text(generated(tool, state=state, family=family, rules=1000, table=table))
        done = subprocess.run(["unshare", "-n", *command, str(rules)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
