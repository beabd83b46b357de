#!/usr/bin/env python3
# gst-cca: calls between files go one way
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the graph of calls between the source files of cca/, cuda/ and gst/, and fails on a circle; speaks TAP.

Object files tell the direct calls. A call through a function pointer in a struct, such as a class, counts as a call of
the file whose header declares the struct. So a file may call others through a struct of its own, which they fill in,
but not through a struct of a file that calls it.

usage: call-graph.py ROOT BUILD [--draw]    --draw prints a line for each file that calls others
"""

import functools
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

LAYERS = ("cca", "cuda", "gst")


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
STRUCT = re.compile(r"\bstruct\s*\w*\s*\{(.*?)^\}", re.DOTALL | re.MULTILINE)
POINTER_TYPE = re.compile(r"\btypedef\b[^;{]*?\(\s*\*\s*(\w+)\s*\)\s*\(")


def objects(root, build):
    """For each source file of the layers its object file and the folders of headers; one that is compiled twice counts
    once."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        source = (Path(command["directory"]) / command["file"]).resolve()
        path = Path(command["directory"]) / command["output"]
        if source.is_relative_to(root) and source.relative_to(root).parts[0] in LAYERS and path.exists():
            arguments = shlex.split(command["command"])
            folders = [Path(command["directory"]) / word[2:] for word in arguments if word.startswith("-I")]
            found[source.relative_to(root).as_posix()] = path, [folder.resolve() for folder in folders]
    return found


def symbols(listing):
    """The functions that an object file defines and the names that it needs, from what nm prints."""
    rows = [line.split() for line in listing.splitlines()]
    defined = {row[-1] for row in rows if len(row) == 3 and row[1] == "T"}
    return defined, {row[-1] for row in rows if row[0] == "U"}


def graph_of(files):
    """For each file those that it calls."""
    where = {name: file for file, (defined, _) in files.items() for name in defined}
    return {
        file: {where[name] for name in needed if name in where and where[name] != file}
        for file, (_, needed) in files.items()
    }


def pointers_in(header, types=frozenset()):
    """The names of function pointers in the structs of a header's text; `types` are typedefs of other headers."""
    types = set(types) | set(POINTER_TYPE.findall(header))
    names = set()
    for body in STRUCT.findall(header):
        names |= set(re.findall(r"\(\s*\*\s*(\w+)\s*\)\s*\(", body))
        names |= {name for kind, name in re.findall(r"\b(\w+)\s+(\w+)\s*;", body) if kind in types}
    return names


def used_in(source, names):
    """Those of the names that a source text reads as members of a struct: all but assignments."""
    found = re.findall(r"(?:->|\.)\s*(\w+)\b(?!\s*=[^=])", source)
    return names & set(found)


@functools.cache
def text_of(path):
    return COMMENT.sub(" ", path.read_text())


@functools.cache
def project_header(root, path):
    """The header of the project at a path, or None."""
    header = path.resolve()
    return header if header.is_file() and header.is_relative_to(root) else None


def headers_of(root, path, folders, seen):
    """All headers of the project that a file includes, also through others."""
    for name in INCLUDE.findall(text_of(path)):
        found = (project_header(root, folder / name) for folder in (path.parent, *folders))
        header = next(filter(None, found), None)
        if header and header not in seen:
            seen.add(header)
            headers_of(root, header, folders, seen)
    return seen


def add_calls_through_pointers(root, graph, folders):
    """Adds to a graph, of paths in the root, the calls through structs that other files declare."""
    tables = {}
    for file in graph:
        path = root / file
        headers = headers_of(root, path, folders[file], set())
        types = {name for header in headers for name in POINTER_TYPE.findall(text_of(header))}
        for header in headers:
            if header not in tables:
                tables[header] = pointers_in(text_of(header), types)
            owner = header.with_suffix(".c").relative_to(root).as_posix()
            if owner in graph and owner != file and used_in(text_of(path), tables[header]):
                graph[file].add(owner)


def circle_in(graph):
    """The files of a circle, in the order of calls, or None."""
    done, path = set(), []

    def visit(file):
        if file in path:
            return path[path.index(file) :] + [file]
        if file in done:
            return None
        path.append(file)
        found = next((circle for called in sorted(graph[file]) if (circle := visit(called))), None)
        path.pop()
        done.add(file)
        return found

    return next((circle for file in sorted(graph) if (circle := visit(file))), None)


def read_graph(root, build):
    found = objects(root, build)
    paths = [path for path, _ in found.values()]
    out = subprocess.run(["nm", *paths], check=True, capture_output=True, text=True).stdout
    # Of several files, nm prints each one's symbols below a line with its name.
    listings = dict(zip(paths, re.split(r"\n[^\n]+:\n", out)[1:], strict=True))
    graph = graph_of({source: symbols(listings[path]) for source, (path, _) in found.items()})
    folders = {source: included for source, (_, included) in found.items()}
    add_calls_through_pointers(root, graph, folders)
    return graph


def no_circle():
    graph = read_graph(ROOT, BUILD)
    layers = {file.split("/")[0] for file in graph}
    assert {"cca", "gst"} <= layers, f"only objects of {layers or 'nothing'} were found in {BUILD}"
    assert any(graph.values()), "no call was found"
    circle = circle_in(graph)
    assert circle is None, "calls go round: " + " -> ".join(circle)


def a_circle_is_found():
    listings = {
        "a.c": "0000 T a\n0010 t helper\n     U b\n     U malloc\n",
        "b.c": "0000 T b\n     U c\n0000 D table\n",
        "c.c": "0000 T c\n     U table\n",
    }
    files = {name: symbols(text) for name, text in listings.items()}
    assert graph_of(files) == {"a.c": {"b.c"}, "b.c": {"c.c"}, "c.c": set()}, "data is no call"
    assert circle_in(graph_of(files)) is None
    files["c.c"] = symbols(listings["c.c"] + "     U b\n")
    assert circle_in(graph_of(files)) == ["b.c", "c.c", "b.c"]


def calls_through_pointers_are_found():
    header = (
        "typedef gboolean (*Made) (gpointer data);\n"
        "typedef struct\n{\n  int size;\n  void (*publish) (Sink *sink);\n  Made made;\n} Class;\n"
    )
    names = pointers_in(header)
    assert names == {"publish", "made"}, names
    assert used_in("klass->publish (sink);", names) == {"publish"}
    assert used_in("if (CLASS (sink) -> made) {}", names) == {"made"}
    assert not used_in("klass->publish = publish; table = { .made = f }; made ();", names)


def a_circle_through_a_class_is_found():
    files = {
        "sink.h": '#include "worker.h"\nstruct SinkClass\n{\n  void (*publish) (void);\n};\nvoid sink_push (void);\n',
        "sink.c": '#include "sink.h"\n',
        "worker.h": "struct Client\n{\n  void (*poll) (void *data);\n};\nvoid worker_start (void);\n",
        "worker.c": '#include "worker.h"\nvoid f (struct Client *client) { client->poll (0); }\n',
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in files.items():
            (root / name).write_text(text)
        graph = {"sink.c": {"worker.c"}, "worker.c": set()}
        add_calls_through_pointers(root, graph, {"sink.c": [root], "worker.c": [root]})
        assert circle_in(graph) is None, "a struct of its own is no call of others"
        text_of.cache_clear()
        (root / "worker.c").write_text('#include "sink.h"\nvoid f (void) { klass->publish (); }\n')
        add_calls_through_pointers(root, graph, {"sink.c": [root], "worker.c": [root]})
        assert circle_in(graph) == ["sink.c", "worker.c", "sink.c"], graph


if __name__ == "__main__":
    ROOT, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if "--draw" in sys.argv[3:]:
        for file, called in sorted(read_graph(ROOT, BUILD).items()):
            print(f"{file}: {' '.join(sorted(called))}") if called else None
        sys.exit()
    sys.exit(tap.run(no_circle, a_circle_is_found, calls_through_pointers_are_found, a_circle_through_a_class_is_found))
