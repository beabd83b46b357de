# gst-cca: how Sphinx makes the site; build.py runs it
# SPDX-License-Identifier: LGPL-2.1-or-later

import os

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

project = "gst-cca"
version = release = os.environ["GST_CCA_VERSION"]
html_title = f"gst-cca {version}"
root_doc = "README"
extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # pages leave out parts of XML

html_theme = "furo"
templates_path = ["templates"]
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


class PlainCells(SphinxPostTransform):
    """Halves the markup of tables: cells without paragraphs, and a short name for those aligned to the right."""

    default_priority = 900

    def run(self):
        for entry in self.document.findall(nodes.entry):
            if len(entry) == 1 and isinstance(entry[0], nodes.paragraph):
                entry.children = entry[0].children
            entry["classes"] = ["r" if name == "text-right" else name for name in entry["classes"]]


class Translator(HTML5Translator):
    """Writes code in text as one element, where Sphinx writes one per word."""

    def visit_row(self, node):
        node.column = 0
        self.body.append("<tr>")

    def visit_literal(self, node):
        self.body.append(f"<code>{self.encode(node.astext())}</code>")
        raise nodes.SkipNode


def setup(app):
    app.add_post_transform(PlainCells)
    app.set_translator("html", Translator)
