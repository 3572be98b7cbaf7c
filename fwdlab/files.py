"""Whole files or none: writes go to a temporary name, reach the disk, and take the real name in one step."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from fwdlab.errors import LabError


def write_whole(path: Path, content: str | bytes) -> None:
    """Put `content` at `path`: a reader sees the old file or the new one, never a part; LabError if it cannot."""
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put_in_place(path, data, path.parent, f".{path.name}.", mode=0o644)
    except OSError as error:
        raise LabError(f"{path}: cannot be written ({error.strerror}); free space or choose another folder") from error


def put_in_place(path: Path, data: bytes, way: Path, prefix: str, *, mode: int, durable: bool = True) -> None:
    """Write a file under a name in the folder `way` that begins so, then give it its own; OSError leaves neither.

    Where it is durable its bytes are on the disk before it has its name.
    """
    with tempfile.NamedTemporaryFile(dir=way, prefix=prefix, delete=False) as temporary:
        try:
            temporary.write(data)
            temporary.flush()
            if durable:
                os.fsync(temporary.fileno())
            os.fchmod(temporary.fileno(), mode)
            os.replace(temporary.name, path)  # noqa: PTH105
        except BaseException:
            Path(temporary.name).unlink(missing_ok=True)
            raise


def sha256_of(path: Path) -> str:
    """SHA-256 of the file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def tree_sha256(root: Path) -> str:
    """SHA-256 over names and bytes of all files below `root`, in the order of their names; modes and times aside."""
    digest = hashlib.sha256()
    for path in sorted(item for item in root.rglob("*") if item.is_file()):
        digest.update(f"{path.relative_to(root).as_posix()}\0{sha256_of(path)}\n".encode())
    return digest.hexdigest()
