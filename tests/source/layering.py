#!/usr/bin/env python3
# gst-cca: who may include whom, and what the libraries export
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks the includes of every layer and the dynamic symbols of the built libraries; speaks TAP.

usage: layering.py ROOT [NAME=LIBRARY…]    NAME is cca, meta or "plugin NAME"
"""

import re
import subprocess
import sys
from pathlib import Path

LIBC = set("""
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h
time.h uchar.h wchar.h wctype.h dlfcn.h pthread.h sched.h unistd.h""".split())
POSIX = {"fcntl.h", "netdb.h", "poll.h", "sys/file.h", "sys/socket.h", "sys/stat.h"}
INTRINSICS = {"immintrin.h", "smmintrin.h", "cpuid.h", "arm_neon.h"}

# Of kernels; and of both sides of an algorithm: its own folder, and what algorithms on segments share.
DEVICE = r"cca/(fields|format|label-color|output|samples)\.h|cuda/kernels/.*"
ALGORITHM = r"cuda/algorithms/(SAME|segments)/.*"
# Of a plugin that leads out of the process.
COMMON = r"gst/meta/.*|gst/common/gst.*"
EXPORT = rf"gst/export/(SAME/)?[^/]+|{COMMON}"
ELEMENT = r"LIBC|gst/.*|glib.*"
# The logic of an element: plain C.
LOGIC = r"gst/SAME/(?!gst).*|gst/common/(array|box|values)\.h"

# layer: (sources, headers of this project that it may include, other headers that it may include)
LAYERS = {
    "cca": (["cca/*"], r"cca/[^/]+\.h", r"LIBC"),
    "cca/cpu": (["cca/cpu/*"], r"cca/(cpu/)?[^/]+\.h|cca/cpu/samples/(rows|samples)\.h", r"LIBC|INTRINSICS"),
    "cca/cpu/samples": (["cca/cpu/samples/*"], r"cca/(cpu/(samples/)?)?[^/]+\.h", r"LIBC|INTRINSICS"),
    "cuda": (
        ["cuda/*"],
        r"cca/[^/]+\.h|cuda/[^/]+\.h|cuda/kernels/(params|kernels)\.h|cuda/samples/samples\.h",
        r"LIBC|cuda\.h",
    ),
    "cuda/kernels": (["cuda/kernels/**/*"], DEVICE, r"stdint\.h|cub/.*|cuda.*"),
    "cuda/algorithms": (
        ["cuda/algorithms/**/*.[ch]"],
        rf"cca/[^/]+\.h|cuda/(algorithm|module)\.h|cuda/kernels/params\.h|{ALGORITHM}",
        r"LIBC",
    ),
    "cuda/algorithms, kernels": (["cuda/algorithms/**/*.cu*"], f"{DEVICE}|{ALGORITHM}", r"stdint\.h|cub/.*|cuda.*"),
    "cuda/samples": (
        ["cuda/samples/*.[ch]"],
        r"cca/[^/]+\.h|cuda/(algorithm|module)\.h|cuda/kernels/params\.h|cuda/samples/[^/]+\.h",
        r"LIBC",
    ),
    "cuda/samples, kernels": (["cuda/samples/*.cu*"], f"{DEVICE}|cuda/samples/.*", r"stdint\.h|cuda.*"),
    "gst/meta": (["gst/meta/**/*"], r"cca/label-color\.h|gst/meta/.*", r"LIBC|gst/.*|glib.*"),
    "gst/overlay": (
        ["gst/overlay/**/*"],
        rf"cca/label-color\.h|gst/(meta|overlay)/.*|gst/common/values\.h|{COMMON}",
        r"LIBC|gst/.*|glib.*|cairo.*|pango/.*",
    ),
    "gst/overlay, layout": (
        ["gst/overlay/layout*", "gst/overlay/placement*"],
        r"gst/overlay/(layout|placement)\.h",
        r"LIBC",
    ),
    "gst/common": (
        ["gst/common/gstcca[!np]*", "gst/common/gstccapost*", "gst/common/gstccaprop*"],
        rf"gst/common/(array|values)\.h|{COMMON}",
        rf"{ELEMENT}|gmodule\.h",
    ),
    "gst/common, NVMM": (
        ["gst/common/gstccanvmm*"],
        r"gst/common/gstcca(cuda|driver|nvmm)\.h",
        rf"{ELEMENT}|cudaEGL\.h|nvbufsurface\.h",
    ),
    "gst/common, JSON": (["gst/common/gstccaparse.*"], r"gst/common/gstccaparse\.h", r"LIBC|json-glib/.*"),
    "gst/common, logic": (["gst/common/[!g]*"], r"gst/common/(?!gst).*", r"LIBC"),
    "gst/analysis": (
        ["gst/analysis/*"],
        rf"cca/(cca|label-color)\.h|gst/analysis/.*|gst/region/gstccaregion\.h|{COMMON}",
        ELEMENT,
    ),
    "gst/region": (["gst/region/*"], r"gst/region/.*|gst/common/gst.*", rf"{ELEMENT}|png\.h"),
    "gst/zones": (
        ["gst/zones/gst*"],
        rf"gst/(zones|ground)/.*|gst/common/array\.h|{COMMON}",
        rf"{ELEMENT}|json-glib/.*",
    ),
    "gst/zones, logic": (["gst/zones/[!g]*"], rf"{LOGIC}|gst/ground/.*", r"LIBC"),
    "gst/track": (["gst/track/gst*"], rf"gst/(track|ground)/.*|gst/common/(array|box|values)\.h|{COMMON}", ELEMENT),
    "gst/track, logic": (["gst/track/[!g]*", "gst/track/g[!s]*"], rf"{LOGIC}|gst/ground/homography\.h", r"LIBC"),
    "gst/ground": (["gst/ground/*"], LOGIC, r"LIBC"),
    "gst/privacy": (
        ["gst/privacy/gst*"],
        rf"gst/privacy/.*|gst/region/gstccaregion\.h|gst/common/values\.h|{COMMON}",
        ELEMENT,
    ),
    "gst/privacy, logic": (["gst/privacy/[!g]*"], LOGIC, r"LIBC"),
    "gst/export": (["gst/export/*"], rf"gst/export/[^/]+|{COMMON}", ELEMENT),
    "gst/export/json": (["gst/export/json/*"], EXPORT, ELEMENT),
    "gst/export/onvif": (["gst/export/onvif/*"], EXPORT, rf"{ELEMENT}|libxml/.*"),
    "gst/export/broker": (
        ["gst/export/broker/gst*"],
        EXPORT,
        rf"{ELEMENT}|POSIX|json-glib/.*|librdkafka/.*",
    ),
    "gst/export/broker, without GStreamer": (
        ["gst/export/broker/[!g]*"],
        r"gst/export/broker/(?!gst).*|gst/common/gstccaparse\.h",
        r"LIBC|POSIX|glib.*|json-glib/.*|mosquitto\.h|openssl/.*",
    ),
    "gst/index": (
        ["gst/index/gst*"],
        rf"gst/index/.*|gst/export/json/jsonwriter\.h|gst/common/array\.h|{COMMON}",
        ELEMENT,
    ),
    "gst/index, logic": (["gst/index/[!g]*"], LOGIC, r"LIBC|POSIX|zstd\.h"),
    "gst": (["gst/*"], r"gst/[^/]+/gst.*", ELEMENT),
    "tests/oracle": (["tests/oracle/oracle*"], r"tests/oracle/.*", r"LIBC"),
}
# Any other folder of gst/ is an element's: its glue, and its logic.
ELEMENTS = (rf"gst/SAME/.*|gst/common/(array|box|values)\.h|{COMMON}", ELEMENT)
INCLUDED_FROM = ("", "gst", "gst/meta", "gst/common", "gst/ground", "gst/export", "cuda")
SUFFIXES = {".c", ".h", ".cu", ".cuh", ".cpp", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

# library: (what its exported names begin with, what names that it needs must not begin with)
LIBRARIES = {
    "cca": (r"cca_", r"g_|gst_|cuda[A-Z]|cu[A-Z]"),
    "meta": (r"gst_", r"cca_"),
    "plugin cca": (r"gst_plugin_cca_", r"cuda[A-Z]|cu[A-Z]"),
}
# Any other plugin NAME, which "plugin NAME" stands for.
OTHER_PLUGIN = (r"gst_plugin_NAME_", r"cca_|cuda[A-Z]|cu[A-Z]")
# Of the tool chain, in every shared object.
TOOL_CHAIN = re.compile(r"_|llvm_|lprof")


def project_header(root, source, name):
    """The path in the project of an included header, or None for another one's."""
    for folder in (source.parent, *(root / folder for folder in INCLUDED_FROM)):
        path = (folder / name).resolve()
        if path.is_file() and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return None


def allowed(name, pattern):
    sets = {"LIBC": LIBC, "POSIX": POSIX, "INTRINSICS": INTRINSICS}
    return any(name in sets[p] if p in sets else re.fullmatch(p, name) for p in pattern.split("|"))


def layers_of(root):
    layers = dict(LAYERS)
    for folder in sorted(path.relative_to(root).as_posix() for path in root.glob("gst/*") if path.is_dir()):
        layers.setdefault(folder, ([f"{folder}/gst*"], *ELEMENTS))
        if layers[folder][0] == [f"{folder}/gst*"]:
            layers.setdefault(f"{folder}, logic", ([f"{folder}/[!g]*", f"{folder}/g[!s]*"], LOGIC, r"LIBC"))
    return layers


def check_layer(root, globs, own, others):
    problems, n_files = [], 0
    for source in sorted({path for glob in globs for path in root.glob(glob) if path.suffix in SUFFIXES}):
        n_files += 1
        for name in INCLUDE.findall(source.read_text()):
            path = project_header(root, source, name)
            if not (re.fullmatch(own.replace("SAME", source.parent.name), path) if path else allowed(name, others)):
                problems.append(f"{source.relative_to(root)} includes {path or name}")
    if n_files == 0:
        return None
    return problems


def check_parsers(root):
    """JSON is parsed in one place, which limits its depth."""
    sources = sorted(path.relative_to(root).as_posix() for path in root.glob("gst/**/*.c"))
    users = [path for path in sources if "json_parser_" in (root / path).read_text()]
    return [f"{path} parses JSON by itself" for path in users if path != "gst/common/gstccaparse.c"] or (
        [] if users else ["nothing parses JSON"]
    )


def symbols(library, *options):
    out = subprocess.run(["nm", "-D", *options, library], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1].split("@")[0] for line in out.splitlines()]


def check_library(name, library):
    prefix, foreign = LIBRARIES.get(name, OTHER_PLUGIN)
    prefix = prefix.replace("NAME", name.removeprefix("plugin "))
    exported = [s for s in symbols(library, "--defined-only") if not TOOL_CHAIN.match(s)]
    problems = [f"{s} is exported" for s in exported if not re.match(prefix, s)]
    problems += [f"{s} is needed" for s in symbols(library, "--undefined-only") if re.match(foreign, s)]
    return problems if exported else ["nothing is exported"]


def main():
    root = Path(sys.argv[1]).resolve()
    libraries = dict(argument.split("=", 1) for argument in sys.argv[2:])
    results = [
        (f"includes of {layer}", check_layer(root, *rules))
        for layer, rules in layers_of(root).items()
        if (root / layer.split(",")[0]).is_dir()
    ]
    results += [("parsers of JSON", check_parsers(root))]
    results += [(f"symbols of {name}", check_library(name, path)) for name, path in libraries.items()]
    results = [(name, problems) for name, problems in results if problems is not None]
    print(f"1..{len(results)}")
    for number, (name, problems) in enumerate(results, 1):
        print(f'{"not ok" if problems else "ok"} {number} - {name}')
        for problem in problems:
            print(f"# {problem}")
    return any(problems for _, problems in results)


if __name__ == "__main__":
    sys.exit(main())
