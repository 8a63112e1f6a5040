# SPDX-License-Identifier: Apache-2.0
"""The modules of the package: what each may depend on and import."""
import json
import os
import re
import subprocess
import tempfile

# From the bottom to the top: a module may use those of its own layer and of those below it.
LAYERS = [
    "SystemLibraries", "Foundations", "Formats", "Building", "Using", "Tuning", "Orchestration",
    "Tools", "Tests",
]
# What an app imports, that is all that the products need, reaches no files, no command line, and no C
# library but SQLite, and for photos on Linux libjpeg-turbo. Such modules are called Cairn and the name of their folder.
APP_PREFIX = "Cairn"
CLOSED_TO_APPS = {"SystemIO", "CommandLineKit"}
APP_LIBRARIES = {"CairnCSQLite", "CairnCJPEG"}
# Builds the tests that run where apps do.
APPLE_WORKFLOW = ".github/workflows/apple.yml"
IMPORT = re.compile(r"\s*(?:@\w+\s+|public\s+|package\s+)?import\s+(?:\w+\s+)?(\w+)")
# Whose subject is in Foundation alone: its parser of XML, notifications.
WHOLE_FOUNDATION = {"CairnGPXReading", "CairnTransfer"}
# What no other executable links than one.
LINKED_BY_ONE = {"CMicroHTTPD": "cairn-serve", "CLeaflet": "cairn-serve", "CCurl": "cairn-fetch"}
# The longest main of an executable, in lines.
LONGEST_MAIN = 50
# An executable parses arguments, calls modules and prints what they give: what it computes, decides or
# lays out is a module's, with tests that start no process. Its longest file, and the most lines that
# all of its files may have together; by default those of a thin main.
LONGEST_FILE = 210
MOST_LINES = {
    # A definition with its help, options and examples for each of some seventy-five commands. Where a
    # command makes this grow by more than that, its logic goes to a module.
    "cairn": 5750,
    # Measurements are their own subject.
    "MapMatchingBenchmark": 250, "GuidanceBenchmark": 250, "DatabasePagesBenchmark": 250,
    "SearchBenchmark": 250,
}


class Module:
    def __init__(self, target):
        self.name = target["name"]
        self.kind = target["type"]
        folder = "Tests" if self.kind == "test" else "Sources"
        self.path = target.get("path") or f"{folder}/{self.name}"
        # A dependency is {"byName": [NAME, CONDITION]} or the same with another kind.
        self.dependencies = [
            next(iter(dependency.values()))[0] for dependency in target["dependencies"]]
        self.resources = [f"{self.path}/{resource['path']}" for resource in target["resources"]]
        parts = self.path.split("/")
        self.layer = parts[1] if parts[0] == "Sources" else "Tests"

    def sources(self):
        for folder, _, names in sorted(os.walk(self.path)):
            for name in sorted(names):
                if name.endswith(".swift"):
                    yield os.path.join(folder, name)


class Package:
    def __init__(self):
        # A folder of its own keeps this out of the way of a build that is running.
        with tempfile.TemporaryDirectory() as scratch:
            dump = subprocess.run(
                ["swift", "package", "--scratch-path", scratch, "dump-package"],
                check=True, stdout=subprocess.PIPE).stdout
        content = json.loads(dump)
        targets = [Module(target) for target in content["targets"]]
        # The modules of each.
        self.libraries = {
            product["name"]: product["targets"] for product in content["products"]
            if "library" in product["type"]}
        self.products = [target for targets in self.libraries.values() for target in targets]
        self.modules = {module.name: module for module in targets if module.kind != "test"}
        self.tests = {module.name: module for module in targets if module.kind == "test"}

    def reached(self, name):
        """All modules that a module needs, directly or through others."""
        found, open_names = set(), [name]
        while open_names:
            for dependency in self.modules[open_names.pop()].dependencies:
                if dependency not in found:
                    found.add(dependency)
                    open_names.append(dependency)
        return found


def check(package):
    for module in package.modules.values():
        yield from check_layer(package, module)
        yield from check_sources(package, module)
    for module in package.modules.values():
        if module.kind == "executable":
            for name in sorted(package.reached(module.name) & WHOLE_FOUNDATION):
                yield f"{module.name} must not need {name}, with which it would grow by FoundationXML"
            for name, only in LINKED_BY_ONE.items():
                if name in package.reached(module.name) and module.name != only:
                    yield f"{module.name} must not need {name}, which {only} alone links"
    app = set(package.products).union(*map(package.reached, package.products))
    libraries = {name for name in app if package.modules[name].layer == "SystemLibraries"}
    for name in sorted(app & CLOSED_TO_APPS | libraries - APP_LIBRARIES):
        yield f"what apps import needs {name}"
    named = {name for name in package.modules if name.startswith(APP_PREFIX)}
    for name in sorted(app ^ named):
        yield f"{name} should {'be' if name in app else 'not be'} called {APP_PREFIX}…: apps " + (
            "reach it" if name in app else "do not reach it")
    for test in package.tests.values():
        yield from check_place(package, test)
        yield from check_imports(package, test)
    yield from check_portable(package)


def check_layer(package, module):
    if module.layer not in LAYERS:
        yield f"{module.path} is not in the folder of a layer ({', '.join(LAYERS)})"
        return
    folder = module.path.split("/")[-1]
    if module.name not in (folder, APP_PREFIX + folder, "TestSupport", "AppTestSupport"):
        yield f"the module {module.name} is in a folder of another name, {module.path}"
    for name in module.dependencies:
        dependency = package.modules[name]
        if dependency.layer in LAYERS:
            if LAYERS.index(dependency.layer) > LAYERS.index(module.layer):
                yield f"{module.name} must not depend on {name}, which is in a higher layer"
        if dependency.kind == "executable":
            yield f"{module.name} must not depend on the executable {name}"


def check_sources(package, module):
    mains = []
    whole = 0
    for path in module.sources():
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        count = len(lines) - 1
        whole += count
        if module.kind == "executable" and count > LONGEST_FILE:
            yield f"{path} has {count} lines, a file of an executable has at most {LONGEST_FILE}"
        if os.path.basename(path) == "main.swift" or "@main" in lines:
            mains.append((path, len(lines)))
        for index, line in enumerate(lines):
            found = IMPORT.match(line)
            if not found or module.name in ("TestSupport", "AppTestSupport", "RunSupport"):
                continue
            imported = found.group(1)
            if imported in package.modules and imported not in module.dependencies:
                yield f"{path} imports {imported}, which Package.swift does not list for it"
            # All of Foundation is slow to start; its essentials suffice where they exist.
            if (imported == "Foundation" and lines[index - 1].strip() != "#else"
                    and module.name not in WHOLE_FOUNDATION):
                yield f"{path} imports Foundation where FoundationEssentials exist"
    if module.kind == "executable":
        if len(mains) != 1:
            yield f"{module.path} has {len(mains)} files with a main function"
        for path, count in mains:
            if count > LONGEST_MAIN:
                yield f"{path} has {count} lines, a main has at most {LONGEST_MAIN}"
        most = MOST_LINES.get(module.name, LONGEST_MAIN)
        if whole > most:
            yield (f"{module.path} has {whole} lines, the executable has at most {most}: "
                   "what it computes belongs to a module")


def check_imports(package, test):
    """What tests import is built before them; in a tree that was built before, all of it is there."""
    reached = set(test.dependencies).union(*map(package.reached, test.dependencies))
    for path in test.sources():
        with open(path, encoding="utf-8") as file:
            for imported in map(IMPORT.match, file):
                if imported and imported.group(1) in package.modules:
                    if imported.group(1) not in reached:
                        yield (f"{path} imports {imported.group(1)}, which Package.swift does not "
                               f"list for {test.name}")


def check_portable(package):
    """Tests that reach no more than apps do, and their support, are those that run on a Mac."""
    portable = set()
    for test in package.tests.values():
        reached = set(test.dependencies).union(*map(package.reached, test.dependencies))
        libraries = {name for name in reached if package.modules[name].layer == "SystemLibraries"}
        if not reached & CLOSED_TO_APPS and libraries <= APP_LIBRARIES:
            if all(name.startswith((APP_PREFIX, "AppTestSupport")) for name in reached):
                portable.add(test.name)
    with open(APPLE_WORKFLOW, encoding="utf-8") as file:
        listed = set(re.findall(r"\b\w+Tests\b", file.read()))
    for name in sorted(portable ^ listed):
        yield f"{APPLE_WORKFLOW}: {name} " + (
            "runs on a Mac, too" if name in portable else "needs more than apps reach")


def check_place(package, test):
    """Tests/LAYER/MODULETests are the tests of Sources/LAYER/MODULE."""
    name = test.name.removesuffix("Tests")
    module = package.modules.get(name) or package.modules.get(APP_PREFIX + name)
    if module and module.layer != "Tests":
        expected = module.path.replace("Sources/", "Tests/") + "Tests"
        if test.path != expected:
            yield f"{test.path} should be {expected}, beside the folder of its module"
