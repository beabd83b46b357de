#!/usr/bin/env python3
# gst-cca: kernels that are started while the one before still runs wait for it
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A kernel of the files that cuda/device.c names begins with start_kernel (), before it reads or writes anything.

usage: early-kernels.py ROOT
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

ROOT = Path(sys.argv[1]).resolve()
KERNEL = re.compile(r'__global__ void.*?(cca_[\w#]+) \([^)]*\)\s*\{\s*(.*?);', re.DOTALL)
# What may stand before it: a name for a part of the parameters.
ALIAS = re.compile(r'const \w+ &\w+ = q(\.\w+)*$')


def early_files():
    return re.findall(r'\[CCA_MODULE_(\w+)\] = true', (ROOT / 'cuda/device.c').read_text())


def first_statements(text):
    """For each kernel its name and its first statement that is no alias."""
    text = text.replace('\\\n', '\n')
    for match in KERNEL.finditer(text):
        statement, rest = match[2].strip(), text[match.end():]
        while ALIAS.match(statement):
            statement, _, rest = rest.partition(';')
            statement = statement.strip()
        yield match[1], statement


def early_kernels_wait():
    assert early_files(), 'cuda/device.c names no file'
    for name in early_files():
        text = (ROOT / f'cuda/kernels/{name}.cu').read_text()
        kernels = list(first_statements(text))
        assert len(kernels) == text.count('extern "C" __global__'), f'{name}.cu: only {len(kernels)} kernels were found'
        for kernel, statement in kernels:
            assert statement == 'start_kernel ()', f'{name}.cu: {kernel} begins with "{statement}"'


def what_does_not_wait_is_found():
    text = 'extern "C" __global__ void __launch_bounds__ (32)\ncca_a (const P q)\n{\n  const P &p = q.p;\n\n  f (p);\n}\n'
    assert list(first_statements(text)) == [('cca_a', 'f (p)')]


if __name__ == '__main__':
    sys.exit(tap.run(early_kernels_wait, what_does_not_wait_is_found))
