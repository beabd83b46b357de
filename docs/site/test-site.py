# gst-cca: the site has every element and function, no broken link, and pages that a phone can load
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-site.py SOURCE_ROOT VERSION GIR ELEMENTS    elements with commas

Wants GST_PLUGIN_PATH to name the built plugins."""

import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import build

sys.path.insert(0, str(Path(sys.argv[1]) / "tests"))
import tap  # noqa: E402

SOURCE, VERSION, GIR = Path(sys.argv[1]), *sys.argv[2:4]
ELEMENTS = sys.argv[4].split(",")
LARGEST_PAGE = 100_000  # bytes of markup


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if target := attributes.get("href" if tag in ("a", "link") else "src"):
            (self.links if tag == "a" else self.loads).append(target)


def read_site(folder):
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    assert pages, f"no pages in {folder}"
    return pages


def broken_links(pages, folder):
    """The links within the site, and to files, that lead nowhere."""
    broken = []
    for path, page in pages.items():
        for target in page.links + page.loads:
            if urlsplit(target).scheme:
                continue
            place, anchor = urldefrag(target)
            file = (path.parent / unquote(urlsplit(place).path)).resolve() if urlsplit(place).path else path
            if not file.exists() or (anchor and file in pages and unquote(anchor) not in pages[file].anchors):
                broken.append(f"{path.relative_to(folder)}: {target}")
    return broken


def a_link_that_leads_nowhere_is_found():
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work).resolve()
        (folder / "a.html").write_text('<p id="x"><a href="b.html#y"></a><a href="#x"></a><a href="https://a.b/c"></a>')
        (folder / "b.html").write_text('<a href="a.html#y"></a><a href="c.html"></a><img src="d.png"><p id="y">')
        broken = broken_links(read_site(folder), folder)
    assert broken == ["b.html: a.html#y", "b.html: c.html", "b.html: d.png"], broken


def every_link_leads_somewhere():
    broken = broken_links(PAGES, SITE)
    assert not broken, ", ".join(broken)


def the_pages_load_nothing_from_elsewhere():
    loaded = {target for page in PAGES.values() for target in page.loads if urlsplit(target).netloc}
    assert not loaded, loaded


def no_page_is_too_large():
    large = [f"{path.relative_to(SITE)}: {path.stat().st_size}" for path in PAGES if path.stat().st_size > LARGEST_PAGE]
    assert not large, ", ".join(large)


def every_element_has_its_properties_from_the_registry():
    """Those of the table that is written by hand, which the test `docs` compares with gst-inspect-1.0."""
    for element in ELEMENTS:
        text = (SITE / "docs" / "elements" / f"{element}.html").read_text()
        assert text.count("in the registry") == 1, f"{element} has no reference"
        generated = set(re.findall(r"<td><code>([a-z0-9-]+)</code></td>", text[text.index("in the registry") :]))
        page = SOURCE / "docs" / "elements" / f"{element}.md"
        if page.exists():
            section = page.read_text().split("\n## Properties\n")[1].split("\n##")[0]
            written = set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE))
            assert written <= generated, f"{element}: the registry's table lacks {written - generated}"


def every_function_is_on_a_page():
    for header in build.HEADERS:
        text = (SOURCE / header).read_text()
        functions = re.findall(r"^CCA_API [^;]*?(cca_\w+) \(", text, re.MULTILINE)
        found = "".join(path.read_text() for path in SITE.glob("docs/libcca/*.html"))
        missing = [name for name in functions if f'id="{name.replace("_", "-")}"' not in found]
        assert not missing, missing


with tempfile.TemporaryDirectory() as work:
    SITE = Path(work).resolve() / "html"
    build.build(SOURCE, SITE, VERSION, GIR, ELEMENTS)
    PAGES = read_site(SITE)
    sys.exit(
        tap.run(
            a_link_that_leads_nowhere_is_found,
            every_link_leads_somewhere,
            the_pages_load_nothing_from_elsewhere,
            no_page_is_too_large,
            every_element_has_its_properties_from_the_registry,
            every_function_is_on_a_page,
        )
    )
