#!/usr/bin/python3
# gst-cca: puts a report into a page, between the lines <!-- NAME --> and <!-- end of NAME -->
# SPDX-License-Identifier: LGPL-2.1-or-later

import sys


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: put.py PAGE NAME REPORT")
    page, name, report = sys.argv[1:]
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    with open(page) as file:
        text = file.read()
    if text.count(first) != 1 or text.count(last) != 1 or text.index(first) > text.index(last):
        sys.exit(f"{page}: needs one line {first.strip()} and behind it one line {last.strip()}")
    with open(report) as file:
        new = file.read().rstrip()
    before, rest = text.split(first)
    with open(page, "w") as file:
        file.write(f"{before}{first}\n{new}\n\n{last}{rest.split(last)[1]}")


if __name__ == "__main__":
    main()
