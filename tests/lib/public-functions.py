#!/usr/bin/env python3
# gst-cca: the public functions of libcca as a list for the preprocessor
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: public-functions.py HEADER

Prints a line "F (name)" for each function that the header declares with CCA_API."""

import re
import sys
from pathlib import Path

names = re.findall(r"^CCA_API\s[^(;]*?(cca_\w+) \(", Path(sys.argv[1]).read_text(), re.MULTILINE)
assert names, f"{sys.argv[1]} declares no function"
print("\n".join(f"F ({name})" for name in names))
