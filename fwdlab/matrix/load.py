"""Read a matrix file and the files it names; everything wrong with them is said in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fwdlab.errors import Fault, MatrixError
from fwdlab.files import sha256_of
from fwdlab.matrix.build import matrix_of
from fwdlab.matrix.coverage import coverage_faults
from fwdlab.matrix.model import Matrix
from fwdlab.matrix.references import name_faults
from fwdlab.matrix.shape import Found, shape_faults
from fwdlab.matrix.tree import Trail, Tree, fault_at, mapping, place_of, read_tree, text
from fwdlab.matrix.words import advice, quoted

_NAMED_FILES = (
    ("hardware", "kernel_config", "kernel configuration"),
    ("firewalls", "rules", "rule file"),
    ("patches", "file", "patch"),
)


def load_matrix(path: Path) -> Matrix:
    """The matrix at `path`; MatrixError that names every fault with its line and column."""
    tree = read_tree(_text_of(path), str(path))
    shape = shape_faults(tree)
    names = name_faults(tree, shape)
    coverage = coverage_faults(tree, [*shape, *names])
    hashes, files = _files(tree, path.parent, shape)
    faults = [*tree.faults, *(fault for _, fault in [*shape, *names, *coverage]), *files]
    if faults:
        raise MatrixError.of_faults(faults)
    return matrix_of(tree, hashes)


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MatrixError(f"{path}: does not exist; write one, or name another with --matrix") from error
    except OSError as error:
        raise MatrixError(f"{path}: cannot be read ({error.strerror}); name another with --matrix") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = place_of(data[: error.start].decode(errors="replace"))
        message = f"octet {data[error.start]:#04x} is no UTF-8; save the file as UTF-8"
        raise MatrixError.of_faults([fault_at(str(path), place, message)]) from error


def _files(tree: Tree, folder: Path, shape: Sequence[Found]) -> tuple[Mapping[Trail, str], list[Fault]]:
    """The hash of each file the document names by its trail, and a fault for each that cannot be read."""
    bad = {trail for trail, _ in shape}
    hashes: dict[Trail, str] = {}
    faults = []
    for section, key, noun in _NAMED_FILES:
        for name, entry in mapping(mapping(tree.value).get(section, "")).items():
            trail, path = (section, name, key), text(mapping(entry).get(key, ""))
            if not path or trail in bad:
                continue
            try:
                hashes[trail] = sha256_of(folder / path)
            except OSError as error:
                faults.append(tree.fault(trail, f"{noun} {quoted(path)} {_why(error, folder, path)}"))
    return hashes, faults


def _why(error: OSError, folder: Path, path: str) -> str:
    if not isinstance(error, FileNotFoundError):
        return f"cannot be read ({error.strerror}); name a file that can"
    beside = (folder / path).parent
    if not beside.is_dir():
        return f"does not exist, nor does folder {quoted(str(Path(path).parent))}; write it or name another"
    known = sorted(entry.name for entry in beside.iterdir() if entry.is_file())
    return f"does not exist; {advice(Path(path).name, known)}"
