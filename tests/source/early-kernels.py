#!/usr/bin/env python3
# gst-cca: kernels that may start while the grid before still runs synchronise with it
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kernel of an early module (CCA_CUDA_MODULE in a host file, not with CCA_EARLY_NEVER) begins with
trigger_then_sync (): it triggers the next grid and waits for the one before, before it reads or writes anything. There
are two exceptions. A kernel that waits for its input by flags triggers first and calls grid_dependency_sync () at its
end, with all lanes together: a lane that waited alone would hold up the others. A kernel that only prepares before it
waits may read what grids before the last one have written: the kernel before it, of the same file or of the one that
BEFORE names, then waits first and triggers after that.

usage: early-kernels.py ROOT
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

ROOT = Path(sys.argv[1]).resolve()
KERNEL = re.compile(
    r'^( *)extern "C" __global__ void.*?(cca_[\w#]+) \([^)]*\)\s*\{(.*?)\n\1\}', re.DOTALL | re.MULTILINE
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Files whose kernels prepare while the kernel of another file runs.
BEFORE = {"resample.cu": "shift.cu", "distance.cu": "light.cu", "update.cu": "ghosts.cu"}
# What may stand before everything else: a name for a part of the parameters.
ALIAS = re.compile(r"const \w+ &\w+ = q(\.\w+)*$")


def early_files():
    hosts = sorted(ROOT.glob("cuda/**/*.c"))
    modules = [
        (host, re.findall(r"^CCA_CUDA_MODULE \((\w+), CCA_EARLY_(?!NEVER)\w+\)", host.read_text(), re.MULTILINE))
        for host in hosts
    ]
    return [folder_of_kernels(host) / f"{name}.cu" for host, names in modules for name in names]


def folder_of_kernels(host):
    """An algorithm's are beside its host file, those of the backend's own stages in a folder."""
    return host.parent / "kernels" if host.parent.name == "cuda" else host.parent


def kernels(text):
    """Yields the name and the statements of each kernel."""
    for match in KERNEL.finditer(COMMENT.sub("", text.replace("\\\n", "\n"))):
        statements = [" ".join(statement.split()) for statement in match[3].split(";")]
        statements = [statement for statement in statements if statement]
        while statements and ALIAS.match(statements[0]):
            del statements[0]
        yield match[2], statements


def prepares(statements):
    return statements[0] == "trigger_next_grid ()" and "grid_dependency_sync ()" in statements[:-1]


def before_waiting(statements):
    """Returns what a kernel that prepares does until it waits, but for declarations."""
    doing = statements[1 : statements.index("grid_dependency_sync ()")]
    return [statement for statement in doing if "(" in statement]


def waits(statements, prepared=False):
    """Tells whether a kernel waits as it must, in a file in which some kernels prepare, or in another."""
    if prepares(statements):
        return all(".prepare (" in statement for statement in before_waiting(statements))
    if prepared:
        return statements[:2] == ["grid_dependency_sync ()", "trigger_next_grid ()"]
    if statements[0] == "trigger_next_grid ()":
        return statements[-1] == "grid_dependency_sync ()" and statements[-2].endswith("__syncwarp ()")
    return statements[0] == "trigger_then_sync ()"


def early_kernels_wait():
    assert early_files(), "no host file has an early module"
    for path in early_files():
        name, text = path.name, path.read_text()
        found = list(kernels(text))
        assert len(found) == text.count('extern "C" __global__'), f"{name}: only {len(found)} kernels were found"
        prepared = name in BEFORE.values() or any(prepares(statements) for _, statements in found)
        for kernel, statements in found:
            assert waits(
                statements, prepared
            ), f'{name}: {kernel} begins with "{statements[0]}" and ends with "{statements[-1]}"'


def what_does_not_wait_is_found():
    head = 'extern "C" __global__ void __launch_bounds__ (32)\ncca_a (const P q)\n{\n  const P &p = q.p;\n\n'
    bodies = {
        "  f (p);\n": False,
        "  trigger_then_sync ();\n  f (p);\n": True,
        "  f (p);\n  trigger_then_sync ();\n": False,
        "  trigger_next_grid ();\n  f (p);\n": False,
        "  trigger_next_grid ();\n  f (p);\n  grid_dependency_sync ();\n": False,
        "  trigger_next_grid ();\n  if (f (p)) {\n    g (p);\n  }\n"
        "  __syncwarp (); /* why */\n  grid_dependency_sync ();\n": True,
    }
    prepared = {
        "  trigger_next_grid ();\n  A a;\n\n  a.prepare (p);\n  grid_dependency_sync ();\n  f (p);\n": True,
        "  trigger_next_grid ();\n  a.prepare (p);\n  g (p);\n  grid_dependency_sync ();\n  f (p);\n": False,
        "  grid_dependency_sync ();\n  trigger_next_grid ();\n  f (p);\n": True,
        "  trigger_next_grid ();\n  grid_dependency_sync ();\n  f (p);\n": True,
        "  trigger_then_sync ();\n  f (p);\n": False,
    }
    for cases, among in ((bodies, False), (prepared, True)):
        for body, good in cases.items():
            ((name, statements),) = kernels(head + body + "}\n")
            assert name == "cca_a" and waits(statements, among) == good, f"{body}: {statements}"


if __name__ == "__main__":
    sys.exit(tap.run(early_kernels_wait, what_does_not_wait_is_found))
