# gst-cca: the wheel's tags: any Python 3 on this kind of machine, as the library has no symbol of Python's
# SPDX-License-Identifier: LGPL-2.1-or-later

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"bdist_wheel": Wheel})
