#!/usr/bin/env python3
# gst-cca: calls between files go one way
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the graph of calls between the source files of cca/, cuda/ and gst/ from their object files, and fails on a
circle; speaks TAP. Calls through pointers are not in it: they are what a table of functions is for.

usage: call-graph.py ROOT BUILD [--draw]    --draw prints a line for each file that calls others
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

LAYERS = ("cca", "cuda", "gst")


def objects(root, build):
    """For each source file of the layers its object file; one that is compiled twice counts once."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        source = (Path(command["directory"]) / command["file"]).resolve()
        path = Path(command["directory"]) / command["output"]
        if source.is_relative_to(root) and source.relative_to(root).parts[0] in LAYERS and path.exists():
            found[source.relative_to(root).as_posix()] = path
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
    files = {}
    for source, path in objects(root, build).items():
        out = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
        files[source] = symbols(out)
    return graph_of(files)


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


if __name__ == "__main__":
    ROOT, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if "--draw" in sys.argv[3:]:
        for file, called in sorted(read_graph(ROOT, BUILD).items()):
            print(f"{file}: {' '.join(sorted(called))}") if called else None
        sys.exit()
    sys.exit(tap.run(no_circle, a_circle_is_found))
