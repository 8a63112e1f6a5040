#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint.py: checks how the project is put together, without building it. Run by make lint.

Prints one line for each thing that is wrong and ends with 1 if there is any.
"""
import os
import sys

import arithmetic
import documents
import files
import functions
import layers
import narrow
import privacy

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def main():
    os.chdir(ROOT)
    package = layers.Package()
    problems = [*layers.check(package), *files.check(package), *functions.check(),
                *arithmetic.check(),
                *documents.check(package), *privacy.check(package), *narrow.check(package)]
    for problem in problems:
        print(f"lint: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
