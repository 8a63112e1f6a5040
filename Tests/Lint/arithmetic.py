# SPDX-License-Identifier: Apache-2.0
"""Numbers of foreign files in arithmetic that traps: a file may have any number.

A number of a file is what a function below READS gives, a name that has such a value, or an integer
property of a record that is decoded in RECORDS. It must not be an operand of +, - or *, of abs or a
sign, of a conversion to a narrower type, or an end of a range, before its function compares it with
something. `&+`, `addingReportingOverflow`, `clamping:`, `exactly:` and conversions to Double are fine.
A number that is passed to another function is not followed. Where a number is limited elsewhere, a comment on the line or above it says where: `// Limited: …`.
"""
import os
import re

from functions import DECLARATION, end_of_body

REASON = "// Limited: "
# Of SQLite's rows, of packed bytes, of deltas.
READS = r"\b(?!arguments\b)\w+\??\.(?:integer|optionalInteger|varint|signed|fixed)\((?:[^()]|\([^()]*\))*\)"
# The records that travel, and their properties that reading limits or that others share a name with.
RECORDS = ("Sources/Using/Bundles", "Sources/Using/Transfer", "Sources/Using/Updates")
USERS = RECORDS + ("Sources/Orchestration/BundleFolders", "Sources/Orchestration/Distribution",
                   "Sources/Orchestration/Publishing")
LIMITED = {"bytes", "oldBytes", "count"}
# What gives a number of a safe size, or another type.
SAFE = re.compile(
    r"\b(?:Double|U?Int(?:8|16|32|64)?)\((?:clamping|exactly|truncatingIfNeeded|bitPattern):"
    r"|\bDouble\(|\.init\((?:clamping|exactly|truncatingIfNeeded|bitPattern):"
    r"|\b(?:min|max)\(|ReportingOverflow|\.binarySearch\(|==|!=|<|>|~=|\.contains\(")
BINDING = re.compile(
    r"\b(?P<binding>(?:if|guard|while)? ?(?:let|var)|,? let) (?P<names>\w+|\([\w, ]+\))"
    r"(?:: [\w?]+)? = (?P<value>.*)")
RECORD = re.compile(r"\b(?:struct|class|extension) \w+[^{]*\b(?:Codable|Decodable)\b[^{]*\{")
PROPERTY = re.compile(r"^ +(?:(?:public|package|private|fileprivate)(?:\(set\))? )*(?:let|var) "
                      r"(?P<names>\w+(?:, \w+)*): U?Int(?:32|64)?\??(?: = .*)?$")
NUMBER = r"(?:{0})(?: \?\? [\w.]+\)?)?"
NARROW = r"\bU?Int(?:8|16|32)\((?:{0})\)|\bUInt(?:64)?\((?:{0})\)"


def uses(number):
    """Arithmetic that traps on a number."""
    value = rf"(?:U?Int(?:64)?\()?{NUMBER.format(number)}\)?"
    return re.compile(
        rf"{value} ?(?: [-+*]=? (?!$)|\.\.\.|\.\.<)"
        rf"|(?:(?<!&)[-+*]=? |\.\.\.|\.\.<){value}(?![\w(])"
        rf"|\babs\({value}\)|(?:[(=,\[] ?|return )-{value}(?![\w(.])|"
        + NARROW.format(number))


def sources():
    for folder, _, names in sorted(os.walk("Sources")):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    yield path, file.read().split("\n")


def code(line):
    """A line without texts and comments."""
    return re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


def check():
    files = list(sources())
    properties = set()
    for path, lines in files:
        for start, line in enumerate(lines):
            if path.startswith(RECORDS) and RECORD.search(line):
                properties |= record_properties(lines, start)
    members = "|".join(sorted(properties - LIMITED))
    member = rf"|\b\w+(?:\??\.\w+)*\??\.(?:{members})\b(?!\()"
    for path, lines in files:
        for start, line in enumerate(lines):
            declaration = DECLARATION.match(line)
            if declaration:
                end = end_of_body(lines, start, declaration["indentation"])
                yield from check_function(
                    path, lines, start, end, member if path.startswith(USERS) else "")


def record_properties(lines, start):
    indentation = re.match(" *", lines[start]).group()
    names = set()
    for line in lines[start + 1:end_of_body(lines, start, indentation)]:
        found = PROPERTY.match(line)
        if found:
            names |= set(found["names"].split(", "))
    return names


def check_function(path, lines, start, end, member):
    known, compared = set(), set()
    for index in range(start, end):
        line = code(lines[index])
        names = "|".join(sorted(known - compared))
        numbers = READS + member + (rf"|(?<![\w.])(?:{names})\b(?![\w(:])" if names else "")
        for found in uses(numbers).finditer(line):
            # What is compared in front of it, or was compared before.
            number = re.search(numbers, found.group()).group()
            if number in compared or is_compared(number, line[:found.start()]) or limited(lines, index):
                continue
            yield (f"{path}:{index + 1}: “{found.group().strip()}” may overflow, since a file may have "
                   f"any number: compare it first, use &+ or ReportingOverflow, or say “{REASON}…”")
        compared |= {number for number in [*known, *re.findall(numbers, line)]
                     if is_compared(number, line)}
        for binding in BINDING.finditer(line):
            value = binding["value"]
            if SAFE.search(value):
                continue
            if re.search(READS, value):
                new = set(re.findall(r"\w+", binding["names"]))
                known |= new
                compared -= new


def is_compared(number, line):
    number = re.escape(number)
    return re.search(rf"(?<![\w.]){number}(?!\w)[^,&|]*(?: [<>]=? | == | ~= )"
                     rf"|(?: [<>]=?| ==| ~=) [^,&|]*(?<![\w.]){number}(?!\w)"
                     rf"|contains\([^)]*(?<![\w.]){number}(?!\w)", line)


def limited(lines, index):
    return REASON in lines[index] or index > 0 and REASON in lines[index - 1]


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(__file__), "..", ".."))
    for problem in check():
        print(problem)
