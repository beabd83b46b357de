# gst-cca: the wheel's tags: any Python 3 on this platform, because the library uses no symbol of Python
# SPDX-License-Identifier: LGPL-2.1-or-later

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(distclass=Binary, cmdclass={"bdist_wheel": Wheel})
