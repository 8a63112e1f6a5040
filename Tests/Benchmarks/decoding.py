# SPDX-License-Identifier: Apache-2.0
"""Reading of extracts beside osmium, and of XML beside Expat."""
import os
import subprocess

from measure import COPIES, Bench, compare, compiled, shifted, temporary, tool, verdict
from measure import without_missing


def extract(source, bbox=None):
    command = [tool("cairn-decode-pbf"), "--input", source, "--output", temporary("r.trails"), "-q"]
    return command + (["--bbox", ",".join(map(str, bbox))] if bbox else [])


def decoding(small, large):
    full = [tool("cairn"), "inspect", large]
    commands = [("cairn inspect", full)]
    targets = [("extract one region", "cairn inspect", 1.5, False)]
    peer = "osmium fileinfo -e"
    osmium = without_missing([(peer, ["osmium", "fileinfo", "-e", "--no-progress", large])])
    if osmium:
        targets += [(peer, "cairn inspect", 4, True), (peer, "extract everything", 2.5, True)]
    commands += osmium + [
        ("extract one region", extract(large, shifted(0))),
        ("extract everything", extract(large)),
    ]
    megabytes = os.path.getsize(large) / 1e6
    title = f"k{COPIES}: {COPIES} copies of Andorra side by side, {megabytes:.0f} MB"
    runs = compare(title, commands, Bench.runs, targets, megabytes, "MB")
    for name in ("cairn inspect", "extract one region", "extract everything"):
        peak = max(run.peak for run in runs[name])
        print(
            f"  {name}: at most {peak:.0f} MB of memory (target: below 150) {verdict(peak < 150)}"
        )
    compare(
        "Andorra alone",
        [("cairn inspect", [tool("cairn"), "inspect", small]), ("extract everything", extract(small))],
        Bench.runs * 2,
        [],
        os.path.getsize(small) / 1e6,
        "MB",
    )


def regions(large):
    folder = temporary("regions")
    os.makedirs(folder, exist_ok=True)
    boxes = [shifted(copy) for copy in range(COPIES)]
    many = [tool("cairn-decode-pbf"), "--input", large, "--output-dir", folder, "-q"]
    for number, box in enumerate(boxes):
        many += ["--region", f"r{number}=" + ",".join(map(str, box))]
    sides = list(zip(*boxes))
    cover = (min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3]))
    name = f"{COPIES} regions in one scan"
    compare(
        "Many regions of one file",
        [(name, many), ("one region that covers them", extract(large, cover))],
        Bench.runs,
        [(name, "one region that covers them", 1.3, False)],
    )


def xml(packed):
    bare = compiled("bare-expat", "-lexpat", "-lz")
    if not bare:
        return
    plain = temporary("andorra-2013.osm")
    with open(plain, "wb") as out:
        subprocess.run(["gzip", "-dc", packed], stdout=out, check=True)
    for label, path in (("plain", plain), ("gzip", packed)):
        ours = [tool("cairn-parse-overpass"), "--input", path, "--output", temporary("x.trails"), "-q"]
        compare(
            f"XML, {label}",
            [("cairn-parse-overpass", ours), ("bare Expat", [bare, path])],
            Bench.runs * 2,
            # As fast as Expat that does nothing, less 30 %.
            [("cairn-parse-overpass", "bare Expat", round(1 / 0.7, 2), False)],
            os.path.getsize(plain) / 1e6,
            "MB",
        )
