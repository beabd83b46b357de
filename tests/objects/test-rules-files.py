#!/usr/bin/env python3
# gst-cca: the loader of rules and their schema agree on what is right and what is wrong, and errors say where
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-rules-files.py SOURCE_ROOT CHECK_RULES

CHECK_RULES prints a line for each file that it is given: nothing, or the loader's error. The files are those of
rules-files.json, the examples, and those of the element's page."""

import fnmatch
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402
from schema import validator  # noqa: E402

SOURCE, CHECK = Path(sys.argv[1]), sys.argv[2]
SCHEMA = json.loads((SOURCE / "gst" / "zones" / "ccazones.schema.json").read_text())
CASES = json.loads((Path(__file__).parent / "rules-files.json").read_text())
PAGE = (SOURCE / "docs" / "elements" / "ccazones.md").read_text()


def load(texts):
    """What the loader says of each text: the error without the file's name, or None."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{i}.json" for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        lines = subprocess.run([CHECK, *paths], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(texts), f"{len(lines)} answers to {len(texts)} files"
    for path, line in zip(paths, lines):
        assert not line or line.startswith(f"{path}: "), f"an error does not name its file: {line}"
    return [line[len(f"{path}: ") :] or None for path, line in zip(paths, lines)]


def text_of(case):
    return case["text"] if "text" in case else json.dumps(case["rules"], indent=2)


def loader_says_what_is_wrong_and_where():
    wrong = []
    for case, error in zip(CASES, load([text_of(case) for case in CASES])):
        expected = case.get("error")
        matches = error == expected or (error and expected and "*" in expected and fnmatch.fnmatchcase(error, expected))
        if not matches:
            wrong.append(f"{case['name']}: {error!r}, expected {expected!r}")
    assert not wrong, "; ".join(wrong)
    assert {"error" in case for case in CASES} == {True, False}


def schema_agrees():
    schema, wrong = validator(SCHEMA), []
    for case in CASES:
        if "text" in case:
            continue
        expected = "error" not in case or "beyond the schema" in case
        if schema.is_valid(case["rules"]) != expected:
            wrong.append(f"{case['name']}: the schema {'refuses' if expected else 'accepts'} it")
    assert not wrong, "; ".join(wrong)


def examples_are_right():
    paths = list((SOURCE / "examples").glob("*.rules.json"))
    for path in paths:
        assert json.loads((path.parent / json.loads(path.read_text())["$schema"]).read_text()) == SCHEMA, path.name
    examples = {path.name: path.read_text() for path in paths}
    examples |= {
        f"the page: {text}": text for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    }
    assert any(name.startswith("the page") for name in examples) and len(examples) > 1, "no examples"
    schema = validator(SCHEMA)
    for (name, text), error in zip(examples.items(), load(list(examples.values()))):
        assert not error, f"{name}: {error}"
        problems = [problem.message for problem in schema.iter_errors(json.loads(text))]
        assert not problems, f"{name}: {problems}"


def every_member_is_used_and_documented():
    """Each member of the schema occurs in a file that is accepted, has a description, and is on the element's page."""
    accepted = "".join(text_of(case) for case in CASES if "error" not in case)
    documented = {
        name.split(".")[-1]
        for row in re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", row)
    }
    groups = [SCHEMA, SCHEMA["properties"]["scene-change"]]
    groups += [SCHEMA["$defs"]["zone"], SCHEMA["$defs"]["zone"]["properties"]["motion"], SCHEMA["$defs"]["line"]]
    groups += [SCHEMA["$defs"]["polygon"], SCHEMA["properties"]["ground"], SCHEMA["$defs"]["groundpoint"]]
    groups += [SCHEMA["$defs"]["rectangle"], SCHEMA["$defs"]["marks"], SCHEMA["$defs"]["sizeclass"]]
    groups += [SCHEMA["$defs"]["marks"]["properties"]["lines"]["items"]]
    groups += [SCHEMA["$defs"]["zone"]["properties"]["crowd"], SCHEMA["$defs"]["line"]["properties"]["section"]]
    for name, member in (item for group in groups for item in group["properties"].items()):
        assert f'"{name}":' in accepted, f"no file that is accepted has {name}"
        assert member.get("description"), f"{name} has no description"
        assert name in documented, f"{name} is not in a table of the page"


sys.exit(
    tap.run(
        loader_says_what_is_wrong_and_where,
        schema_agrees,
        examples_are_right,
        every_member_is_used_and_documented,
    )
)
