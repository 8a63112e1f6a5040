# SPDX-License-Identifier: Apache-2.0
"""32 bits: modules that apps reach must compile where Int has so many, as on watches, and be right.

No SDK of Apple's is needed: Embedded Swift has a standard library for bare processors of 32 bits.
What takes time is kept in .build/lint until a source changes.
"""
import concurrent.futures
import hashlib
import os
import platform
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__)) + "/Narrow"
CACHE = ".build/lint"
# These compile as Embedded Swift, but for their files that import Foundation; in an order in which each
# follows those that it needs.
COMPILED = [
    "Foundations/Formatting", "Foundations/Algorithms", "Foundations/ByteCoding",
    "Foundations/Locks", "Foundations/Geodesy", "Foundations/ElevationProfiles",
    "Foundations/Diagnostics", "Foundations/SQLiteKit",
]
# These use key paths and the like, which Embedded Swift does not have. Literals and constant
# arithmetic are checked none the less.
CHECKED = ["Building/TagRules", "Formats/PlaceDatabase"]
RESTRICTION = "[#EmbeddedRestrictions]"
COMPILE_ONLY = "armv7em-none-none-eabi"
# Programs for it run on the machines that check this.
RUN = "i686-unknown-none-elf"

SYSTEM_LIBRARIES = {"Darwin", "Glibc", "Musl", "Android"}
# Not in macOS 14, iOS 17 and watchOS 10.
TOO_NEW = {"Synchronization"}
IMPORT = re.compile(r"^\s*(?:@\S+\s+|public\s+|package\s+)*import\s+(?:\w+\s+)?(\w+)", re.MULTILINE)
TEXT = re.compile(r'""".*?"""|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
SHIFT = re.compile(r"(?<!&)<< ?(3[1-9]|[4-9]\d)\b")
LITERAL = re.compile(r"(?<![\w.])(0x[0-9A-Fa-f_]+|\d[\d_]+)(?![\w.])")
WIDE = re.compile(r"\bU?Int64\b|\bUInt32\b")


def check(package):
    app = set(package.products).union(*map(package.reached, package.products))
    modules = [package.modules[name] for name in sorted(app)]
    compiled = {"Sources/" + path for path in COMPILED + CHECKED}
    for module in modules:
        for path in module.sources():
            with open(path, encoding="utf-8") as file:
                text = file.read()
            yield from check_imports(path, text)
            if module.path not in compiled:
                yield from check_numbers(path, text)
    paths = {module.path for module in modules}
    for path in sorted(compiled - paths):
        yield f"Tests/Lint/narrow.py: apps do not reach {path}"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for problems in pool.map(lambda target: list(compile_all(target)), [COMPILE_ONLY, RUN]):
            yield from problems


def check_imports(path, text):
    imported = set(IMPORT.findall(text))
    found = imported & SYSTEM_LIBRARIES
    if found and found != SYSTEM_LIBRARIES:
        missing = ", ".join(sorted(SYSTEM_LIBRARIES - found))
        yield f"{path} imports {', '.join(sorted(found))}, and elsewhere not {missing}"
    for name in sorted(imported & TOO_NEW):
        yield f"{path} imports {name}, which the oldest systems of apps do not have"


def check_numbers(path, text):
    """A great number beside nothing that says how wide it is may be an Int."""
    text = TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for index, line in enumerate(text.split("\n")):
        line = line.split("//")[0]
        if WIDE.search(line):
            continue
        if SHIFT.search(line):
            yield f"{path}:{index + 1} shifts by more than 30 bits: name the type, such as UInt64(1)"
        for literal in LITERAL.findall(line):
            if int(literal, 16 if "x" in literal else 10) >= 1 << (32 if "x" in literal else 31):
                yield f"{path}:{index + 1}: {literal} is more than 32 bits hold: name its type"


def compile_all(target):
    """Compiles the modules for a target; where its programs run, runs the checks."""
    folder = f"{CACHE}/{target}"
    os.makedirs(f"{folder}/include", exist_ok=True)
    header = sqlite_header()
    shutil.copy(header, f"{folder}/include/sqlite3.h")
    shims = [f"{HERE}/{name}" for name in ("Coding.swift", "shims/glibc.h", "shims/module.modulemap")]
    version = subprocess.run(["swiftc", "--version"], check=True, capture_output=True).stdout
    base = digest([*shims, header, __file__], version)
    options = [
        "swiftc", "-target", target, "-enable-experimental-feature", "Embedded",
        "-enable-experimental-feature", "Extern", "-wmo", "-parse-as-library", "-swift-version", "6",
        "-package-name", "cairn", "-I", folder, "-I", f"{HERE}/shims",
        "-I", "Sources/SystemLibraries/CSQLite", "-Xcc", "-ffreestanding",
        "-Xcc", f"-I{folder}/include",
    ]
    module = ["-emit-module", "-emit-module-path"]
    yield from kept(f"{folder}/Coding", base, [
        *options, "-module-name", "Coding", *module, f"{folder}/Coding.swiftmodule", shims[0]])
    options += ["-Xfrontend", "-import-module", "-Xfrontend", "Coding"]
    known = base
    for path in COMPILED + (CHECKED if target == COMPILE_ONLY else []):
        name = "Cairn" + os.path.basename(path)
        sources = [source for source in swift_files(path) if not uses_foundation(source)]
        key = digest(sources, known)
        # What is only checked is not imported by the others.
        if path in COMPILED:
            known = key
        command = [*options, "-module-name", name, *module, f"{folder}/{name}.swiftmodule"]
        command += ["-c", "-o", f"{folder}/{name}.o"] if target == RUN else []
        yield from kept(f"{folder}/{name}", key, command + sources, path in CHECKED)
    if target == RUN and platform.machine() == "x86_64":
        yield from run(folder, options, known)


def run(folder, options, known):
    """Runs the checks, with as much of a C library as they need."""
    sources = [f"{HERE}/checks.swift", f"{HERE}/runtime.c"]
    compiler = shutil.which("swiftc")
    tools = os.path.dirname(os.path.realpath(compiler))
    tables = f"{tools}/../lib/swift/embedded/{RUN}/libswiftUnicodeDataTables.a"
    key = digest(sources, known)
    objects = [f"{folder}/Cairn{os.path.basename(path)}.o" for path in COMPILED]
    commands = [
        [*options, "-module-name", "Checks", "-c", "-o", f"{folder}/checks.o", sources[0]],
        [f"{tools}/clang", "-target", RUN, "-ffreestanding", "-fno-builtin", "-fno-stack-protector",
         "-O1", "-c", "-o", f"{folder}/runtime.o", sources[1]],
        # SQLite and files are not called.
        [f"{tools}/ld.lld", "-m", "elf_i386", "--gc-sections", "--unresolved-symbols=ignore-all",
         *objects, f"{folder}/checks.o", f"{folder}/runtime.o", tables, "-o", f"{folder}/checks"],
    ]
    for index, command in enumerate(commands):
        yield from kept(f"{folder}/checks.{index}", key, command)
    try:
        ended = subprocess.run([f"{folder}/checks"], capture_output=True, timeout=20)
    except OSError as error:
        yield f"the checks with 32 bits cannot run here: {error}"
        return
    if ended.returncode != 0:
        yield (f"with 32 bits, {os.path.relpath(sources[0])} ended with {ended.returncode}: "
               + " / ".join(sorted(set(ended.stderr.decode().split("\n")) - {""})))


def kept(path, key, command, may_be_restricted=False):
    """Runs a command unless it succeeded with the same inputs before; yields its errors."""
    try:
        with open(path + ".key", encoding="utf-8") as file:
            if file.read() == key:
                return
    except FileNotFoundError:
        pass
    ended = subprocess.run(command, capture_output=True, text=True)
    errors = [line for line in ended.stderr.split("\n") if re.match(r"\S.*error: ", line)]
    if may_be_restricted and any(RESTRICTION in line for line in errors):
        errors = [line for line in errors if RESTRICTION not in line]
    elif ended.returncode != 0 and not errors:
        errors = [f"{command[0]} ended with {ended.returncode}: {ended.stderr[-500:]}"]
    if errors:
        for line in sorted(set(errors)):
            yield f"with 32 bits: {line}"
        return
    with open(path + ".key", "w", encoding="utf-8") as file:
        file.write(key)


def swift_files(path):
    return sorted(
        os.path.join(folder, name) for folder, _, names in os.walk("Sources/" + path)
        for name in names if name.endswith(".swift"))


def uses_foundation(path):
    with open(path, encoding="utf-8") as file:
        return "Foundation" in set(IMPORT.findall(file.read()))


def sqlite_header():
    found = subprocess.run(
        ["pkg-config", "--variable=includedir", "sqlite3"], capture_output=True, text=True)
    return (found.stdout.strip() or "/usr/include") + "/sqlite3.h"


def digest(paths, *others):
    total = hashlib.sha256()
    for other in others:
        total.update(other if isinstance(other, bytes) else other.encode())
    for path in paths:
        with open(path, "rb") as file:
            total.update(path.encode() + b"\0" + file.read())
    return total.hexdigest()
