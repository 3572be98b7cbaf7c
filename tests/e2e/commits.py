"""A small git tree: the Debian source of a kernel, and commits made on top of it.

Nothing is checked out: the tree is a bare repository that borrows the objects of the source which the lab keeps.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FORWARD = "net/ipv4/ip_forward.c"
INET = "net/ipv4/af_inet.c"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One commit: its subject, and a passage of a file that it replaces."""

    subject: str
    file: str
    old: str
    new: str


_CALL = "\t\t       ip_forward_finish);\n\nsr_failed:"
_COPY = "\tiph = ip_hdr(skb);\n\n\t/* Decrease ttl"
_INIT = "\tsock_skb_cb_check_size(sizeof(struct inet_skb_parm));\n\n\traw_hashinfo"

CHANGES = (
    Change(
        subject="ipv4: say it politely", file=FORWARD, old="/* that should never happen */", new="/* never, please */"
    ),
    Change(
        subject="ipv4: one blank line is enough",
        file=FORWARD,
        old="\treturn true;\n}\n\n\n",
        new="\treturn true;\n}\n\n",
    ),
    Change(
        subject="ipv4: rename a function, but not where it is called",
        file=FORWARD,
        old="static int ip_forward_finish(",
        new="static int ip_forward_done(",
    ),
    Change(
        subject="ipv4: look before forwarding",
        file=FORWARD,
        old=_COPY,
        new=_COPY.replace("\n\n", "\n\n\tfor (unsigned int look = 0; look < 20; look++)\n\t\tbarrier();\n\n", 1),
    ),
    Change(subject="ipv4: call it by its new name", file=FORWARD, old=_CALL, new=_CALL.replace("_finish", "_done")),
    Change(
        subject="ipv4: be careful at boot",
        file=INET,
        old=_INIT,
        new=_INIT.replace("\n\n", '\n\tpanic("too careful");\n\n'),
    ),
    Change(
        subject="ipv4: not that careful",
        file=INET,
        old=_INIT.replace("\n\n", '\n\tpanic("too careful");\n\n'),
        new=_INIT,
    ),
    Change(
        subject="ipv4: say it as it was", file=FORWARD, old="/* never, please */", new="/* that should never happen */"
    ),
)
BROKEN, COSTLY, MENDED, PANICS = 3, 4, 5, 6  # places in the history; 0 is Debian's source


def git(folder: Path, *words: str, given: str | None = None, index: Path | None = None) -> str:
    """What git says in a repository; commits have the same ids every time."""
    nobody = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2024-01-01T00:00:00Z"))
    }
    own = {**os.environ, **nobody, **({"GIT_INDEX_FILE": str(index)} if index else {})}
    command = ["git", f"--git-dir={folder}", *words]
    return subprocess.run(command, env=own, input=given, capture_output=True, text=True, check=True).stdout


def history(folder: Path, source: Path, tree: str, changes: Sequence[Change] = CHANGES) -> list[str]:
    """The commits of a repository made in that folder, oldest first; `source` has the objects of `tree`."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    (folder / "objects" / "info" / "alternates").write_text(f"{source / 'objects'}\n")
    commits = [git(folder, "commit-tree", "-m", "Debian's source", tree).strip()]
    index = folder / "index"
    git(folder, "read-tree", tree, index=index)
    for change in changes:
        text = git(folder, "show", f"{commits[-1]}:{change.file}")
        assert text.count(change.old) == 1, f"{change.subject}: its passage is not in {change.file} once"
        blob = git(folder, "hash-object", "-w", "--stdin", given=text.replace(change.old, change.new)).strip()
        git(folder, "update-index", "--cacheinfo", f"100644,{blob},{change.file}", index=index)
        tree = git(folder, "write-tree", index=index).strip()
        commits.append(git(folder, "commit-tree", "-p", commits[-1], "-m", change.subject, tree).strip())
    git(folder, "update-ref", "refs/heads/main", commits[-1])
    return commits
