"""An archive of small Debian packages: a kernel in each form that is met, and what runs in the guest beside it."""

from __future__ import annotations

import hashlib
import lzma
import subprocess
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


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A folder that the fake apt reads, and the hash of each kernel package by version."""

    folder: Path
    kernels: Mapping[str, str]


def build_archive(folder: Path) -> Archive:
    """The archive, with its index in the order newest first."""
    (folder / "debs").mkdir(parents=True)
    images = {version: bz_image(_packed(IMAGE, command)) for version, command in PACKED.items()}
    images[BARE_VERSION] = NOT_A_BZIMAGE
    kernels = {version: make_deb(folder, KERNEL, version, _kernel(image)) for version, image in images.items()}
    lines = [f"{KERNEL} {version} {kernels[version]} -" for version in sorted(kernels, reverse=True)]
    signpost = make_deb(folder, SIGNPOST, "9.9", {"usr/share/doc/signpost": b""})
    lines.append(f"{SIGNPOST} 9.9 {signpost} {KERNEL}")
    lines += [f"{name} 1 {make_deb(folder, name, '1', content)} -" for name, content in _USERLAND.items()]
    (folder / "index").write_text("".join(f"{line}\n" for line in lines))
    return Archive(folder=folder, kernels=kernels)


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
