"""A kernel for one boot of a Linux node: by kexec or by GRUB, with the drivers it takes, and room for it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tests.scripts.linux.conftest import Node

RELEASE = "6.12.1-fwdlab"
GRUB = {"grub-mkrelpath": 'echo "$1"', "grub-probe": "echo 0000-1111", "grub-reboot": ""}


def sent(kernel: Path) -> bytes:
    """The kernel as it comes through standard input."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path in sorted(kernel.iterdir()):
            archive.add(path, path.name)
    return stream.getvalue()


def bring(node: Node, *drivers: str, status: int = 0, boot_kib: int = 4096) -> str:
    """What the node says to a kernel with these drivers."""
    kernel = sent(node.kernel(RELEASE, *(drivers or ("igb",))))
    return node.run("provision/linux-kernel.sh", status=status, stdin=kernel, boot_kib=boot_kib)


def test_kexec_loads_it_with_the_command_line_that_is(node: Node) -> None:
    node.stand_in("kexec")
    assert bring(node) == "kexec\n"
    assert node.called[-2:] == ["kexec -u", "kexec -l /boot/fwdlab/image --reuse-cmdline"]
    assert {path.name for path in (node.boot / "fwdlab").iterdir()} == {"image", "config", "release"}
    assert (node.modules / RELEASE / "fwdlab").exists()


def test_modules_of_an_earlier_kernel_go_and_those_of_packages_stay(node: Node) -> None:
    node.stand_in("kexec")
    for release, mark in (("6.1.0-49-amd64", False), ("5.15.0-fwdlab", True)):
        (node.modules / release).mkdir()
        if mark:
            (node.modules / release / "fwdlab").touch()
    bring(node)
    assert {path.name for path in node.modules.iterdir()} == {"6.1.0-49-amd64", RELEASE}


def test_a_root_that_only_a_first_file_system_finds_gets_one(node: Node) -> None:
    node.stand_in("kexec")
    node.stand_in("mkinitramfs", 'echo initrd >"$2"')
    (node.folder / "cmdline").write_text("root=UUID=1234 ro quiet\n")
    bring(node)
    assert node.called[-1] == "kexec -l /boot/fwdlab/image --reuse-cmdline --initrd=/boot/fwdlab/initrd"


def test_where_kexec_may_not_an_entry_of_grub_is_chosen_once(node: Node) -> None:
    node.stand_in("kexec", '[ "$1" != -l ] || { echo "kexec_load failed: Operation not permitted" >&2; exit 1; }')
    for name, does in GRUB.items():
        node.stand_in(name, does)
    (node.boot / "grub/grub.cfg").write_text("source ${config_directory}/custom.cfg\n")
    (node.boot / "grub/custom.cfg").write_text("# mine\n")
    for _ in range(2):
        assert bring(node) == "an entry of GRUB's\n"
    assert node.called[-1] == "grub-reboot fwdlab"
    assert (node.boot / "grub/custom.cfg").read_text() == (
        "# mine\n"
        "# fwdlab: begin\n"
        f"menuentry 'fwdlab {RELEASE}' --id fwdlab {{\n"
        "\tsearch --no-floppy --fs-uuid --set=root 0000-1111\n"
        "\tlinux /boot/fwdlab/image root=/dev/vda1 ro\n"
        "}\n"
        "# fwdlab: end\n"
    )


@pytest.mark.parametrize(
    ("programs", "grub", "sentence"),
    [
        (
            (),
            None,
            "has neither 'kexec' nor GRUB, one of which boots a kernel once; install the package 'kexec-tools' there",
        ),
        (
            ("kexec",),
            None,
            f"kexec cannot load kernel {RELEASE} (no), and there is no GRUB; "
            "start what allows that, or install the package 'grub-pc'",
        ),
        (
            ("grub-reboot",),
            "",
            "its GRUB reads no 'custom.cfg'; run 'update-grub' there, or install the package 'kexec-tools'",
        ),
    ],
)
def test_a_node_that_cannot_boot_once_is_told(
    node: Node, programs: tuple[str, ...], grub: str | None, sentence: str
) -> None:
    for name in programs:
        node.stand_in(name, "echo no >&2; exit 1")
    if grub is not None:
        (node.boot / "grub/grub.cfg").write_text(grub)
    assert bring(node, status=3).splitlines()[-1] == sentence


def test_a_kernel_without_the_driver_of_a_port_is_refused_before_it_is_booted(node: Node) -> None:
    node.stand_in("kexec")
    said = bring(node, "virtio_net", status=92)
    assert said.splitlines()[-1] == (
        f"kernel {RELEASE} has no driver 'igb', which interface 'd0' needs; "
        "choose another, or set its option in 'kernel_config' of the matrix"
    )
    assert not (node.boot / "fwdlab").exists()
    assert node.called == []


def test_a_boot_without_room_is_told(node: Node) -> None:
    node.stand_in("kexec")
    (node.boot / "old").write_bytes(bytes(60 * 1024))
    said = bring(node, status=3, boot_kib=64)
    assert said.splitlines()[-1] == (
        "'/boot' cannot take the kernel (0 MiB are free); free space there, or mount it for writing"
    )


def test_a_package_the_archive_does_not_have_is_refused(node: Node) -> None:
    for name in ("apt-cache", "dpkg-query"):
        node.stand_in(name, "exit 1")
    complaint = "E: Version '9' for 'linux-image-a' was not found"
    node.stand_in("apt-get", f'case $* in *download*) echo "{complaint}" >&2; exit 100 ;; esac')
    said = node.run("provision/linux-package.sh", "linux-image-a", "9", "d0", "d1", status=92)
    assert said.splitlines()[-1] == (
        "its apt has no package 'linux-image-a' in version '9' (E: Version '9' for 'linux-image-a' was not found); "
        "see 'apt-cache policy linux-image-a' there, and mend the revision or apt's sources"
    )
    assert "apt-get -qq update" in node.called


def test_a_package_that_is_installed_is_booted_as_it_lies(node: Node) -> None:
    node.stand_in("kexec")
    node.stand_in("apt-cache", 'printf "  Depends: linux-image-6.1.0-49-amd64\\n"')
    installed = 'case $* in *-W*) printf "6.1.174-1 installed" ;; *) echo /boot/vmlinuz-6.1.0-49-amd64 ;; esac'
    node.stand_in("dpkg-query", installed)
    (node.boot / "vmlinuz-6.1.0-49-amd64").write_text("an image\n")
    (node.boot / "config-6.1.0-49-amd64").write_text("CONFIG_IGB=m\n")
    modules = node.modules / "6.1.0-49-amd64"
    modules.mkdir()
    (modules / "modules.order").write_text("kernel/drivers/net/ethernet/intel/igb/igb.ko\n")
    node.stand_in("mkinitramfs", 'echo initrd >"$2"')
    assert node.run("provision/linux-package.sh", "linux-image-{arch}", "6.1.174-1", "d0", "d1") == "kexec\n"
    assert (node.boot / "fwdlab/release").read_text() == "6.1.0-49-amd64\n"
    assert not (modules / "fwdlab").exists()


def test_an_operators_script_has_the_version_and_its_end_is_told(node: Node) -> None:
    (node.folder / "node/command").write_text('echo "$1" >>version; exit 7\n')
    said = node.run("provision/command.sh", "boot/own.sh", "6.12.1", status=3)
    assert said.splitlines()[-1] == "'boot/own.sh' ended with status 7 (); mend that and run again"
    assert (node.folder / "node/version").read_text() == "6.12.1\n"
