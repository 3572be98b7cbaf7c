"""An archive of small Debian packages: a kernel in each form that is met, one's source, and what runs in the guest."""

from __future__ import annotations

import hashlib
import io
import lzma
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

KERNEL = "linux-image-6.1.0-9-fake"
RELEASE = "6.1.0-9-fake"
SIGNPOST = "linux-image-fake"  # depends on the kernel of the day
IMAGE = b"\x7fELF" + bytes(range(256)) * 40  # what a compressed kernel unpacks to
NOT_A_BZIMAGE = b"MZ\0\0ARM64" + bytes(2000)
PACKED = {"1.0-1": ("zstd", "-q", "-c"), "2.0-1": ("lz4", "-q", "-l", "-c"), "3.0-1": ("gzip", "-c")}
BARE_VERSION = "4.0-1"  # no bzImage
LATEST = "4.0-1"
LINUX = Path(__file__).parent / "linux"  # the source of a kernel of a few lines
SOURCE = "linux-source-9.9"
SOURCE_SIGNPOST = "linux-source"
NO_SOURCE = "linux-source-0.1"  # has none in it
LATER = b"/* later */\n"  # what the source's second version has more, at the end of net/forward.c


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A folder that the fake apt reads, and the hash of each package of a kernel and of a source by version."""

    folder: Path
    kernels: Mapping[str, str]
    sources: Mapping[str, str]


def build_archive(folder: Path) -> Archive:
    """The archive, with its index in the order newest first."""
    (folder / "debs").mkdir(parents=True)
    images = {version: bz_image(_packed(IMAGE, command)) for version, command in PACKED.items()}
    images[BARE_VERSION] = NOT_A_BZIMAGE
    kernels = {version: make_deb(folder, KERNEL, version, _kernel(image)) for version, image in images.items()}
    lines = [f"{KERNEL} {version} {kernels[version]} -" for version in sorted(kernels, reverse=True)]
    signpost = make_deb(folder, SIGNPOST, "9.9", {"usr/share/doc/signpost": b""})
    lines.append(f"{SIGNPOST} 9.9 {signpost} {KERNEL}")
    sources = {
        "9.9.1-1": make_deb(folder, SOURCE, "9.9.1-1", _source(b"")),
        "9.9.2-1": make_deb(folder, SOURCE, "9.9.2-1", _source(LATER)),
    }
    lines += [f"{SOURCE} {version} {sources[version]} -" for version in sorted(sources, reverse=True)]
    lines.append(f"{SOURCE_SIGNPOST} 9.9 {make_deb(folder, SOURCE_SIGNPOST, '9.9', {})} {SOURCE}")
    lines.append(f"{NO_SOURCE} 1 {make_deb(folder, NO_SOURCE, '1', {'usr/share/doc/none': b''})} -")
    lines += [f"{name} 1 {make_deb(folder, name, '1', content)} -" for name, content in _USERLAND.items()]
    (folder / "index").write_text("".join(f"{line}\n" for line in lines))
    return Archive(folder=folder, kernels=kernels, sources=sources)


def make_deb(archive: Path, name: str, version: str, files: Mapping[str, bytes]) -> str:
    """Put a package into the archive; returns the SHA-256 of its bytes."""
    tree = archive / "trees" / f"{name}_{version}"
    control = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\n"
    for path, data in {**files, "DEBIAN/control": f"{control}Description: fake\n".encode()}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(data)
        (tree / path).chmod(0o755 if "bin/" in path else 0o644)
    deb = archive / "debs" / f"{name}_{version}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(tree), str(deb)], check=True, stdout=subprocess.DEVNULL
    )
    return hashlib.sha256(deb.read_bytes()).hexdigest()


def bz_image(payload: bytes) -> bytes:
    """A kernel in the x86 boot protocol's wrapping, around a payload that ends in the length of what it unpacks to."""
    setup = bytearray(1024)
    setup[0x1F1] = 1  # setup sectors beside the first
    setup[0x202:0x206] = b"HdrS"
    payload += len(IMAGE).to_bytes(4, "little")
    setup[0x248:0x24C] = (96).to_bytes(4, "little")
    setup[0x24C:0x250] = len(payload).to_bytes(4, "little")
    return bytes(setup) + b"\x90" * 96 + payload + b"\x90" * 50


def _packed(image: bytes, command: tuple[str, ...]) -> bytes:
    return subprocess.run(command, input=image, capture_output=True, check=True).stdout


def _kernel(image: bytes) -> Mapping[str, bytes]:
    modules = f"lib/modules/{RELEASE}"
    return {
        f"boot/vmlinuz-{RELEASE}": image,
        f"boot/config-{RELEASE}": b"CONFIG_NET=y\n",
        f"{modules}/modules.builtin": b"",
        f"{modules}/modules.order": b"",
        f"{modules}/kernel/net/core/pktgen.ko.xz": lzma.compress(b"pktgen"),
        f"{modules}/kernel/drivers/net/veth.ko.xz": lzma.compress(b"veth"),
        f"{modules}/kernel/drivers/net/wireless.ko": b"on no packet's way",
        f"{modules}/kernel/lib/crc.ko": b"crc",
    }


def _source(more: bytes) -> Mapping[str, bytes]:
    """The tree of a source package; `more` stands at the end of net/forward.c."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        for path in sorted(item for item in LINUX.rglob("*") if item.is_file()):
            data = path.read_bytes() + (more if path.name == "forward.c" else b"")
            member = tarfile.TarInfo(f"{SOURCE}/{path.relative_to(LINUX)}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return {f"usr/src/{SOURCE}.tar.xz": packed.getvalue()}


_USERLAND: Mapping[str, Mapping[str, bytes]] = {
    "busybox-static": {"bin/busybox": b"busybox"},
    "iproute2": {
        "bin/ip": b"ip \0libone.so.1\0",
        "lib/x86_64-linux-gnu/libone.so.1": b"one, which stands on \0libtwo.so\0",
        "usr/lib/x86_64-linux-gnu/libtwo.so": b"two",
        "usr/lib/x86_64-linux-gnu/libidle.so": b"named by nobody",
    },
    "nftables": {"usr/sbin/nft": b"nft \0libone.so.1\0libabsent.so.3\0"},
    "linux-perf": {"usr/bin/perf": b"perf \0libperf.so.1", "usr/lib/aarch64-linux-gnu/libperf.so.1": b"samples"},
}
