"""A store in a branch, as it is at one commit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fwdlab.errors import MatrixError
from fwdlab.store.entry import MARKER, is_entry
from fwdlab.store.folder import check_marker
from fwdlab.store.git import Git

_AT_ONCE = 500  # paths of one call


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """The entries of one commit; of none where there is no commit yet."""

    git: Git
    title: str
    commit: str  # empty: nothing has been added yet

    def check(self) -> None:
        """MatrixError where the commit is none of a store, RecordError where the store is of another format."""
        (content,) = (content for _, content in self.contents([MARKER]))
        if content is None:
            raise MatrixError(f"{self.title}: holds files and is no store; name a branch of its own")
        check_marker(content.decode(errors="replace"), self.title)

    def names(self, *folders: str) -> list[str]:
        """The paths of all entries below these folders of the store, sorted."""
        return sorted(path for path in self._paths(folders) if is_entry(path))

    def contents(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """The bytes at each path as they lie there; None where there are none."""
        listed = list(paths)
        found = self.git.objects(f"{self.commit}:{path}" for path in listed) if self.commit else (None for _ in listed)
        yield from zip(listed, found, strict=True)

    def lacking(self, paths: Sequence[str]) -> set[str]:
        """Those of the paths that are not there."""
        if not self.commit or not paths:
            return set(paths)
        asked = "".join(f"{self.commit}:{path}\n" for path in paths).encode()
        answers = self.git.said("cat-file", "--batch-check=%(objecttype)", fed=asked).splitlines()
        return {path for path, answer in zip(paths, answers, strict=True) if answer != "blob"}

    def strays(self) -> list[str]:
        """Files that are no entries, sorted."""
        return sorted(path for path in self._paths([""]) if path != MARKER and not is_entry(path))

    def settled(self, paths: Collection[str]) -> set[str]:
        """All of them: what is added together comes in one commit."""
        return set(paths)

    def _paths(self, folders: Sequence[str]) -> Iterator[str]:
        """Every path below the folders; an empty one is the whole store."""
        chunks = [()] if "" in folders else [folders[at : at + _AT_ONCE] for at in range(0, len(folders), _AT_ONCE)]
        for chunk in chunks if self.commit else ():
            said = self.git.said("ls-tree", "-r", "-z", "--full-tree", "--name-only", self.commit, "--", *chunk)
            yield from filter(None, said.split("\0"))
