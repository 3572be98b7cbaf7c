"""One spelling, one word for one thing, and no address that only some networks reach."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.structure.tree import PACKAGE, ROOT, place, sources, texts

GLOSSARY = ROOT / "site/content/docs/glossary.md"
TERMS = (
    *("DUT", "sender / receiver", "case", "hardware", "revision", "patch", "trial", "repeat", "run", "sample", "flow"),
    *("frame size", "intended load", "offered load", "forwarding rate", "throughput", "NDR", "PDR", "loss ratio"),
    *("line rate", "warm-up", "ministat", "MDE", "baseline", "regression", "caveat", "folded stacks", "child pipeline"),
)
DRIFT = {
    "stateful or stateless": r"statefull|statelessly|state-?less?full|state-(less|ful)\b",
    "baseline": r"base[- ]line\b",
    "warm-up (the noun)": r"\bwarmup (phase|period|packets)\b",
    "what is true now": r"\bTODO\b|\bFIXME\b|work in progress",
}
REGISTRY_HOSTS = r"py[p]i\.org|python[h]osted\.org|registry\.[n]pmjs|npmjs\.[c]om|crates\.[i]o|proxy\.[g]olang"


def findings(pattern: str, text: str) -> list[str]:
    """Each match, with the number of its line before it."""
    lines = enumerate(text.splitlines(), 1)
    return [f"{number}: {match[0]}" for number, line in lines for match in re.finditer(pattern, line, re.IGNORECASE)]


def findings_in_tree(pattern: str, *, tests: bool) -> list[str]:
    """Matches in every text; without the tests where bad input is given on purpose."""
    this = place(Path(__file__))
    read = ((name, text) for name, text in texts() if name != this and (tests or not name.startswith("tests/")))
    return [f"{name}:{finding}" for name, text in read for finding in findings(pattern, text)]


def glossary_rows(text: str) -> list[list[str]]:
    """The cells of each row of the glossary's tables, heads and rules aside."""
    rows = [
        [cell.strip() for cell in line.strip("| \n").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    return [row for row in rows if not set(row[0]) <= set("-: ") and row[0].lower() != "term"]


@pytest.mark.parametrize("meant", DRIFT)
def test_words_are_spelled_one_way(meant: str) -> None:
    assert not findings_in_tree(DRIFT[meant], tests=False), f"write {meant}"


def test_no_file_names_a_package_registry() -> None:
    assert not findings_in_tree(REGISTRY_HOSTS, tests=True)


@pytest.mark.parametrize(
    ("meant", "text"),
    [
        ("stateful or stateless", "pf-statefull"),
        ("baseline", "the base line is"),
        ("warm-up (the noun)", "a Warmup phase"),
    ],
)
def test_drift_would_be_seen(meant: str, text: str) -> None:
    assert findings(DRIFT[meant], f"first\n{text}")[0].startswith("2: ")


def test_the_glossary_has_every_word_once() -> None:
    terms = [row[0] for row in glossary_rows(GLOSSARY.read_text())]
    assert sorted(set(terms)) == sorted(terms)
    assert not [term for term in TERMS if not any(term.lower() in listed.lower() for listed in terms)]


def test_names_the_glossary_gives_are_the_names_in_the_code() -> None:
    code = "\n".join(path.read_text() for path in sources(PACKAGE))
    given = {name for row in glossary_rows(GLOSSARY.read_text()) for name in re.findall(r"`(\w+)`", row[-1])}
    assert given
    assert not sorted(name for name in given if not re.search(rf"\b{name}\b", code))
