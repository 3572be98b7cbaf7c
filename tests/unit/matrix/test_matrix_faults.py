"""Everything that can be wrong with a matrix file, each with its place and what to do."""

from __future__ import annotations

import stat

import pytest

from fwdlab.errors import MatrixError
from fwdlab.matrix.load import load_matrix
from tests.unit.matrix.example import TEXT, Bench, bent

CELL = "{hardware: arm, revision: new, firewall: nft-stateful, patch: none, traffic: udp4}"


def test_the_example_has_no_fault(bench: Bench) -> None:
    assert bench.faults(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("seed: 1", "§sede: 1", "unknown key 'sede' in the matrix; did you mean 'seed'?"),
        ("memory: 512M", "§memroy: 512M", "unknown key 'memroy' in hardware 'box'; did you mean 'memory'?"),
        (
            "seed: 1",
            "seed: 1\n§fan: off",
            "unknown key 'fan' in the matrix; known are 'repeats', "
            "'seed', 'cap', 'hardware', 'revisions', 'firewalls', 'patches', 'traffic' and 4 more",
        ),
        ("repeats: 5", "repeats: §0", "'repeats' is '0'; write a whole number from 1 to 1000"),
        ("repeats: 5", "repeats: §five", "'repeats' is 'five'; write a whole number from 1 to 1000"),
        ("repeats: 5", "repeats: §5.0", "'repeats' is '5.0'; write a whole number from 1 to 1000"),
        ("repeats: 5", "repeats: §{min: 5}", "'repeats' is a mapping; write a whole number from 1 to 1000"),
        ("repeats: 7", "gate: §yes", "'gate' of campaign 'step' is 'yes'; write 'true' or 'false'"),
        ("repeats: 7", "gate: §[true]", "'gate' of campaign 'step' is a list; write 'true' or 'false'"),
        ("repeats: 7", "gate:§", "'gate' of campaign 'step' is empty; write 'true' or 'false'"),
        ("repeats: 7", "repeats: §-1", "'repeats' of campaign 'step' is '-1'; write a whole number from 1 to 1000"),
        (
            "repeats: 7",
            "repeats: {min: §2, max: 20, until: 1%}",
            "min 2 gives no verdict to decide by; write 3 or more",
        ),
        (
            "repeats: 7",
            "repeats: {min: 5, max: §5, until: 1%}",
            "max 5 adds no round to min 5; raise it, or write 'repeats: 5'",
        ),
        (
            "512M, trial",
            "512M, cpu: §max;reboot, trial",
            "'cpu' of hardware 'box' is 'max;reboot'; write a model such as 'max,-erms,-fsrm' or 'cortex-a72'",
        ),
        ("seed: 1", "seed: §1.5", "'seed' is '1.5'; write a whole number from 0 to 999999999"),
        ("seed: 1", "seed: §0x10", "'seed' is '0x10'; write a whole number from 0 to 999999999"),
        ("cap: 2h", "cap: §2 fortnights", "'cap' is '2 fortnights'; write a time such as '90s', '5min' or '2h'"),
        ("cap: 2h", "cap: §120", "'cap' is '120'; write a time such as '90s', '5min' or '2h'"),
        ("cap: 2h", "cap:§", "'cap' is empty; write a time such as '90s', '5min' or '2h'"),
        (
            "threshold: 0.5%",
            "threshold: §0.5",
            "'threshold' of campaign 'step' is '0.5'; write a share such as '0.2%' or '1%'",
        ),
        (
            "threshold: 0.5%",
            "threshold: §0%",
            "'threshold' of campaign 'step' is '0%'; write a share such as '0.2%' or '1%'",
        ),
        ("memory: 512M", "memory: §lots", "'memory' of hardware 'box' is 'lots'; write a size such as '512M' or '2G'"),
        ("lab: qemu", "lab: §qmeu", "'lab' of hardware 'box' is 'qmeu'; did you mean 'qemu'?"),
        ("lab: qemu", "lab: §[qemu]", "'lab' of hardware 'box' is a list; write 'qemu', 'netns' or 'ssh'"),
        ("arch: x86_64", "arch: §vax", "'arch' of hardware 'box' is 'vax'; known are 'x86_64', 'aarch64'"),
        ("samples: 10", "samples: §0", "'samples' of hardware 'box' is '0'; write a whole number from 1 to 1000"),
        (
            "frame_size: 64",
            "frame_size: §63",
            "'frame_size' of traffic 'udp4' is '63'; write octets with FCS, from 64 to 1518",
        ),
        ("flows: 2000", "flows: §0", "'flows' of traffic 'udp4' is '0'; write a whole number from 1 to 50000"),
        (
            "load: max",
            "load: §nrd",
            "'load' of traffic 'udp4' is 'nrd'; write 'max', a rate such as '100kpps', '50%' or '50% of line rate', "
            "a list of rates, 'throughput', 'ndr', 'pdr', 'establishment-rate' or 'table-capacity'",
        ),
        ("family: inet,", "family: §ipv4,", "'family' of traffic 'udp4' is 'ipv4'; known are 'inet', 'inet6'"),
        (
            "version: latest",
            'version: §"1; reboot"',
            "'version' of revision 'old' is '1; reboot'; "
            "write 'latest', a version such as '6.1.158-1', or a branch, tag or commit",
        ),
        (
            '"linux-{arch}"',
            '§"linux-{cpu}"',
            "'package' of revision 'old' is 'linux-{cpu}'; write a package name such as 'linux-image-cloud-{arch}'",
        ),
        ("  none: {}", "  none: {}\n  §fast: {}", "patch 'fast' has none of 'file', 'options', 'phabricator'; add one"),
        ("  none: {}", "  §{}", "'patches' is empty; write 'none: {}'"),
        (
            "  forwarding: {}",
            "  forwarding:§",
            "firewall 'forwarding' is empty; write '{rules: FILE}', or '{}' for plain forwarding",
        ),
        ("title: A box, ", "", "5:3: hardware 'box' has no 'title'; add it: the machine in words, for plan and pages"),
        (
            "title: A box",
            'title: §"A\\tbox"',
            "'title' of hardware 'box' is 'A\\tbox'; write up to 400 characters of plain text",
        ),
        (
            "{hardware: arm, firewall: [nft-stateful]}",
            "§{}",
            "an entry of 'exclude' is empty; write a selection "
            "such as '{hardware: qemu-x86, firewall: [forwarding, nft-stateful]}'",
        ),
        ("[nft-stateful]", "§[]", "'firewall' of 'exclude' is empty; write a name or a list of different names"),
        (
            "[nft-stateful]",
            "[nft-stateful, §nft-stateful]",
            "'nft-stateful' stands twice in 'firewall' of 'exclude'; keep one of them",
        ),
        (
            "[nft-stateful]",
            "[§nft-statefull]",
            "firewall 'nft-statefull' is not declared under 'firewalls'; did you mean 'nft-stateful'?",
        ),
        (
            "hardware: arm, firewall",
            "hardware: §mips, firewall",
            "hardware 'mips' is not declared under 'hardware'; known are 'box', 'arm'",
        ),
        ("  none: {}", "  none: {§files: []}", "unknown key 'files' in patch 'none'; none can be used here"),
        (
            "select: {hardware: box, t",
            "select: {hardware: §boxx, t",
            "hardware 'boxx' is not declared under 'hardware'; did you mean 'box'?",
        ),
        (
            "select: {hardware: box}",
            "select: {traffic: §udp}",
            "traffic 'udp' is not declared under 'traffic'; did you mean 'udp6'?",
        ),
        ("baseline: old", "baseline: §odl", "revision 'odl' is not declared under 'revisions'; did you mean 'old'?"),
        (
            "compare: revision",
            "compare: §revisions",
            "'compare' of campaign 'step' is 'revisions'; did you mean 'revision'?",
        ),
        (
            "baseline: old",
            "baseline: old\n    arms: [old, §nwe]",
            "revision 'nwe' is not declared under 'revisions'; did you mean 'new'?",
        ),
        (
            "baseline: old",
            "baseline: old\n    arms: §[new]",
            "'arms' of campaign 'step' is too short; write a list of at least two different names, "
            "the baseline among them",
        ),
        (
            "rules: stateful.nft",
            "rules: §statefull.nft",
            "rule file 'statefull.nft' does not exist; did you mean 'stateful.nft'?",
        ),
        (
            "rules: stateful.nft",
            "rules: §nft/a.nft",
            "rule file 'nft/a.nft' does not exist, nor does folder 'nft'; write it or name another",
        ),
        (
            "rules: stateful.nft",
            "rules: §folder",
            "rule file 'folder' cannot be read (Is a directory); name a file that can",
        ),
        (
            "{rules: stateful.nft}",
            "{}",
            "12:3: firewall 'nft-stateful' has no 'rules'; name a rule file, only 'forwarding' goes without",
        ),
        (
            "forwarding: {}",
            "forwarding: {§rules: stateful.nft}",
            "firewall 'forwarding' has rules; it stands for none, so give the rule set another name",
        ),
    ],
)
def test_each_fault_has_its_place_and_advice(bench: Bench, old: str, new: str, fault: str) -> None:
    (bench.folder / "folder").mkdir()
    assert bench.faults(bent(old, new.replace("§", ""))) == expected(bent(old, new), fault)


def expected(marked: str, fault: str) -> list[str]:
    """The one fault at the place marked with a section sign; as it stands where nothing is marked."""
    before, mark, _ = marked.partition("§")
    place = f"{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}: " if mark else ""
    return [place + fault]


@pytest.mark.parametrize(
    "name",
    [
        "../../etc",
        "a b",
        "a'b",
        'a\\"b',
        "$(reboot)",
        "`id`",
        "<script>",
        "a/b",
        "-rf",
        ".hidden",
        "ä",
        "a" * 41,
        "",
        "a\\n",
    ],
)
@pytest.mark.parametrize("old", ["  box: {", "  old: {", "  nft-stateful: {", "  udp4: {", "  step:\n"])
def test_a_name_that_a_shell_or_page_could_trip_over_is_refused(bench: Bench, name: str, old: str) -> None:
    faults = bench.faults(bent(old, f'  "{name}":{old.partition(":")[2]}'))
    assert any("cannot be used; write 1 to 40 letters, digits or '.', '_', '+', '-'" in fault for fault in faults)


@pytest.mark.parametrize(
    "rules", ["../up.nft", "/etc/passwd", "a/../../b", "./a", "a//b", "a b", "$(id)", "a;b", "..", "a/..", "", "-/\\n"]
)
def test_a_rule_file_lies_below_the_matrix(bench: Bench, rules: str) -> None:
    faults = bench.faults(bent("rules: stateful.nft", f'rules: "{rules}"'))
    assert len(faults) == 1
    assert "; write a path below the folder of the matrix" in faults[0]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "- {hardware: arm, firewall: [nft-stateful]}",
            "- {hardware: arm, firewall: [nft-stateful]}\n  - §{hardware: arm, firewall: nft-stateful, traffic: udp6}",
            "exclude matches no case: those before it leave none; remove it",
        ),
        (
            CELL,
            "§" + CELL.replace("arm", "box"),
            "include adds no case: this one is in the matrix already; remove it",
        ),
        (
            CELL,
            f"{CELL}\n  - §{CELL}",
            "include adds no case: this one is in the matrix already; remove it",
        ),
        (
            "{hardware: arm, firewall: [nft-stateful]}\ninclude:\n  - " + CELL,
            "{patch: none}",
            "18:1: the excludes leave no case at all; take one away",
        ),
        (
            "{hardware: box, traffic: udp4}",
            "§{hardware: arm, firewall: nft-stateful, traffic: udp6}",
            "the quick round selects no case: all are excluded; select others",
        ),
        (
            "select: {hardware: box}",
            "select: {hardware: arm, firewall: nft-stateful, traffic: udp6}",
            "26:3: campaign 'step' selects no case; widen its 'select' or take an exclude away",
        ),
        (
            "select: {hardware: box}",
            "select: {revision: old}",
            "26:3: campaign 'step' has one arm only, 'old'; select another revision to compare it with",
        ),
        (
            "select: {hardware: box}",
            "select: {hardware: arm, firewall: nft-stateful}",
            "26:3: campaign 'step' has no case of revision 'old'; widen its 'select' or take an exclude away",
        ),
        (
            "    compare: revision\n    baseline: old\n    select: {hardware: box}",
            "    compare: firewall\n    baseline: forwarding\n    select: {traffic: udp4}\n    arms: §[nft-stateful]",
            "'arms' of campaign 'step' is too short; write a list of at least two different names, "
            "the baseline among them",
        ),
    ],
)
def test_what_changes_or_asks_nothing_is_a_fault(bench: Bench, old: str, new: str, fault: str) -> None:
    assert bench.faults(bent(old, new.replace("§", ""))) == expected(bent(old, new), fault)


def test_a_baseline_that_is_no_arm_is_a_fault(bench: Bench) -> None:
    text = bent("revisions:\n", "revisions:\n  newer: {title: N, os: linux, package: linux-6.18, version: latest}\n")
    assert bench.faults(bent("baseline: old", "baseline: old\n    arms: [new, newer]", text)) == [
        "31:15: baseline 'old' is not among the arms; known are 'new', 'newer'"
    ]


def test_an_arm_without_a_counterpart_at_the_baseline_is_a_fault(bench: Bench) -> None:
    text = bent("- {hardware: arm, firewall: [nft-stateful]}", "- {firewall: nft-stateful, traffic: udp4}")
    text = bent("include:\n  - " + CELL, "  - {firewall: forwarding, traffic: udp6}", text)
    text = bent("compare: revision\n    baseline: old", "compare: firewall\n    baseline: forwarding", text)
    assert bench.faults(text) == [
        "25:3: campaign 'step' cannot compare 'nft-stateful' with the baseline: no cases differ in the firewall alone; "
        "select such"
    ]


def test_every_fault_is_told_in_one_go_and_in_the_order_of_the_file(bench: Bench) -> None:
    text = bent("seed: 1", "seed: x", bent("lab: qemu", "lab: x", bent("baseline: old", "baseline: x")))
    text = bent("rules: stateful.nft", "rules: x.nft", bent("hardware: arm, firewall", "hardware: x, firewall", text))
    assert [fault.split(":")[0] for fault in bench.faults(text)] == ["2", "5", "12", "19", "30"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "is empty; start from the shipped matrix.yaml"),
        (b"- a\n- b\n", "1:1: the matrix is a list; write the keys of a matrix, such as 'hardware:' and 'revisions:'"),
        (b"hello\n", "1:1: the matrix is 'hello'; write the keys of a matrix"),
        (b"---\n", "2:1: the matrix is empty; write the keys of a matrix"),
        (b"repeats: 5\nseed: \xff1\n", "2:7: octet 0xff is no UTF-8; save the file as UTF-8"),
        (b"# \xc3\xa9\xff\n", "1:4: octet 0xff is no UTF-8; save the file as UTF-8"),
    ],
)
def test_a_file_that_is_no_matrix_is_told_so(bench: Bench, text: bytes, fault: str) -> None:
    assert bench.faults(text)[0].startswith(fault)


def test_a_byte_order_mark_is_no_fault(bench: Bench) -> None:
    assert bench.faults(b"\xef\xbb\xbf" + TEXT.encode()) == []


def test_a_section_that_is_missing_is_one_fault(bench: Bench) -> None:
    section = TEXT[TEXT.index("traffic:\n") : TEXT.index("exclude:")]
    fault = "1:1: the matrix has no 'traffic'; add it: what is offered to the DUT, by name"
    assert bench.faults(bent(section, "")) == [fault]
    assert bench.faults(bent("traffic:\n", "trafic:\n")) == [
        "15:1: unknown key 'trafic' in the matrix; did you mean 'traffic'?"
    ]


def test_each_key_that_is_missing_is_a_fault(bench: Bench) -> None:
    faults = bench.faults(bent(CELL, "{hardware: arm, revision: new}"))
    assert faults == [
        "21:5: an entry of 'include' has no 'firewall'; add it: the firewall",
        "21:5: an entry of 'include' has no 'patch'; add it: the patch",
        "21:5: an entry of 'include' has no 'traffic'; add it: the traffic",
    ]


def test_a_name_of_the_wrong_shape_is_no_second_fault_where_it_is_used(bench: Bench) -> None:
    assert len(bench.faults(bent("firewall: [nft-stateful]", 'firewall: ["nft stateful"]'))) == 1


def test_faults_cannot_write_to_the_terminal(bench: Bench) -> None:
    faults = bench.faults(bent("memory: 512M", 'memory: "\\e[31m\\u202e"'))
    assert faults[0].startswith("5:56: 'memory' of hardware 'box' is '\\x1b[31m\\u202e'; write")


def test_a_matrix_that_is_not_there_or_a_folder_is_refused(bench: Bench) -> None:
    with pytest.raises(MatrixError, match=r"does not exist; write one, or name another with --matrix$"):
        load_matrix(bench.path)
    with pytest.raises(MatrixError, match=r"cannot be read \(Is a directory\)"):
        load_matrix(bench.folder)


def test_a_rule_file_that_may_not_be_read_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: object) -> str:
        raise PermissionError(13, "Permission denied")

    (bench.folder / "stateful.nft").chmod(stat.S_IWUSR)
    monkeypatch.setattr("fwdlab.matrix.load.sha256_of", refuse)  # root may read everything
    assert bench.faults(TEXT)[0].startswith("12:25: rule file 'stateful.nft' cannot be read (Permission denied); name")
