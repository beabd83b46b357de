#!/usr/bin/env python3
# gst-cca: when examples/setup.sh fetches nvcc, and what it tells Meson of CUDA
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands that setup.sh calls are replaced by scripts that note how they were called; tests/fresh.sh runs the
real ones on a system of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SYSTEM_NVCC = Path("/usr/local/cuda/bin/nvcc")
COMMANDS = {
    "meson": 'echo "meson $*" >>"$CALLS"; for last; do :; done; touch "$BUILD/build.ninja"',
    "ninja": "echo ninja: no work to do.",
    "python3": 'echo "python3 $*" >>"$CALLS"; $PIP || exit 1\n'
    'while [ "$1" != --target ]; do shift; done; mkdir -p "$2/nvidia/cu13/bin"',
    "nvidia-smi": '[ -n "$GPUS" ] && printf "%s\\n" $GPUS',
    "ldconfig": '$DRIVER && echo "libcuda.so.1 (libc6,x86-64) => /lib/libcuda.so.1"',
}


class Machine:
    """A machine with or without a driver and nvcc, on which setup.sh can be run several times."""

    def __init__(self, driver, nvcc=False, pip=True, gpus=""):
        if not driver and any(os.path.exists(device) for device in ["/dev/nvidiactl", "/dev/dxg"]):
            raise tap.Skip("this machine has a driver")
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        self.build, self.calls, bin = root / "build", root / "calls", root / "bin"
        shutil.copytree(EXAMPLES, root / "examples")
        bin.mkdir()
        for name, script in {**COMMANDS, **({"nvcc": "printf 'compute_%s\\n' 75 86 90"} if nvcc else {})}.items():
            (bin / name).write_text(f"#!/bin/sh\n{script}\n")
            (bin / name).chmod(0o755)
        self.command = [root / "examples" / "setup.sh", "--no-install", "--build", self.build]
        if SYSTEM_NVCC.exists():
            # In a namespace of its own, an empty folder hides it.
            (root / "empty").mkdir()
            hide = f'mount --bind {root}/empty {SYSTEM_NVCC.parent.parent.resolve()} && exec "$@"'
            user = ["--map-root-user"] if os.getuid() else []  # which a chroot does not allow
            hidden = ["unshare", *user, "--mount", "sh", "-c", hide, "sh"]
            self.command = [*hidden, *self.command]
            if subprocess.run([*hidden, "true"], capture_output=True).returncode:
                raise tap.Skip(f"{SYSTEM_NVCC} is there, and cannot be hidden without namespaces")
        self.environment = {
            **os.environ,
            "PATH": f"{bin}:/usr/bin:/bin",
            "BUILD": str(self.build),
            "CALLS": str(self.calls),
            "DRIVER": "true" if driver else "false",
            "PIP": "true" if pip else "false",
            "GPUS": gpus,
        }

    def setup(self, *switches, fails=False):
        """The calls of python3 and meson."""
        self.calls.write_text("")
        result = subprocess.run(
            [*self.command, *switches], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert (result.returncode != 0) == fails, result.stdout + result.stderr
        self.output = result.stdout + result.stderr
        return self.calls.read_text().splitlines()

    def toolkit(self):
        return f"-Dcuda-toolkit={self.build}/cuda-toolkit/nvidia/cu13"


def driver_without_nvcc_gets_the_pinned_one():
    machine = Machine(driver=True)
    pip, meson = machine.setup()
    assert "-m pip install" in pip and "--require-hashes" in pip, pip
    assert pip.endswith("/examples/cuda-toolkit.txt"), pip
    assert "-Dcuda=auto" in meson and machine.toolkit() in meson, meson
    assert machine.setup() == [], "it is fetched and configured again"


def every_package_is_pinned_with_hashes():
    text = (EXAMPLES / "cuda-toolkit.txt").read_text()
    packages = [entry for entry in text.replace("\\\n", " ").splitlines() if not entry.startswith("#")]
    assert len(packages) == 5 and all("==13.0." in entry and "--hash=sha256:" in entry for entry in packages), packages


def nothing_is_fetched_without_a_driver_or_beside_nvcc():
    for machine in [Machine(driver=False), Machine(driver=True, nvcc=True)]:
        (meson,) = machine.setup()
        assert "-Dcuda=auto" in meson and meson.count("-Dcuda-toolkit= ") == 1, meson


def no_cuda_leaves_it_out():
    machine = Machine(driver=True)
    (meson,) = machine.setup("--no-cuda")
    assert "-Dcuda=disabled" in meson, meson


def cuda_fetches_it_without_a_driver():
    machine = Machine(driver=False)
    pip, meson = machine.setup("--cuda")
    assert "-Dcuda=enabled" in meson and machine.toolkit() in meson, (pip, meson)


def other_switches_configure_again():
    machine = Machine(driver=True)
    machine.setup("--no-cuda")
    pip, meson = machine.setup()
    assert "--reconfigure" in meson and machine.toolkit() in meson, (pip, meson)
    (meson,) = machine.setup("--no-cuda")
    assert "--reconfigure" in meson and "-Dcuda=disabled" in meson, meson


def here_compiles_no_kernels_that_cannot_run():
    machine = Machine(driver=False, nvcc=True)
    (meson,) = machine.setup("--here")
    assert "-Dcuda=disabled" in meson and "-Dcuda-arch" not in meson, meson
    assert machine.setup("--here") == []
    (meson,) = machine.setup("--tests")
    assert "--reconfigure" in meson and "-Dcuda=auto" in meson and "-Dcuda-arch=75 " in meson, meson
    assert machine.setup("--here") == [], "what was compiled is thrown away"
    (meson,) = Machine(driver=True, nvcc=True, gpus="9.0").setup("--here")
    assert "-Dcuda=auto" in meson and "-Dcuda-arch=90 " in meson, meson


def folder_configured_by_hand_stays():
    machine = Machine(driver=True)
    machine.build.mkdir()
    (machine.build / "build.ninja").touch()
    assert machine.setup() == []


def without_pypi_the_rest_is_built():
    machine = Machine(driver=True, pip=False)
    _, meson = machine.setup()
    assert "-Dcuda=disabled" in meson and "nvcc cannot be fetched" in machine.output, (meson, machine.output)
    machine.setup("--cuda", fails=True)
    assert "nvcc cannot be fetched" in machine.output, machine.output


def kernels_are_compiled_for_the_gpus_that_are_here():
    for gpus, switches, archs in [
        ("9.0 8.6 9.0", [], "86,90"),
        ("9.0 13.0", [], "auto"),  # nvcc is older than one of them
        ("9.0", ["--tests", "--sanitize"], "90"),
        ("", ["--tests"], "auto"),
    ]:
        (meson,) = Machine(driver=True, nvcc=True, gpus=gpus).setup(*switches)
        assert f"-Dcuda-arch={archs} " in meson, (gpus, switches, meson)
    for switches, archs in [([], "auto"), (["--tests"], "75"), (["--tests", "--sanitize"], "120")]:
        (meson,) = Machine(driver=False, nvcc=True).setup(*switches)
        assert f"-Dcuda-arch={archs} " in meson, (switches, meson)
    (meson,) = Machine(driver=True, nvcc=True, gpus="9.0").setup("--no-cuda")
    assert "-Dcuda-arch" not in meson, meson


sys.exit(
    tap.run(
        driver_without_nvcc_gets_the_pinned_one,
        every_package_is_pinned_with_hashes,
        nothing_is_fetched_without_a_driver_or_beside_nvcc,
        no_cuda_leaves_it_out,
        cuda_fetches_it_without_a_driver,
        other_switches_configure_again,
        here_compiles_no_kernels_that_cannot_run,
        folder_configured_by_hand_stays,
        without_pypi_the_rest_is_built,
        kernels_are_compiled_for_the_gpus_that_are_here,
    )
)
