# gst-cca: the public headers of libcca as a page in Markdown
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Relies on the headers' layout, which clang-format keeps: a comment at the margin explains the declarations below it,
an empty line ends them, and /* --- Title --- */ begins a part."""

import re

CHUNK = re.compile(
    r"/\* -+ (?P<part>.+?) -+ \*/\n"
    r"|(?:/\*(?P<comment>(?:(?!\*/).)*)\*/\n)?"
    r"(?P<code>typedef (?:enum|struct)\n\{.*?^\}[^\n]*\n|(?:#define |[^\s/#])[^\n]*\n(?:[^\n/#][^\n]*\n)*)",
    re.MULTILINE | re.DOTALL,
)
NAME = re.compile(r"^(?:#define (\w+)|\} (\w+);|typedef struct (\w+) \3;|(?:\S.*?\b)?(cca_\w+) \()", re.MULTILINE)


def names_of(code):
    return [next(filter(None, match)) for match in NAME.findall(code)]


def declarations(header):
    """Yields the parts and what they declare, in the header's order: (title, None, None) or (names, comment, code)."""
    for part, comment, code in CHUNK.findall(header):
        if part:
            yield part, None, None
        elif names_of(code) and "__attribute__" not in code:
            # Of a function that the header defines, only what callers need.
            yield names_of(code), comment, code.strip() if code.startswith("typedef") else code.strip().split("\n{")[0]


def text_of(comment, places):
    """A comment as Markdown, with links to the names that have places."""
    text = "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip().splitlines())
    text = re.sub(r"([\\*_<>\[\]#|])", r"\\\1", text)
    text = re.sub(r"^ +(\w+)  +", r"- *\1*: ", text, flags=re.MULTILINE)  # a parameter

    def link(match):
        name = match[1].replace("\\", "")
        return f"[`{name}{match[2]}`]({places[name]})" if name in places else match[0]

    return re.sub(r"\b((?:cca|Cca|CCA)(?:\w|\\_)+)(\(\)|)", link, text)


def pages(paths):
    """Yields the name and the text of a page for each part of some headers; the first, `libcca`, has the rest."""
    headers = [path.read_text() for path in paths]
    introduction = re.search(r"SPDX[^\n]*\n \*\n(.*?)\*/", headers[0], re.DOTALL)[1]
    parts, places = {"libcca": []}, {}
    for header in headers:
        page = "libcca"
        for names, comment, code in declarations(header):
            if code is None:
                page = names.lower().replace(" ", "-")
                parts[page] = []
                continue
            parts[page].append((names, comment, code))
            places |= {name: f"{page}.md#{name.lower()}" for name in names}
    for page, entries in parts.items():
        title = page.replace("-", " ").capitalize() if page != "libcca" else page
        lines = [f"# {title}"]
        if page == "libcca":
            lines.append(text_of(introduction, places))
        for names, comment, code in entries:
            lines += [f"## `{name}`" for name in names]
            lines += [f"```c\n{code.removeprefix('CCA_API ')}\n```", text_of(comment, places)]
        yield page, "\n\n".join(lines) + "\n"
