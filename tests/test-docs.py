#!/usr/bin/env python3
# gst-cca: the pages say what the elements say, quote what is compiled, and show pipelines that run
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-docs.py SOURCE_ROOT BUILD_ROOT ELEMENTS MISSING_ELEMENTS    both lists with commas

Wants GST_PLUGIN_PATH to name the built plugin."""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tap  # noqa: E402

SOURCE, BUILD = map(Path, sys.argv[1:3])
# Those of this build, and those that it lacks.
BUILT, MISSING = (names.split(",") for names in sys.argv[3:5])
# ccaonvifpay has no page and no properties of its own.
ELEMENTS = [element for element in BUILT if element != "ccaonvifpay"]
# Not properties of ours: those of every element, of every source, and of every sink.
INHERITED = set("""name parent qos async automatic-eos blocksize do-timestamp num-buffers typefind enable-last-sample
last-sample max-bitrate max-lateness processing-deadline render-delay sync throttle-time ts-offset""".split())
# Such a name, but a property of its own.
OWN = {"ccamqttsink": {"qos"}}
# How pages name media.
FETCH = re.compile(r"\$\(examples/fetch-media\.sh ?([^)]*)\)")


def pages():
    found = [page for place in ("*.md", "docs/**/*.md", "tests/*.md") for page in sorted(SOURCE.glob(place))]
    assert found, "no pages"
    return found


def name_of(page):
    return page.relative_to(SOURCE)


def blocks(page, language):
    """The fenced code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def inspect(element):
    """The element's properties, name to default as gst-inspect-1.0 prints it (None where it prints none)."""
    result = subprocess.run(
        ["gst-inspect-1.0", "--no-colors", element],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0, f"gst-inspect-1.0 {element}: {result.stderr.strip()}"
    properties, current = {}, None
    lines = iter(result.stdout.splitlines())
    for line in lines:
        if line.startswith("Element Properties:"):
            break
    for line in lines:
        if line and not line.startswith(" "):
            break
        if match := re.match(r"  (\S+?)\s*: ", line):
            current = match[1]
            properties[current] = None
        elif current and (match := re.search(r"Default: (.*?)\s*$", line)):
            named = match[1].strip() == f'"{element}0"'
            properties[current] = "the element's name" if named else match[1].strip().removesuffix(" Write only")
    assert properties["name"] == "the element's name", f"{element}'s name is {properties['name']} by default"
    inherited = INHERITED - OWN.get(element, set())
    return {name: default for name, default in properties.items() if name not in inherited}


def documented(element):
    """The properties in the table of an element's page, name to default."""
    text = (SOURCE / "docs" / "elements" / f"{element}.md").read_text()
    section = text[text.index("## Properties") :].split("\n## ")[0].split("\n### ")[0]
    rows = {}
    if match := re.search(
        r"All properties of \[`(\w+)`\]\(\w+\.md#properties\)(?: except `([\w-]+)`)?(?:, and:|\.)", section
    ):
        rows = documented(match[1])
        rows.pop(match[2], None)
    for line in section.splitlines():
        if match := re.match(r"\| `([a-z0-9-]+)` \|", line):
            rows[match[1]] = line.split("|")[3].strip().strip("`")
    return rows


def shown_default(text):
    """A default of gst-inspect-1.0 as a page writes it: of an enumeration or flags the nick."""
    if text is None:
        return ""
    if match := re.match(r'-?\d+, "(.*)"$', text):
        return match[1]
    if match := re.match(r"0x[0-9a-f]+, \"(.*)\"$", text):
        return match[1].replace("(none)", "")
    return text.strip('"')


def every_property_is_on_its_page_with_its_default():
    wrong = []
    for element in ELEMENTS:
        real, page = inspect(element), documented(element)
        assert real, f"{element} has no properties"
        for name in sorted(real.keys() - page.keys()):
            wrong.append(f"{element}: {name} is not on its page")
        for name in sorted(page.keys() - real.keys()):
            wrong.append(f"{element}: {name} is on its page only")
        for name in sorted(real.keys() & page.keys()):
            if page[name] != shown_default(real[name]):
                wrong.append(f"{element}: {name} is {shown_default(real[name])!r}, on its page {page[name]!r}")
    assert not wrong, "; ".join(wrong)


def every_link_leads_somewhere():
    broken = []
    for page in pages():
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target) or target.startswith("#"):
                continue
            if not (page.parent / target.split("#")[0]).exists():
                broken.append(f"{name_of(page)}: {target}")
    assert not broken, ", ".join(broken)


def quoted_programs_are_the_examples():
    programs = {"c": "*.c", "python": "*.py"}
    examples = {
        language: [path.read_text() for path in (SOURCE / "examples").glob(pattern)]
        for language, pattern in programs.items()
    }
    quotes = [(page, language, block) for page in pages() for language in programs for block in blocks(page, language)]
    assert quotes, "no page quotes a program"
    for page, language, block in quotes:
        assert any(
            block in text for text in examples[language]
        ), f"{name_of(page)} quotes what no example has: {block.splitlines()[0]}"


def pipelines():
    """(page, words) of every gst-launch-1.0 command of the pages."""
    for page in pages():
        for block in blocks(page, "sh"):
            for command in block.replace("\\\n", " ").splitlines():
                # What $() holds stays one word, as in a shell.
                text = FETCH.sub(lambda match: match[0].replace(" ", "\\ "), command)
                words = shlex.split(text, comments=True)
                while words and re.match(r"[A-Z_]+=", words[0]):
                    words.pop(0)
                if words and words[0] == "gst-launch-1.0" and not set(MISSING).intersection(words):
                    yield page, words[1:]


def fetch(match):
    """The path of what a page's $(examples/fetch-media.sh …) names."""
    command = [SOURCE / "examples" / "fetch-media.sh", *match[1].split()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if result.returncode:
        raise tap.Skip(f"the pipelines' media cannot be fetched: {result.stderr.strip().splitlines()[-1]}")
    return result.stdout.strip()


def has_gpu():
    command = "gst-launch-1.0 -q videotestsrc num-buffers=1 ! video/x-raw,format=NV12 ! cudacca ! fakesink"
    return subprocess.run(command.split(), capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


def runnable(words, gpu):
    """A page's pipeline for a machine without camera, screen, broker, endless time and, where gpu is false, GPU."""
    # The first seconds of a clip are enough.
    short = ["decodebin", "!", "identity", "eos-after=100"]
    substitutes = {"v4l2src": ["videotestsrc"], "autovideosink": ["fakesink"], "decodebin": short}
    if not gpu:
        substitutes.update({"cudacca": ["cca"], "cudaccl": ["ccl"], "cudadownload": ["identity"]})
    result = []
    for word in words:
        word = word.replace("=examples/", f"={SOURCE}/examples/")
        result += substitutes.get(word, [FETCH.sub(fetch, word)])
    if "videotestsrc" in result and not any(word.startswith("num-buffers=") for word in result):
        result.insert(result.index("videotestsrc") + 1, "num-buffers=20")
    if "ccamqttsink" in result:  # to no broker, with a folder where messages wait for one
        result += ["port=1", "spool-directory=spool"]
    if "ccakafkasink" in result:  # librdkafka brings a broker for tests
        place = next((n for n, word in enumerate(result) if word.startswith("options=")), None)
        if place is None:
            place = result.index("ccakafkasink") + 1
            result.insert(place, "options=options")
        result[place] += ",test.mock.num.brokers=1"
    return result


def every_pipeline_runs():
    commands, gpu, failures = list(pipelines()), has_gpu(), []
    assert len(commands) >= len(ELEMENTS), "fewer pipelines than elements"
    with tempfile.TemporaryDirectory() as folder:
        for page, words in commands:
            result = subprocess.run(
                ["gst-launch-1.0", *runnable(words, gpu)],
                capture_output=True,
                text=True,
                timeout=120,
                stdin=subprocess.DEVNULL,
                cwd=folder,
            )
            problem = re.search(r"(ERROR|WARNING).*", result.stdout + result.stderr)
            if result.returncode or problem:
                reason = problem[0] if problem else f"exit status {result.returncode}"
                failures.append(f"{name_of(page)}: {' '.join(words)}: {reason}")
    assert not failures, "; ".join(failures)


def labels_examples_write_many_labels():
    """Numbers of 32 bits that a page has written to a file are more than one component's."""
    commands, gpu = [c for c in pipelines() if any("label-format=u32" in word for word in c[1])], has_gpu()
    assert commands, "no page writes labels"
    for page, words in commands:
        with tempfile.TemporaryDirectory() as folder:
            command = ["gst-launch-1.0", "-q", *runnable(words, gpu)]
            subprocess.run(command, check=True, timeout=120, stdin=subprocess.DEVNULL, cwd=folder)
            (written,) = Path(folder).iterdir()
            labels = array("I", written.read_bytes())
        assert len(set(labels)) > 10, f"{name_of(page)}: {' '.join(words)} writes {len(set(labels))} different labels"


def every_element_is_in_the_tables():
    """README.md and NEWS.md name each element, and docs/architecture.md each folder of gst/."""
    for page in ("README.md", "NEWS.md"):
        text = (SOURCE / page).read_text()
        missing = [element for element in ELEMENTS if f"`{element}`" not in text]
        assert not missing, f"{page} lacks {missing}"
    text = (SOURCE / "docs" / "architecture.md").read_text()
    missing = [
        path.name for path in (SOURCE / "gst").iterdir() if path.is_dir() and f"| `gst/{path.name}/` |" not in text
    ]
    assert not missing, f"the map in docs/architecture.md lacks {missing}"


def every_test_is_on_the_page():
    """docs/testing.md names every test, as `test:NAME`, and no other; those of the benchmarks as `bench:NAME`."""
    tests = json.loads((BUILD / "meson-info" / "intro-tests.json").read_text())
    page = (SOURCE / "docs" / "testing.md").read_text()
    kinds = {test["name"]: "bench" if "gst-cca:bench" in test["suite"] else "test" for test in tests}
    skipped = {test["name"] for test in tests if "gst-cca:skipped" in test["suite"]}  # of either kind
    for kind in set(kinds.values()):
        names = {name for name in kinds if kinds[name] == kind} - skipped
        named = set(re.findall(rf"`{kind}:([^`]+)`", page)) - skipped
        assert names == named, f"only on the page: {sorted(named - names)}; only in the build: {sorted(names - named)}"


def fields_are_those_of_the_header():
    """docs/architecture.md has a row for each field of cca/fields.h, with its operation, in the header's order."""
    header = re.findall(r"F \((\w+), (SUM|MIN|MAX)\)", (SOURCE / "cca" / "fields.h").read_text())
    rows = re.findall(
        r"^ *\| `(\w+)` \| (SUM|MIN|MAX) \|", (SOURCE / "docs" / "architecture.md").read_text(), re.MULTILINE
    )
    assert header and rows == header, f"the page has {rows}, the header {header}"


sys.exit(
    tap.run(
        every_property_is_on_its_page_with_its_default,
        every_link_leads_somewhere,
        quoted_programs_are_the_examples,
        every_pipeline_runs,
        labels_examples_write_many_labels,
        every_element_is_in_the_tables,
        every_test_is_on_the_page,
        fields_are_those_of_the_header,
    )
)
