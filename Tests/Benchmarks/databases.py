# SPDX-License-Identifier: Apache-2.0
"""Looking up elevations, and writing databases beside SQLite."""
import json
import os
import shutil
import statistics
import subprocess
import zipfile

from measure import COPIES, Bench, compare, median, temporary, tool


def lookups(small, large, hgt):
    """Elevations that the stage looks up a second on one core, by its own count of CPU time.

    Reading and inflating the tiles is part of it, the program's start and the cleaning are not.
    For the copies of Andorra its tile is unpacked under the name of each copy's tile.
    """
    folder = temporary("tiles")
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(hgt, "N42E001.hgt.zip")) as archive:
        posts = archive.read(archive.namelist()[0])
    for copy in range(COPIES):
        with open(os.path.join(folder, f"N{42 + copy // 10}E{1 + copy % 10:03}.hgt"), "wb") as out:
            out.write(posts)
    report = temporary("lookups.json")
    print("\nElevations looked up tile by tile, on one core")
    print(f"  {'':40}{'points':>12}{'CPU s':>9}{'million/s':>11}{'peak MB':>9}")
    for name, source, tiles, step in [
        ("Andorra, 30 m, one packed tile", small, hgt, 30),
        ("Andorra, 1 m, one packed tile", small, hgt, 1),
        (f"{COPIES} copies, 30 m, {COPIES} tiles", large, folder, 30),
        (f"{COPIES} copies, 10 m, {COPIES} tiles", large, folder, 10),
    ]:
        trails = temporary("lookups.trails")
        subprocess.run(
            [tool("cairn-decode-pbf"), "--input", source, "--output", trails, "-q"], check=True)
        seconds, peaks = [], []
        for _ in range(Bench.runs):
            subprocess.run(
                [tool("cairn-sample-elevation"), "--input", trails, "--hgt", tiles, "--output",
                 temporary("lookups.elevated"), "--step-metres", str(step), "--threads", "1",
                 "--report", report, "-q"],
                check=True, stderr=subprocess.DEVNULL)
            with open(report) as file:
                found = json.load(file)
            seconds.append(found["output"]["lookupCPUSeconds"])
            peaks.append(found["peakBytes"] / 1e6)
        points = found["input"]["nodes"] + found["output"]["samples"]
        rate = points / statistics.median(seconds) / 1e6
        met = "met" if rate >= 10 else "MISSED"
        print(f"  {name:40}{points:12}{statistics.median(seconds):9.4f}{rate:11.1f}"
              f"{max(peaks):9.0f}  (target: at least 10) {met}")


COPY = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
PRAGMA cache_size=-4096; PRAGMA temp_store=MEMORY;
ATTACH '{source}' AS source;
BEGIN;
CREATE TABLE routing_edges AS SELECT * FROM source.routing_edges LIMIT 0;
INSERT INTO routing_edges SELECT * FROM source.routing_edges;
CREATE INDEX idx_edges_from ON routing_edges(from_node);
CREATE INDEX idx_edges_to ON routing_edges(to_node);
COMMIT;
"""


def database(large, hgt):
    """The rows that the cost stage writes a second, beside SQLite copying the edges alone."""
    if not shutil.which("sqlite3"):
        print("sqlite3 is not installed: the database is not measured")
        return
    names = ["k.trails", "k.elevated", "k.graph", "k.routing.db", "copy.db", "copy.sql"]
    trails, elevated, graph, output, copy, script = (temporary(name) for name in names)
    for name, more, source, target in [
        ("cairn-decode-pbf", [], large, trails),
        ("cairn-sample-elevation", ["--hgt", hgt], trails, elevated),
        ("cairn-build-graph", ["--trails", trails], elevated, graph),
        ("cairn-compute-costs", ["--profile", "hiking"], graph, output),
    ]:
        command = [tool(name), "--input", source, "--output", target, "-q"] + more
        subprocess.run(command, check=True)
    with open(script, "w") as out:
        out.write(COPY.format(source=output))
    count = ["sqlite3", output, "SELECT count(*) FROM routing_edges"]
    edges = int(subprocess.run(count, check=True, stdout=subprocess.PIPE).stdout)
    stage = [tool("cairn-compute-costs"), "--input", graph, "--output", temporary("k2.routing.db"), "-q"]
    alone = "SQLite copies the edges"
    copying = ["sh", "-c", f"rm -f '{copy}'; exec sqlite3 '{copy}' < '{script}'"]
    runs = compare(
        f"A database of {edges} edges",
        [
            ("costs of one profile", stage + ["--profile", "hiking"]),
            ("costs of two profiles", stage + ["--profile", "hiking", "--profile", "cycling"]),
            (alone, copying),
        ],
        Bench.runs,
        [("costs of one profile", alone, 1, False)],
        edges / 1000,
        "k edges",
    )
    copied = median(runs[alone], "cpu")
    # What the stage itself says of writing, without reading the graph and computing the costs.
    report = temporary("k2.json")
    seconds = []
    for _ in range(Bench.runs):
        command = stage + ["--profile", "hiking", "--report", report]
        subprocess.run(command, check=True)
        with open(report) as text:
            seconds.append(json.load(text)["output"]["writingCPUSeconds"])
    rate = edges / statistics.median(seconds)
    met = "met" if rate >= 800_000 else "MISSED"
    print(
        f"  edges with all tables: {rate / 1000:.0f} thousand a second of CPU (target: at least "
        f"800) {met}; {alone.lower()} in {edges / copied / 1000:.0f} thousand a second"
    )
