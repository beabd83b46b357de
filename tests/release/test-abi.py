#!/usr/bin/env python3
# gst-cca: abi.sh tells changes that break programs from those that do not
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-abi.py BUILD

Changes the baseline, as if the libraries had been other ones before."""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import tap  # noqa: E402


def compare(before, after):
    """The exit status of abi.sh, for a baseline in which a pattern is replaced once."""
    with tempfile.TemporaryDirectory() as folder:
        changes = 0
        for path in HERE.glob("*.abi"):
            text, n = re.subn(before, after, path.read_text(), count=1, flags=re.DOTALL)
            changes += n
            (pathlib.Path(folder) / path.name).write_text(text)
        assert changes == 1, f"{changes} places of the baseline have {before}"
        command = [HERE / "abi.sh", sys.argv[1], "--baseline", folder]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def breaks(before, after):
    assert compare(before, after) == 1, f"{before} is not found"


def works(before, after):
    assert compare(before, after) == 0, f"{before} is reported"


def functions_that_are_gone_break():
    breaks("name='cca_plan_run' type", "name='cca_plan_gone' type")
    breaks("name='gst_cca_meta_get_info' type", "name='gst_cca_meta_gone' type")


def types_of_another_size_break():
    breaks("name='CcaImage' size-in-bits='[0-9]*'", "name='CcaImage' size-in-bits='64'")
    breaks("name='_GstCcaTrack' size-in-bits='[0-9]*'", "name='_GstCcaTrack' size-in-bits='64'")


def numbers_of_enumerations_that_change_break():
    breaks("name='CCA_ISA_NEON' value='[0-9]*'", "name='CCA_ISA_NEON' value='99'")


def new_functions_and_numbers_work():
    symbol = "<elf-symbol name='cca_plan_reset'[^\n]*\n"
    function = "<function-decl name='cca_plan_reset'.*?</function-decl>\n"
    works(f"{symbol}(.*?){function}", r"\1")
    works("<enumerator name='CCA_ISA_NEON'[^\n]*\n", "")


def types_of_others_work():
    works("name='_GObject' size-in-bits='[0-9]*'", "name='_GObject' size-in-bits='64'")


def another_soname_works():
    works("soname='libcca.so.[0-9]*'", "soname='libcca.so.99'")


sys.exit(
    tap.run(
        functions_that_are_gone_break,
        types_of_another_size_break,
        numbers_of_enumerations_that_change_break,
        new_functions_and_numbers_work,
        types_of_others_work,
        another_soname_works,
    )
)
