"""`fwdlab cases`, `plan` and `schema`: what they print, what they write, how they end."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from fwdlab.case import case_text, parse_case
from fwdlab.cli import main
from fwdlab.matrix.resolve import resolved_cases
from fwdlab.matrix.shape import schema_text
from tests.unit.matrix.example import FAKES, TEXT, Bench, bent


def fwdlab(bench: Bench, *words: str) -> Result:
    scripts = () if words[0] == "schema" else ("-m", str(bench.path), "--runner-scripts", str(FAKES))
    return CliRunner().invoke(main, [*words, *scripts])


def test_cases_come_one_a_line_name_first(bench: Bench) -> None:
    bench.load()
    result = fwdlab(bench, "cases")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 13
    assert lines[0] == "box/old/forwarding/none/udp4\tlinux-amd64\tlatest"


def test_resolved_cases_have_their_key(bench: Bench) -> None:
    first = resolved_cases(bench.load(), FAKES)[0]
    result = fwdlab(bench, "cases", "--resolved", "--only", "box/old/forwarding/none/udp4")
    assert result.stdout == f"{first.slug}\tlinux-amd64-5\t6.1.158-1\t{first.key}\n"


def test_cases_as_json_are_one_array_one_case_a_line(bench: Bench) -> None:
    bench.load()
    text = fwdlab(bench, "cases", "--json", "--quick").stdout
    found = json.loads(text)
    assert len(found) == 4 == len(text.splitlines()) - 2
    assert found[0]["case"] == "box/old/forwarding/none/udp4"
    assert found[0]["hardware"]["trial.packets"] == "4000"
    assert "key" not in found[0]
    assert json.loads(fwdlab(bench, "cases", "--json", "--quick", "--resolved").stdout)[0]["key"]


def test_written_case_files_say_the_case(bench: Bench) -> None:
    cases = resolved_cases(bench.load(), FAKES)
    result = fwdlab(bench, "cases", "--write", str(bench.folder / "out"))
    assert result.exit_code == 0
    for case in cases:
        text = (bench.folder / "out" / f"{case.slug}.case").read_text()
        assert text == case_text(case)
        assert parse_case(text, "case") == case


def test_cases_asks_no_archive_unless_told_to(bench: Bench) -> None:
    bench.load(bent("linux-{arch}", "unreachable"))
    assert fwdlab(bench, "cases").exit_code == 0
    assert fwdlab(bench, "cases", "--resolved").exit_code == 3


@pytest.mark.parametrize(
    ("old", "new", "words", "status", "message"),
    [
        ("seed: 1", "seed: 1", ("plan",), 0, ""),
        ("seed: 1", "seed: x", ("cases",), 2, "matrix.yaml:2:7: 'seed' is 'x'; write a whole number"),
        ("seed: 1", "seed: x", ("plan",), 2, "matrix.yaml:2:7: 'seed' is 'x'; write a whole number"),
        ("linux-{arch}", "gone", ("plan",), 2, "matrix.yaml:8:41: revision 'old': debian: no package 'gone' in"),
        (
            "linux-{arch}",
            "unreachable",
            ("plan",),
            3,
            "resolve.sh: deb.example: no answer after 60 s; check the network",
        ),
        ("cap: 2h", "cap: 60s", ("plan",), 2, "box needs 6 min 24 s of lab time, the cap is 1 min 00 s; select fewer"),
        ("cap: 2h", "cap: 60s", ("plan", "--cap", "2h"), 0, ""),
        ("cap: 2h", "cap: 2h", ("plan", "--cap", "60s"), 2, "box needs 6 min 24 s of lab time, the cap is 1 min 00 s;"),
        ("cap: 2h", "cap: 2h", ("plan", "--cap", "soon"), 2, "--cap: 'soon' is not a number with a unit"),
        ("seed: 1", "seed: 1", ("cases", "--only", "x"), 2, "--only 'x': no case has that name; known are 'box/old/"),
    ],
)
def test_each_family_has_its_exit_status(
    bench: Bench, old: str, new: str, words: tuple[str, ...], status: int, message: str
) -> None:
    bench.path.write_text(bent(old, new))
    result = fwdlab(bench, *words)
    assert result.exit_code == status, result.output
    assert message in result.stderr
    assert bool(result.stderr) == bool(status)


def test_a_plan_is_json_where_it_is_asked_for(bench: Bench) -> None:
    bench.load()
    plan = json.loads(fwdlab(bench, "plan", "--json").stdout)
    assert list(plan) == ["seed", "notes", "machines", "campaigns", "cases"]
    assert plan["machines"][0]["repeats_left"] == 56
    assert plan["cases"][0]["left"] == [1, 2, 3, 4, 5, 6, 7]
    assert plan["campaigns"][0]["arms"] == ["old", "new"]


def test_the_schema_is_printed_as_it_is_published(bench: Bench) -> None:
    assert fwdlab(bench, "schema", "matrix").stdout == schema_text()


def test_the_example_is_untouched_by_reading(bench: Bench) -> None:
    bench.load()
    fwdlab(bench, "plan")
    assert bench.path.read_text() == TEXT
    assert sorted(path.name for path in bench.folder.iterdir()) == ["matrix.yaml", "stateful.nft"]
