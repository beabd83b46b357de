# gst-cca: test programs in Python, in the Test Anything Protocol
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import traceback


class Skip(Exception):
    """Raised by a case that cannot run, with the reason."""


def expect(kind, words, function, *arguments, **options):
    """Expects an exception whose text has the words."""
    try:
        function(*arguments, **options)
    except kind as error:
        assert words in str(error), f"{error!r} lacks {words!r}"
    else:
        raise AssertionError(f"no {kind.__name__} with {words!r}")


def run(*cases):
    """Runs functions as test cases, named after them; returns the exit status of the program. Coroutines get 150 s."""
    failed = False
    print(f"1..{len(cases)}", flush=True)
    for number, case in enumerate(cases, start=1):
        name = case.__name__.replace("_", "-")
        try:
            if asyncio.iscoroutinefunction(case):
                asyncio.run(asyncio.wait_for(case(), 150))
            else:
                case()
            line = f"ok {number} {name}"
        except Skip as skip:
            line = f"ok {number} {name} # SKIP {skip}"
        except Exception as error:  # any other error of a case is its failure too
            failed = True
            for text in traceback.format_exc().splitlines():
                print("#", text)
            first = (str(error) or type(error).__name__).splitlines()[0]
            line = f"not ok {number} {name} - {first}"
        print(line, flush=True)
    return 1 if failed else 0
