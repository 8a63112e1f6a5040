# SPDX-License-Identifier: Apache-2.0
"""Privacy manifests: an app's store asks why libraries call certain functions of the system.

Each product has a manifest for the kinds of such functions that its modules call, and for no other; the
manifests are in modules that no executable of Cairn's links, so that none gets a folder of resources.
"""
import os
import plistlib
import re

MANIFEST = "PrivacyInfo.xcprivacy"
PREFIX = "NSPrivacyAccessedAPICategory"
# By Apple's “Describing use of required reason API”: the names of each kind, and the reasons that a
# library may give for it.
KINDS = {
    "FileTimestamp": (
        r"stat|fstat|fstatat|lstat|f?getattrlist|getattrlistat|getattrlistbulk"
        r"|creationDate|modificationDate|fileCreationDate|fileModificationDate"
        r"|contentModificationDate|creationDateKey|contentModificationDateKey"
        r"|NSFileCreationDate|NSFileModificationDate",
        {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"}),
    "DiskSpace": (
        r"f?statfs|f?statvfs|f?getattrlist|getattrlistat|systemFreeSize|systemSize"
        r"|volumeTotalCapacity(?:Key)?|volumeAvailableCapacity(?:For\w+Usage)?(?:Key)?"
        r"|NSFileSystemFreeSize|NSFileSystemSize",
        {"85F4.1", "E174.1", "7D9E.1", "B728.1"}),
    "SystemBootTime": (r"systemUptime|mach_absolute_time", {"35F9.1", "8FFB.1", "3D61.1"}),
    "ActiveKeyboards": (r"activeInputModes", {"3EC4.1", "54BD.1"}),
    "UserDefaults": (
        r"NSUserDefaults|UserDefaults|AppStorage", {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
}
CALLS = {kind: re.compile(rf"\b(?:{names})\b") for kind, (names, _) in KINDS.items()}
# What is said about code is not called; what a text inserts is.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
INSERTED = re.compile(r"\\\(([^\n]*)\)")


def check(package):
    calls = {name: dict(called(module)) for name, module in package.modules.items()}
    manifests = {
        name: list(declared(path)) for name, module in package.modules.items()
        for path in module.resources if os.path.basename(path) == MANIFEST}
    for path in sorted(path for name in manifests for path in package.modules[name].resources):
        yield from check_reasons(path)
    for module in package.modules.values():
        if module.kind == "executable":
            for name in sorted(package.reached(module.name) & set(manifests)):
                yield f"{module.name} must not need {name}, whose resources are for apps alone"
    for product, targets in sorted(package.libraries.items()):
        modules = set(targets).union(*map(package.reached, targets))
        has = {kind for name in modules & set(manifests) for kind in manifests[name]}
        needs = {kind: place for name in sorted(modules) for kind, place in calls[name].items()}
        for kind in sorted(set(needs) - has):
            yield (f"{needs[kind]}, and the product {product} has no privacy manifest with "
                   f"{PREFIX}{kind}")
        for kind in sorted(has - set(needs)):
            yield f"the product {product} has {PREFIX}{kind} in a privacy manifest and calls nothing of it"


def called(module):
    """The kinds of functions that a module calls, each with one place."""
    for path in sources(module):
        with open(path, encoding="utf-8") as file:
            text = NO_CODE.sub(blank, file.read())
        for kind, names in CALLS.items():
            found = names.search(text)
            if found:
                line = text.count("\n", 0, found.start()) + 1
                yield kind, f"{path}:{line} calls {found[0]}"


def sources(module):
    for folder, _, names in sorted(os.walk(module.path)):
        for name in sorted(names):
            if name.endswith((".swift", ".c", ".m", ".h")):
                yield os.path.join(folder, name)


def blank(found):
    """As many lines of nothing, but for the code that a text inserts."""
    inserted = INSERTED.findall(found[0]) if found[0].startswith('"') else []
    return " ".join(inserted) + "\n" * found[0].count("\n")


def declared(path):
    for entry in read(path)["NSPrivacyAccessedAPITypes"]:
        yield entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX)


def check_reasons(path):
    content = read(path)
    for key in ("NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"):
        if content.get(key) != []:
            yield f"{path}: {key} is not an empty array"
    if content.get("NSPrivacyTracking") is not False:
        yield f"{path}: NSPrivacyTracking is not false"
    for entry in content["NSPrivacyAccessedAPITypes"]:
        kind = entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX)
        reasons = entry["NSPrivacyAccessedAPITypeReasons"]
        allowed = KINDS[kind][1] if kind in KINDS else set()
        if not reasons or not set(reasons) <= allowed:
            yield f"{path}: {', '.join(reasons) or 'nothing'} is no reason for {PREFIX}{kind}"


def read(path):
    with open(path, "rb") as file:
        return plistlib.load(file)
