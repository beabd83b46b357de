#!/usr/bin/env python3
# gst-cca: what `meson install` leaves is enough to build and run against with pkg-config alone
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-install.py SOURCE_ROOT MESON [MESON_OPTION...]

Configures, builds and installs into a temporary prefix with the options given."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tap  # noqa: E402

SOURCE, MESON, *OPTIONS = sys.argv[1:]

LIBRARY_PROGRAM = """
#include <cca/cca.h>
#include <stdio.h>
int
main (void)
{
  CcaContext *context;
  if (cca_context_new (NULL, &context) != CCA_OK)
    return 1;
  puts (cca_version ());
  cca_context_free (context);
  return 0;
}
"""

# Files that users of the installation need; LIB is the library folder.
EXPECTED = [
    "LIB/gstreamer-1.0/libgstcca.so",
    "LIB/libgstcca-1.0.so",
    "LIB/libgstcca-1.0.so.0",
    "LIB/libcca.so",
    "LIB/libcca.so.0",
    "LIB/pkgconfig/gstreamer-cca-1.0.pc",
    "LIB/pkgconfig/libcca.pc",
    "include/gstreamer-1.0/gst/cca/gstccameta.h",
    "include/cca/cca.h",
    "include/cca/label-color.h",
]
EXPECTED_INTROSPECTION = ["LIB/girepository-1.0/GstCca-1.0.typelib", "share/gir-1.0/GstCca-1.0.gir"]

# A prefix with a space: quoting in .pc files is part of the promise, as is that nothing points to the build folder.
work = tempfile.TemporaryDirectory(prefix="gst cca ")
prefix = Path(work.name) / "prefix"
build = Path(work.name) / "build"
library_folder = None


def run(*command, **environment):
    result = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        cwd=work.name,
    )
    if result.returncode:
        for line in result.stdout.splitlines()[-30:]:
            print("#", line)
        raise AssertionError(f"{' '.join(map(str, command[:3]))} …: exit status {result.returncode}")
    return result.stdout


def pkg_config(*arguments):
    path = [str(library_folder / "pkgconfig")] + [p for p in [os.environ.get("PKG_CONFIG_PATH")] if p]
    return run("pkg-config", *arguments, PKG_CONFIG_PATH=":".join(path)).strip()


def compile_and_run(source, program, packages, arguments=(), **environment):
    import shlex

    flags = shlex.split(pkg_config("--cflags", "--libs", *packages))
    run("cc", "-Wall", "-Wextra", "-Werror", "-o", program, source, *flags)
    return run(program, *arguments, LD_LIBRARY_PATH=str(library_folder), **environment)


def install():
    global library_folder
    run(MESON, "setup", "--buildtype=debug", f"--prefix={prefix}", *OPTIONS, build, SOURCE)
    run(MESON, "install", "-C", build)
    library_folder = next(prefix.rglob("pkgconfig")).parent


def every_file_is_installed_and_no_other_is_public():
    assert library_folder, "nothing was installed"
    expected = list(EXPECTED)
    if "-Dintrospection=disabled" not in OPTIONS:
        expected += EXPECTED_INTROSPECTION
    expected = [name.replace("LIB", str(library_folder.relative_to(prefix))) for name in expected]
    missing = [name for name in expected if not (prefix / name).exists()]
    assert not missing, f"not installed: {', '.join(missing)}"
    headers = {str(path.relative_to(prefix)) for path in (prefix / "include").rglob("*") if path.is_file()}
    extra = headers - set(expected)
    assert not extra, f"headers that are not part of the API are installed: {', '.join(sorted(extra))}"


def pkg_config_names_the_version():
    version = pkg_config("--modversion", "gstreamer-cca-1.0")
    assert version == pkg_config("--modversion", "libcca"), "two versions"
    project = run(MESON, "introspect", "--projectinfo", build)
    assert f'"version": "{version}"' in project, (version, project)


def c_example_builds_with_pkg_config_alone_and_runs():
    output = compile_and_run(
        f"{SOURCE}/examples/appsink-components.c",
        f"{work.name}/appsink-components",
        ["gstreamer-cca-1.0", "gstreamer-app-1.0"],
        ["videotestsrc num-buffers=2 pattern=ball ! cca foreground=threshold"],
        GST_PLUGIN_PATH=str(library_folder / "gstreamer-1.0"),
        GST_REGISTRY=f"{work.name}/registry.bin",
    )
    assert output.count(": 1 components") == 2, output


def library_program_builds_with_pkg_config_alone_and_runs():
    source = Path(work.name) / "library.c"
    source.write_text(LIBRARY_PROGRAM)
    output = compile_and_run(str(source), f"{work.name}/library", ["libcca"])
    assert output.strip() == pkg_config("--modversion", "libcca"), output


status = tap.run(
    install,
    every_file_is_installed_and_no_other_is_public,
    pkg_config_names_the_version,
    c_example_builds_with_pkg_config_alone_and_runs,
    library_program_builds_with_pkg_config_alone_and_runs,
)
work.cleanup()
sys.exit(status)
