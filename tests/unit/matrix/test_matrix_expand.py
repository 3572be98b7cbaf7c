"""From axes to cases: what is in, what is out, and in which order."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.case import AXES, Family, Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.expand import allowed, as_written, cells, expand, only, quick_of
from fwdlab.matrix.model import Selection
from tests.unit.matrix.example import Bench, bent

NAMES = ("a", "b", "c")
axes = st.tuples(*[st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(tuple) for _ in AXES])
selections = st.tuples(*[st.frozensets(st.sampled_from(NAMES), max_size=2) for _ in AXES]).map(
    lambda wanted: Selection(wanted=wanted)
)
rules = st.lists(selections, max_size=3)
written_cells = st.frozensets(st.tuples(*[st.sampled_from(NAMES) for _ in AXES]), max_size=5)


@given(axes, rules, written_cells)
def test_cases_are_the_product_without_the_excluded_with_the_included(axes, exclude, include) -> None:  # type: ignore[no-untyped-def]
    everything = set(product(*axes))
    left_out = {names for names in everything if any(rule.fits(names) for rule in exclude)}
    assert set(allowed(axes, exclude, include)) == (everything - left_out) | (everything & include)


@given(axes, rules, written_cells)
def test_hardware_is_slowest_and_traffic_fastest(axes, exclude, include) -> None:  # type: ignore[no-untyped-def]
    found = list(allowed(axes, exclude, include))
    places = [tuple(axis.index(name) for axis, name in zip(axes, names, strict=True)) for names in found]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


@given(axes, rules, st.randoms())
def test_the_order_of_excludes_does_not_matter(axes, exclude, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(exclude, len(exclude))
    assert list(allowed(axes, exclude, ())) == list(allowed(axes, shuffled, ()))


@given(axes, selections)
def test_a_selection_fits_where_every_axis_does(axes, selection) -> None:  # type: ignore[no-untyped-def]
    for names in product(*axes):
        assert selection.fits(names) == all(
            name in wanted for name, wanted in zip(names, selection.wanted, strict=True) if wanted
        )


def test_the_example_has_its_cases(bench: Bench) -> None:
    found = ["/".join(names) for names in cells(bench.load())]
    assert len(found) == 8 + 4 + 1
    assert found[0] == "box/old/forwarding/none/udp4"
    assert found[-1] == "arm/new/nft-stateful/none/udp4"


def test_a_case_carries_what_the_runner_scripts_read(bench: Bench) -> None:
    matrix = bench.load()
    case = list(expand(matrix, as_written(matrix), {Lab.QEMU: "5c"}))[-1]
    assert dict(case.hardware.settings) == {
        "arch": "aarch64",
        "memory": "512M",
        "trial.warmup": "4000",
        "trial.samples": "10",
        "trial.packets": "4000",
    }
    assert (case.revision.package, case.revision.version, case.revision.sha256) == ("linux-6.12-arm64", "6.12.1-1", "")
    assert (case.firewall.rules, len(case.firewall.sha256)) == ("stateful.nft", 64)
    assert (case.traffic.family, case.traffic.frame_size, case.runner_sha256) == (Family.INET, 64, "5c")


def test_the_words_of_an_entry_do_not_change_its_key(bench: Bench) -> None:
    keys = []
    for text in (bent("A box", "A box"), bent("title: A box", "title: The box")):
        matrix = bench.load(text)
        keys.append([case.key for case in expand(matrix, as_written(matrix), {Lab.QEMU: ""})])
    assert keys[0] == keys[1]


def test_the_quick_round_is_a_matrix_of_its_own(bench: Bench) -> None:
    quick = quick_of(bench.load())
    assert ["/".join(names) for names in cells(quick)] == [
        f"box/{revision}/{firewall}/none/udp4"
        for revision in ("old", "new")
        for firewall in ("forwarding", "nft-stateful")
    ]
    assert (quick.repeats, quick.asks[0].repeats) == (3, 3)


def test_quick_without_a_quick_round_is_refused(bench: Bench) -> None:
    text = bent("quick:\n  select: {hardware: box, traffic: udp4}\n  repeats: 3\n", "")
    with pytest.raises(MatrixError, match="there is no 'quick' in it; add one, or leave --quick away"):
        quick_of(bench.load(text))


def test_only_takes_a_name_or_a_pattern(bench: Bench) -> None:
    matrix = bench.load()
    cases = tuple(expand(matrix, as_written(matrix), {Lab.QEMU: ""}))
    assert [case.slug for case in only(cases, "arm/*/nft-*")] == ["arm/new/nft-stateful/none/udp4"]
    assert len(only(cases, "box/old/forwarding/none/udp6")) == 1
    with pytest.raises(MatrixError, match=r"did you mean 'arm/new/nft-stateful/none/udp4'\?$"):
        only(cases, "arm/new/nft-statefull/none/udp4")


@given(st.sampled_from(["15.10", "no", "1e3", "on", "007", "1_0"]))
def test_names_stay_as_written_from_file_to_case(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    bench = Bench(folder=tmp_path_factory.mktemp("names"))
    (bench.folder / "stateful.nft").write_text("")
    text = bent("  old:", f"  {name}:", bent("baseline: old", f"baseline: {name}", bent("latest", name)))
    if "_" in name:
        text = text.replace(f"version: {name}", "version: latest")  # no Debian version has an underscore
    matrix = bench.load(text)
    assert matrix.axes[1] == (name, "new")
    assert matrix.asks[0].baseline == name
    assert matrix.sources[0].version == ("latest" if "_" in name else name)
