# SPDX-License-Identifier: Apache-2.0
"""Folders and the names of files."""
import os
import re

# The most files of a folder below Sources, so that one look suffices.
MOST_FILES = 14


def check(package):
    for folder, _, names in sorted(os.walk("Sources")):
        if len(names) > MOST_FILES:
            yield f"{folder} has {len(names)} files, at most {MOST_FILES} fit: nest them"
    for test in package.tests.values():
        yield from check_names(test)


def check_names(test):
    """XxxTests.swift holds tests; helpers and fixtures have other names."""
    if not test.path.endswith("Tests"):
        yield f"{test.path}: the name of a folder of tests ends with Tests"
    for path in test.sources():
        with open(path, encoding="utf-8") as file:
            has_tests = re.search(r"^\s*@Test\b", file.read(), re.MULTILINE) is not None
        is_named = path.endswith("Tests.swift")
        if has_tests and not is_named:
            yield f"{path} has tests, so its name must end with Tests.swift"
        if is_named and not has_tests:
            yield f"{path} has no tests, so its name must not end with Tests.swift"
