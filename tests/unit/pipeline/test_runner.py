"""The runner of a machine: what it may take, and what it refuses to be."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fwdlab.case import Lab
from fwdlab.errors import MatrixError
from fwdlab.matrix.model import Machine, Runner
from fwdlab.pipeline.runner import config_text, runner_of
from tests.unit.pipeline.example import machine

URL = "https://gitlab.example.org"


def with_tags(name: str, *tags: str, places: int = 1, lab: Lab = Lab.QEMU) -> Machine:
    return replace(machine(name), lab=lab, runner=Runner(tags=tags, places=places))


def test_a_runner_takes_the_jobs_whose_tags_it_has_all() -> None:
    machines = [with_tags("a", "virtual", places=3), with_tags("b", "virtual"), with_tags("c", "virtual", "fast")]
    found = runner_of(machines, "a")
    assert (found.serves, found.jobs, found.protected) == (("a", "b"), 4, False)
    assert runner_of(machines, "c").serves == ("a", "b", "c"), "a tag more than a job asks for is no hindrance"


@pytest.mark.parametrize("lab", [lab for lab in Lab if lab is not Lab.QEMU])
def test_whoever_serves_a_real_machine_has_one_job_and_is_protected(lab: Lab) -> None:
    machines = [with_tags("virtual", "shared", places=8), with_tags("real", "shared", lab=lab)]
    for name in ("virtual", "real"):
        found = runner_of(machines, name)
        assert (found.jobs, found.protected) == (1, True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("apu", "MACHINE: there is no 'apu'; did you mean 'apu2'?"),
        ("", "MACHINE: there is no ''; known are 'apu2', 'a+b'"),
        ("a+b", "a+b: a service cannot have '+' in its name; rename the machine"),
    ],
)
def test_what_cannot_have_a_runner_is_told(name: str, message: str) -> None:
    with pytest.raises(MatrixError) as caught:
        runner_of([with_tags("apu2", "x"), with_tags("a+b", "y")], name)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "url", ["https://lab.example", "https://lab.example:8443/gitlab/", "http://127.0.0.1:80", "http://localhost"]
)
def test_a_token_goes_to_an_address_that_is_safe(url: str) -> None:
    text = config_text(runner_of([with_tags("apu2", "x")], "apu2"), url)
    assert tomllib.loads(text)["runners"][0]["url"] == url


@pytest.mark.parametrize(
    "url",
    [
        *("", "gitlab.example.org", "http://gitlab.example.org", "ftp://gitlab.example.org", "https://"),
        *(
            "https://user:secret@gitlab.example.org",
            "https://a b",
            "https://a\n[[runners]]",
            "http://127.0.0.1.example",
        ),
    ],
)
def test_no_token_goes_to_any_other(url: str) -> None:
    with pytest.raises(MatrixError, match=r"^--url: .* is no address for a token; write GitLab"):
        config_text(runner_of([with_tags("apu2", "x")], "apu2"), url)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(1, 64))
def test_no_name_and_no_tag_breaks_the_file(text: str, places: int) -> None:
    """Names are checked where a matrix is read; here any of them stays one value."""
    found = replace(runner_of([with_tags("apu2", "x", places=places)], "apu2"), machine=text)
    assert tomllib.loads(config_text(replace(found, tags=(), serves=()), URL))["runners"][0]["name"] == text
