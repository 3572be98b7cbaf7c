"""Read a matrix file and its rule files; everything wrong with them is said in one go."""

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
from fwdlab.matrix.tree import Tree, fault_at, mapping, place_of, read_tree, text
from fwdlab.matrix.words import advice, quoted


def load_matrix(path: Path) -> Matrix:
    """The matrix at `path`; MatrixError that names every fault with its line and column."""
    tree = read_tree(_text_of(path), str(path))
    shape = shape_faults(tree)
    names = name_faults(tree, shape)
    coverage = coverage_faults(tree, [*shape, *names])
    hashes, files = _rule_files(tree, path.parent, shape)
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


def _rule_files(tree: Tree, folder: Path, shape: Sequence[Found]) -> tuple[Mapping[str, str], list[Fault]]:
    """The hash of each rule file by firewall, and a fault for each that cannot be read."""
    bad = {trail for trail, _ in shape}
    hashes, faults = {}, []
    for name, entry in mapping(mapping(tree.value).get("firewalls", "")).items():
        trail, rules = ("firewalls", name, "rules"), text(mapping(entry).get("rules", ""))
        if not rules or trail in bad:
            continue
        try:
            hashes[name] = sha256_of(folder / rules)
        except OSError as error:
            faults.append(tree.fault(trail, f"rule file {quoted(rules)} {_why(error, folder, rules)}"))
    return hashes, faults


def _why(error: OSError, folder: Path, rules: str) -> str:
    if not isinstance(error, FileNotFoundError):
        return f"cannot be read ({error.strerror}); name a file that can"
    beside = (folder / rules).parent
    if not beside.is_dir():
        return f"does not exist, nor does folder {quoted(str(Path(rules).parent))}; write it or name another"
    known = sorted(path.name for path in beside.iterdir() if path.is_file())
    return f"does not exist; {advice(Path(rules).name, known)}"
