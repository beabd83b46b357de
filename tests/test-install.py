#!/usr/bin/env python3
# gst-cca: what `meson install` leaves works as docs/installation.md says, also where it was moved
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-install.py SOURCE_ROOT ELEMENTS MESON [MESON_OPTION...]

Configures, builds and installs into a temporary prefix with the options given, which build these elements, a list with
commas."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tap  # noqa: E402

SOURCE, ELEMENTS, MESON, *OPTIONS = sys.argv[1:]

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
    "include/gstreamer-1.0/gst/cca/gstccaeventmeta.h",
    "include/gstreamer-1.0/gst/cca/gstccameta.h",
    "include/gstreamer-1.0/gst/cca/gstccatrackmeta.h",
    "include/cca/cca.h",
    "include/cca/label-color.h",
    "include/cca/output.h",
]
EXPECTED_ZONES = ["LIB/gstreamer-1.0/libgstccazones.so", "share/gst-cca/ccazones.schema.json"]
EXPECTED_JSON = ["LIB/gstreamer-1.0/libgstccajson.so", "share/gst-cca/ccajson.schema.json"]
EXPECTED_ONVIF = ["LIB/gstreamer-1.0/libgstccaonvif.so"]
EXPECTED_INDEX = ["LIB/gstreamer-1.0/libgstccaindex.so", "bin/gst-cca-find", "share/man/man1/gst-cca-find.1"]
EXPECTED_BROKER = ["LIB/gstreamer-1.0/libgstccabroker.so"]
EXPECTED_INTROSPECTION = ["LIB/girepository-1.0/GstCca-1.0.typelib", "share/gir-1.0/GstCca-1.0.gir"]

# A prefix with a space: quoting in .pc files is part of the promise, as is that nothing points to the build folder.
work = tempfile.TemporaryDirectory(prefix="gst cca ")
prefix = Path(work.name) / "prefix"
build = Path(work.name) / "build"
library_folder = None
# What neither docs/installation.md nor a user sets.
for name in ["LD_LIBRARY_PATH", "GST_PLUGIN_PATH", "GI_TYPELIB_PATH"]:
    os.environ.pop(name, None)


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
    os.environ["GST_REGISTRY"] = f"{work.name}/registry.bin"
    # Nothing may be found where it was built.
    shutil.rmtree(build / "gst")
    shutil.rmtree(build / "cca")


def moved_to(place):
    """The library folder, after the installation was moved to a place."""
    global prefix, library_folder
    library_folder = place / library_folder.relative_to(prefix)
    place.parent.mkdir(parents=True, exist_ok=True)
    prefix = prefix.rename(place)
    return library_folder


def every_file_is_installed_and_no_other_is_public():
    assert library_folder, "nothing was installed"
    expected = list(EXPECTED)
    if "-Dintrospection=disabled" not in OPTIONS:
        expected += EXPECTED_INTROSPECTION
    if "-Dzones=disabled" not in OPTIONS:
        expected += EXPECTED_ZONES
    if "-Djson=disabled" not in OPTIONS:
        expected += EXPECTED_JSON
    if "-Dindex=disabled" not in OPTIONS:
        expected += EXPECTED_INDEX
    if "-Donvif=disabled" not in OPTIONS:
        expected += EXPECTED_ONVIF
    if "-Dkafka=enabled" in OPTIONS or "-Dmqtt=enabled" in OPTIONS:
        expected += EXPECTED_BROKER
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


def inspect(*arguments):
    return run("gst-inspect-1.0", "--no-colors", *arguments, GST_PLUGIN_PATH=str(library_folder / "gstreamer-1.0"))


def plugin_loads_with_its_path_alone_and_tells_its_origin():
    description = inspect("cca")
    for key, value in {
        "Filename": str(library_folder / "gstreamer-1.0" / "libgstcca.so"),
        "Binary package": "gst-cca",
        "Origin URL": next(option.split("=")[1] for option in OPTIONS if option.startswith("-Dpackage-origin=")),
    }.items():
        assert re.search(rf"^ *{key} +{re.escape(value)}$", description, re.MULTILINE), f"{key}: {description}"
    for element in ELEMENTS.split(","):
        inspect(element)
    libraries = run("ldd", library_folder / "gstreamer-1.0" / "libgstcca.so")
    for library in ["libcca.so.0", "libgstcca-1.0.so.0"]:
        assert f"{library} => {library_folder}" in libraries.replace("gstreamer-1.0/../", ""), libraries


def blacklisted_plugin_comes_back_as_the_page_says():
    os.remove(os.environ["GST_REGISTRY"])
    library = library_folder / "libcca.so.0"
    away = library.rename(library.with_suffix(".away"))
    try:
        assert "libgstcca.so" in inspect("-b"), "a plugin whose library is missing is not blacklisted"
    finally:
        away.rename(library)
    assert "libgstcca.so" in inspect("-b"), "the page need not speak of the blacklist any more"
    os.remove(os.environ["GST_REGISTRY"])
    inspect("cca")
    assert "libgstcca.so" not in inspect("-b")


def python_reads_the_meta():
    if "-Dintrospection=disabled" in OPTIONS:
        raise tap.Skip("built without introspection")
    example = prefix / "share" / "doc" / "gst-cca" / "examples" / "read_meta.py"
    output = run(
        "/usr/bin/python3",
        example,
        "videotestsrc num-buffers=2 pattern=ball ! cca foreground=threshold",
        GST_PLUGIN_PATH=str(library_folder / "gstreamer-1.0"),
        GI_TYPELIB_PATH=str(library_folder / "girepository-1.0"),
        LD_LIBRARY_PATH=str(library_folder),
    )
    assert output.count(": 1 components") == 2, output


def installed_pages_name_only_what_is_installed():
    """Links of installed pages, and the files of the source tree that their text names."""
    folder = prefix / "share" / "doc" / "gst-cca"
    pages = sorted(folder.rglob("*.md"))
    assert {"installation.md", "messages-and-meta.md", "cca.md"} <= {page.name for page in pages}, pages
    installed = {str(path.relative_to(prefix)) for path in prefix.rglob("*")}
    wrong = []
    for page in pages:
        text = page.read_text()
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"[a-z]+:|#", target) and not (page.parent / target.split("#")[0]).exists():
                wrong.append(f"{page.relative_to(folder)} links to {target}")
        for name in sorted(set(re.findall(r"(?<![\w./-])(?!\.\.)[\w.-]+(?:/[\w.-]+)+", text))):
            in_source = (Path(SOURCE) / name).exists() or name.startswith("build/")
            if in_source and not (folder / name).exists() and not any(path.endswith(f"/{name}") for path in installed):
                wrong.append(f"{page.relative_to(folder)} names {name}")
    assert not wrong, ", ".join(wrong)


def installed_rules_name_the_installed_schema():
    if "-Dzones=disabled" in OPTIONS:
        raise tap.Skip("built without ccazones")
    rules = sorted((prefix / "share" / "doc" / "gst-cca" / "examples").glob("*.rules.json"))
    assert rules, "no rules are installed"
    schema = (prefix / "share" / "gst-cca" / "ccazones.schema.json").read_text()
    for path in rules:
        assert (path.parent / json.loads(path.read_text())["$schema"]).read_text() == schema, path.name


def moved_installation_works():
    moved_to(Path(work.name) / "elsewhere" / "gst-cca")
    plugin_loads_with_its_path_alone_and_tells_its_origin()
    c_example_builds_with_pkg_config_alone_and_runs()
    library_program_builds_with_pkg_config_alone_and_runs()


def c_example_builds_with_pkg_config_alone_and_runs():
    output = compile_and_run(
        f"{SOURCE}/examples/appsink-components.c",
        f"{work.name}/appsink-components",
        ["gstreamer-cca-1.0", "gstreamer-app-1.0"],
        ["videotestsrc num-buffers=2 pattern=ball ! cca foreground=threshold"],
        GST_PLUGIN_PATH=str(library_folder / "gstreamer-1.0"),
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
    plugin_loads_with_its_path_alone_and_tells_its_origin,
    blacklisted_plugin_comes_back_as_the_page_says,
    python_reads_the_meta,
    installed_pages_name_only_what_is_installed,
    installed_rules_name_the_installed_schema,
    c_example_builds_with_pkg_config_alone_and_runs,
    library_program_builds_with_pkg_config_alone_and_runs,
    moved_installation_works,
)
work.cleanup()
sys.exit(status)
