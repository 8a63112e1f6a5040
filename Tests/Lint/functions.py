# SPDX-License-Identifier: Apache-2.0
"""Functions that fit on a screen and take what one can remember."""
import os
import re

# The most lines of a function or initialiser, with its declaration.
MOST_LINES = 60
# The most parameters of a function or initialiser, but for those that make a record: that give one of
# its properties a value for each parameter, or that are public, which apps call by their labels.
MOST_PARAMETERS = 6
# What apps call by all its parameters, most of which have a default.
PUBLIC_FACTORIES = {"Sources/Using/Guidance/PlannedRoutes/PlannedRoute+Computed.swift": {"from"}}

DECLARATION = re.compile(
    r"^(?P<indentation> *)(?:@\w+(?:\([^)]*\))? )*(?:[a-z]+(?:\(set\))? )*?"
    r"(?P<kind>func|init|deinit|subscript)\b[ ?!]*(?P<name>[^\s(<]*)")


def check():
    for root in ("Sources", "Examples"):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".swift"):
                    yield from check_file(path)


def check_file(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for start, line in enumerate(lines):
        declaration = DECLARATION.match(line)
        if not declaration:
            continue
        where = f"{path}:{start + 1}: {declaration['kind']} {declaration['name']}".rstrip()
        count = end_of_body(lines, start, declaration["indentation"]) - start
        if count > MOST_LINES:
            yield f"{where} has {count} lines, at most {MOST_LINES} fit on a screen: split it"
        if declaration["kind"] not in ("func", "init"):
            continue
        if declaration["name"] in PUBLIC_FACTORIES.get(path, ()):
            continue
        count = parameters("\n".join(lines[start:start + MOST_LINES])[declaration.end():])
        if declaration["kind"] == "init" and count > MOST_PARAMETERS:
            end = end_of_body(lines, start, declaration["indentation"])
            if "public " in line or is_record("\n".join(lines[start:end]), count):
                continue
        if count > MOST_PARAMETERS:
            yield (f"{where} has {count} parameters, at most {MOST_PARAMETERS} are remembered: "
                   "make a type of those that belong together")


def end_of_body(lines, start, indentation):
    """The index of the line after a function. The formatter ends it with a brace at the indentation
    of its first line."""
    for index in range(start, len(lines)):
        line = lines[index]
        if line == indentation + "}":
            return index + 1
        is_outside = line.strip() and not line.startswith(indentation + " ")
        if index > start and is_outside and not line.lstrip().startswith((")", "{", "->", "where", "#")):
            return start + 1  # a declaration without a body, or one on a single line
    return len(lines)


def parameters(text):
    """The number of parameters of a declaration, from behind its name."""
    if text.startswith("<"):
        text = text[generics(text):]
    opening = text.find("(")
    if opening < 0:
        return 0
    depth, angles, count, is_text, has_any, before = 0, 0, 0, False, False, ""
    for character in text[opening:]:
        if character == '"' and before != "\\":
            is_text = not is_text
        elif is_text:
            pass
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return count + 1 if has_any else 0
        elif character == "<":
            angles += 1
        elif character == ">" and before != "-":
            angles -= 1
        elif character == "," and depth == 1 and angles <= 0:
            count += 1
        if depth > 1 or character not in "( \n":
            has_any = True
        before = character
    return 0


def is_record(text, count):
    """Whether the body of an initialiser gives one property a value for each of its parameters."""
    properties = 0
    body = text[text.find("{") + 1:text.rfind("}")]
    for statement in re.sub(r"([,(])\n\s*", r"\1 ", body).split("\n"):
        one = re.match(r" *(?:self\.)?\w+ = ", statement)
        several = re.match(r" *\(((?:self\.)?\w+(?:, (?:self\.)?\w+)*)\) = ", statement)
        if statement.strip() and not one and not several:
            return False
        properties += 1 if one else several[1].count(",") + 1 if several else 0
    return properties == count


def generics(text):
    """The length of what is between angle brackets at the beginning of a text."""
    depth = 0
    for index, character in enumerate(text):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if depth == 0:
            return index + 1
    return 0
