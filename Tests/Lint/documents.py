# SPDX-License-Identifier: Apache-2.0
"""Documents: their links, the table of modules, and what the project does not speak of."""
import os
import re
import unicodedata

ARCHITECTURE = "ARCHITECTURE.md"
# Where documents are, besides the top folder.
FOLDERS = ["docs", "pipelines", "Examples", "sample-data", "Tests"]
# What has neither documents nor sources.
SKIPPED = {".build", ".git", "build", "__pycache__", "Findings", "Regressions", "Seeds"}
# Where rows of tables name what is in the tree.
MAP = "docs/seeds.md"
NAMED = re.compile(r"\[`([^`]+)`\]\(\.\./([^)#]+)\)")
FORBIDDEN = [
    (re.compile(r"\bissues? #?\d+", re.IGNORECASE), "an issue number"),
    # Neither a colour nor an anchor, an entity or a part of a word.
    (re.compile(r"(?<![\w&/:;\"'#])(?<!\]\()#\d{1,4}\b"), "an issue number"),
    (re.compile(r"\.\./shared"), "../shared"),
]


def files_below(folder, endings):
    for path, folders, names in sorted(os.walk(folder)):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(path, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(package):
    documents = sorted(name for name in os.listdir(".") if name.endswith(".md"))
    for folder in FOLDERS:
        documents += files_below(folder, (".md",))
    anchors = {}
    for document in documents:
        yield from check_links(document, anchors)
    yield from check_named()
    yield from check_modules(package)
    yield from check_words([path for path in documents if not path.startswith("Tests")])
    yield from check_targets([*documents, *files_below(".github", (".yml", ".md")), ".ci/run"])


def without_code(text):
    """The text with fenced blocks emptied and inline code removed, line by line."""
    lines, is_code = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_code = not is_code
            line = ""
        lines.append("" if is_code else re.sub(r"`[^`]*`", "", line))
    return lines


def check_links(document, anchors):
    lines = without_code(read(document))
    definitions = {}
    for line in lines:
        found = re.match(r"\s*\[([^\]]+)\]:\s*(\S+)", line)
        if found:
            definitions[found.group(1).lower()] = found.group(2)
    for number, line in enumerate(lines, 1):
        targets = re.findall(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)", line)
        if re.match(r"\s*\[[^\]]+\]:", line):
            targets += [re.match(r"\s*\[[^\]]+\]:\s*(\S+)", line).group(1)]
        for name in re.findall(r"\]\[([^\]]+)\]", line):
            if name.lower() not in definitions:
                yield f"{document}:{number}: the link [{name}] is not defined"
        for target in targets:
            problem = broken(document, target, anchors)
            if problem:
                yield f"{document}:{number}: {target} {problem}"


def broken(document, target, anchors):
    """What is wrong with a link; None if it leads somewhere or out of the project."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
    if path.startswith(".."):
        return "leads out of the project"
    if not os.path.exists(path):
        return "does not exist"
    if anchor and path.endswith(".md"):
        if path not in anchors:
            anchors[path] = headings(read(path))
        if anchor not in anchors[path]:
            return "names no heading of that file"
    return None


def headings(text):
    """The anchors of a document, as GitHub makes them of its headings."""
    found, is_code = {}, False
    for line in text.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        heading = None if is_code else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
        anchor = "".join(
            character for character in title
            if character in " -_" or unicodedata.category(character)[0] in "LN").replace(" ", "-")
        count = found.get(anchor, -1) + 1
        found[anchor] = count
        if count:
            found[f"{anchor}-{count}"] = 0
    return found


def check_named():
    """What the map of the seeds names is declared in the file that it links to, and no row is empty."""
    for number, line in enumerate(read(MAP).split("\n"), 1):
        for name, path in NAMED.findall(line):
            last = re.escape(name.split(".")[-1].split("(")[0])
            declared = rf"\b(?:struct|class|enum|protocol|func|var|let|case|typealias)\s[^:=]*\b{last}\b"
            if os.path.isfile(path) and not re.search(declared, read(path)):
                yield f"{MAP}:{number}: {path} has no {name}"
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and not all(cells):
            yield f"{MAP}:{number}: a cell of the table is empty"


def check_modules(package):
    rows = [line for line in read(ARCHITECTURE).split("\n") if line.lstrip().startswith("|")]
    named = set(re.findall(r"`([^`]+)`", "\n".join(rows)))
    for module in package.modules.values():
        # The table names modules by their folders.
        name = os.path.basename(module.path)
        if module.layer != "Tests" and name not in named:
            yield f"{ARCHITECTURE} has no line about {name} in a table"


def check_words(documents):
    paths = documents + [*files_below("Sources", (".swift", ".h", ".modulemap"))]
    for path in [*paths, *files_below("pipelines", (".yaml", "run")), "Package.swift", "Makefile"]:
        for number, line in enumerate(read(path).split("\n"), 1):
            for pattern, what in FORBIDDEN:
                if pattern.search(line):
                    yield f"{path}:{number} mentions {what}: {line.strip()[:60]}"


def check_targets(paths):
    """A `make TARGET` that a document or a workflow names must be in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):(?!=)", read("Makefile"), re.MULTILINE))
    for path in paths:
        for number, line in enumerate(read(path).split("\n"), 1):
            for target in re.findall(r"(?:`|run: |^)make ([a-z][a-z-]*)", line):
                if target not in targets:
                    yield f"{path}:{number}: the Makefile has no target {target}"
