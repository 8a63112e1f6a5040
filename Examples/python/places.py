#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds places by name in a database of places with nothing but its tables and the standard library.

    places.py REGION.places.db QUERY…

It prints up to ten places whose names have words that begin with the words of the query, the most
important ones first. Cairn's own search also forgives typos and ranks by distance.
"""

import re
import sqlite3
import sys
import unicodedata

SPECIAL = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}


def fold(text):
    """The words of a name as they are indexed: plain lower-case letters, numbers apart."""
    text = re.sub(r"(?i)(?<=l)[·‧.](?=l)", "", text).replace("·", "")
    letters = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(SPECIAL.get(c, c) for c in letters if not unicodedata.combining(c))
    return re.findall(r"[^\W\d_]+|\d+", plain)


def search(path, query, limit=10):
    """Rows (name, kind, elevation, latitude, longitude) of the most important places."""
    words = fold(query)
    if not words:
        return []
    # Read-only: opening a path that does not exist is then an error.
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    found = connection.execute(
        """
        SELECT p.name, p.kind, p.elevation, p.latitude, p.longitude, min(t.rowid)
        FROM place_text t JOIN place_names n ON n.id = t.rowid JOIN places p ON p.id = n.place
        WHERE t.place_text MATCH ? GROUP BY p.id ORDER BY min(t.rowid) LIMIT ?
        """,
        (" AND ".join(f'"{word}" *' for word in words), limit),
    )
    return [row[:5] for row in found]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    for name, kind, elevation, latitude, longitude in search(sys.argv[1], " ".join(sys.argv[2:])):
        height = "" if elevation is None else f", {elevation:.0f} m"
        print(f"{name} ({kind}{height}) {latitude:.5f},{longitude:.5f}")


if __name__ == "__main__":
    main()
