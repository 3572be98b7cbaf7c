"""A runner is registered whole and once, with a token that GitLab knows and nobody saw; or a sentence says why not."""

from __future__ import annotations

import tomllib

import pytest

from tests.scripts.service.host import CONFIG, TOKEN, Host

NEW = "the token of a new runner begins with 'glrt-'; GitLab shows it once, under Settings > CI/CD > Runners\n"


@pytest.fixture
def installed(host: Host) -> Host:
    """A host whose runner is in place, and lacks a token."""
    assert host.call("install.sh", "box").status == 0
    return host


def written(host: Host) -> list[str]:
    return sorted(path.name for path in host.config.parent.iterdir())


def test_a_token_on_standard_input_ends_in_the_configuration(installed: Host) -> None:
    file = installed.file("box.toml", CONFIG)
    done = installed.call("register.sh", str(file), given=f"{TOKEN}\n")
    assert (done.status, done.said) == (0, "")
    assert (
        done.out
        == f"box: is registered at https://gitlab.example.org; see there that tags and protection are as {file} says\n"
    )
    assert installed.config.read_text() == CONFIG.replace('token = ""', f'token = "{TOKEN}"')
    assert installed.config.stat().st_mode & 0o777 == 0o600
    assert written(installed) == ["box.toml"]
    assert tomllib.loads(installed.config.read_text())["runners"][0]["token"] == TOKEN


def test_a_token_in_a_file_is_read_from_there(installed: Host) -> None:
    token = installed.file("token", TOKEN)
    assert installed.call("register.sh", str(installed.file("box.toml", CONFIG)), str(token)).status == 0
    assert TOKEN in installed.config.read_text()


@pytest.mark.parametrize("host", ["dash"], indirect=True)
def test_a_token_that_is_typed_is_not_shown(installed: Host) -> None:
    done = installed.type("register.sh", str(installed.file("box.toml", CONFIG)), typed=f"{TOKEN}\n")
    assert done.status == 0, done.said
    assert done.said.startswith("token: ")
    assert "is registered at" in done.said
    assert TOKEN not in done.said
    assert TOKEN in installed.config.read_text()


def test_the_token_is_on_no_command_line(installed: Host) -> None:
    host = installed.with_command("timeout", 'printf "%s\\n" "$*" >>"$DIARY"; shift; exec "$@"')
    assert host.call("register.sh", str(host.file("box.toml", CONFIG)), given=TOKEN).status == 0
    diary = host.diary.read_text()
    assert "gitlab-runner verify --config" in diary
    assert TOKEN not in diary


def test_doing_it_twice_is_doing_it_once(host: Host) -> None:
    before = host.registered().config.stat()
    done = host.call("register.sh", str(host.folder / "box.toml"), given=TOKEN)
    assert done.out == f"box: is registered already, as it is in {host.folder}/box.toml\n"
    assert host.config.stat().st_ino == before.st_ino
    assert written(host) == ["box.toml"]


def test_a_new_token_takes_the_place_of_the_old_one(host: Host) -> None:
    done = host.registered().call("register.sh", str(host.folder / "box.toml"), given=f"{TOKEN}new")
    assert done.status == 0, done.said
    assert f'token = "{TOKEN}new"\n' in host.config.read_text()


@pytest.mark.parametrize(
    ("verify", "status", "said"),
    [
        (
            "refused",
            2,
            "token: GitLab at https://gitlab.example.org does not know it; see that the runner is still there",
        ),
        (
            "down",
            3,
            "https://gitlab.example.org: does not say whether the token is good (dial tcp: connection refused); try",
        ),
        ("mute", 3, "https://gitlab.example.org: does not say whether the token is good (Runtime platform"),
    ],
)
def test_what_gitlab_does_not_confirm_is_not_written(host: Host, verify: str, status: int, said: str) -> None:
    before = host.registered().config.read_bytes()
    done = host.call("register.sh", str(host.folder / "box.toml"), given=f"{TOKEN}new", VERIFY=verify)
    assert done.status == status
    assert done.said.startswith(said)
    assert done.said.count("\n") == 1
    assert host.config.read_bytes() == before
    assert written(host) == ["box.toml"]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("", f"token: is empty; {NEW}"),
        ("\n", f"token: is empty; {NEW}"),
        ("GR1348941abcdefghijklmnop", f"token: is a registration token, of the kind that GitLab gives up; {NEW}"),
        ("glpat-abcdefghijklmnopqrst", f"token: is a person's or project's access token; {NEW}"),
        ("abcdefghijklmnopqrst", f"token: is no runner's token; {NEW}"),
        ("glrt-abc", "token: is cut off; copy it again\n"),
        (f'{TOKEN}"\n', "token: has a character that no token has; copy it again\n"),
        (f"{TOKEN}$(id)\n", "token: has a character that no token has; copy it again\n"),
        (f"{TOKEN} \n", "token: has a character that no token has; copy it again\n"),
    ],
)
def test_what_is_no_token_is_refused_before_gitlab_is_asked(installed: Host, token: str, said: str) -> None:
    done = installed.call("register.sh", str(installed.file("box.toml", CONFIG)), given=token)
    assert (done.status, done.said) == (2, said)
    assert not installed.diary.exists()
    assert written(installed) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_token_that_others_may_read_is_spent(installed: Host, mode: int) -> None:
    token = installed.file("token", TOKEN, mode)
    done = installed.call("register.sh", str(installed.file("box.toml", CONFIG)), str(token))
    assert done.status == 2
    assert done.said == f"{token}: others may read the token; make a new one, and chmod 600 its file\n"


@pytest.mark.parametrize("word", [TOKEN, "GR1348941abcdefghijklmnop", "glpat-abc"])
def test_a_token_as_a_word_is_spent(installed: Host, word: str) -> None:
    done = installed.call("register.sh", str(installed.file("box.toml", CONFIG)), word)
    assert done.status == 2
    assert done.said.startswith(
        "register.sh: a token on a command line is seen by all who call ps, so it is spent; make a new"
    )
    assert word not in done.said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('token = ""\n', "", "box.toml: has no place for a token; write it again with 'fwdlab runner'"),
        (
            'token = ""',
            'token = "glrt-other"',
            "box.toml: has no place for a token; write it again with 'fwdlab runner'",
        ),
        (
            "[runners.",
            "[[runners]]\n[runners.",
            "box.toml: has no place for a token; write it again with 'fwdlab runner'",
        ),
        (
            'name = "box"',
            'name = "../box"',
            "'../box': cannot be the name of a machine that has a runner; write the one of",
        ),
        (
            'name = "box"',
            "name = 3",
            "'': cannot be the name of a machine that has a runner; write the one of the matrix",
        ),
        (
            "https://",
            "http://",
            "box.toml: 'http://gitlab.example.org' is no address for a token; write GitLab's own, such",
        ),
        (
            "https://gitlab.example.org",
            "file:///etc",
            "box.toml: 'file:///etc' is no address for a token; write GitLab's",
        ),
        (
            "https://gitlab.example.org",
            "http://127.0.0.1.example",
            "box.toml: 'http://127.0.0.1.example' is no address for",
        ),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(installed: Host, old: str, new: str, said: str) -> None:
    assert old in CONFIG
    installed.file("box.toml", CONFIG.replace(old, new, 1))
    done = installed.call("register.sh", "box.toml", given=TOKEN)
    assert done.status == 2
    assert done.said.startswith(said)
    assert written(installed) == []


def test_what_is_missing_is_told(host: Host) -> None:
    file = str(host.file("box.toml", CONFIG))
    assert host.call("register.sh").said == "register.sh: expected FILE and perhaps TOKEN_FILE, got 0 words\n"
    assert (
        host.call("register.sh", "no.toml", given=TOKEN).said
        == "no.toml: cannot be read; write it with 'fwdlab runner'\n"
    )
    assert host.call("register.sh", file, "no-token").said == "no-token: cannot be read; write the token into it\n"
    done = host.call("register.sh", file, given=TOKEN)
    assert done.status == 3
    assert done.said == f"{host.config.parent}: cannot be written to; call install.sh first, and this as root\n"
    done = host.without("gitlab-runner").call("register.sh", file, given=TOKEN, PATH=str(host.commands))
    assert done.status == 3
    assert done.said.endswith("'gitlab-runner' is missing; install GitLab's package of it\n")
