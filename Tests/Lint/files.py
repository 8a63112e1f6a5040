# SPDX-License-Identifier: Apache-2.0
"""Folders, the names of files, and tests that assert nothing."""
import os
import re
import subprocess

# The most files of a folder below Sources, so that one look suffices.
MOST_FILES = 14
# The top folder; anything else there was left behind by a tool.
TOP = {
    ".ci", ".devcontainer", ".editorconfig", ".github", ".gitignore", ".swift-format",
    "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "Examples", "LICENSE", "Makefile",
    "Package.swift", "README.md", "RELEASING.md", "SECURITY.md", "Sources", "Tests", "docs",
    "pipelines", "sample-data",
}
# What a test asserts with: macros, and helpers that are named after what they do.
ASSERTIONS = re.compile(r"expect|#require|Issue\.record|check|replay")


LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


def check(package):
    yield from check_top()
    for folder, _, names in sorted(os.walk("Sources")):
        if len(names) > MOST_FILES:
            yield f"{folder} has {len(names)} files, at most {MOST_FILES} fit: nest them"
    for module in [*package.modules.values(), *package.tests.values()]:
        yield from check_licence(module)
    for test in package.tests.values():
        yield from check_names(test)
        for path in test.sources():
            yield from check_assertions(path)


def check_top():
    # An unpacked archive has no repository.
    if not os.path.exists(".git"):
        return
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True)
    for name in sorted({path.split("/")[0] for path in tracked.stdout.split("\0")} - TOP - {""}):
        yield f"{name} does not belong into the top folder"


def check_licence(module):
    """The formatter takes the first comment along where it sorts the import below it."""
    for path in module.sources():
        with open(path, encoding="utf-8") as file:
            if file.readline() != LICENCE:
                yield f"{path} does not begin with its licence"


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


def check_assertions(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for start, line in enumerate(lines):
        if "#expect(true" in line:
            yield f"{path}:{start + 1} expects what is always true"
        if not re.match(r"\s*@Test\b", line):
            continue
        # The formatter ends a function with a brace at the indentation of its first line.
        indentation = line[: len(line) - len(line.lstrip())]
        end = next(
            (index for index in range(start, len(lines)) if lines[index] == indentation + "}"),
            len(lines))
        body = next(
            (index for index in range(start, end) if "func " in lines[index]), start)
        if not ASSERTIONS.search("\n".join(lines[body:end])):
            yield f"{path}:{start + 1}: the test asserts nothing"
