#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Cairn beside other tools that do the same work.

The commands of a table run in turn (A B C A B C …), so that a ratio holds where the speed of the
machine drifts; times are medians, a ratio is the median over the rounds. Rows whose program or
data is missing are left out with a word.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ANDORRA = (1.412368, 42.4276, 1.787481, 42.65717)
COPIES = 20
PARTS = [
    "decoding", "regions", "xml", "chain", "lookups", "database", "routing", "orchestrator"
]


class Run:
    def __init__(self, command, log):
        with open(log, "wb") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
        if status != 0:
            words = open(log, errors="replace").read()[-2000:]
            sys.exit(f"failed: {' '.join(command)}\n{words}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024


def compare(title, commands, rounds, targets=(), work=1.0, unit=None):
    """Prints a table of `commands`, (name, command line) each.

    `targets` are (A, B, bound, is_at_least): the wall time of A by that of B against a bound.
    `work` is how many units a run does, for a column of units a second.
    """
    logs = os.path.join(options.work, "logs")
    os.makedirs(logs, exist_ok=True)
    runs = {name: [] for name, _ in commands}
    for turn in range(rounds + 1):
        for index, (name, command) in enumerate(commands):
            run = Run(command, os.path.join(logs, str(index)))
            # The first round warms up caches.
            if turn > 0:
                runs[name].append(run)
    print(f"\n{title}")
    header = f"  {'':40}{'wall s':>9}{'least':>9}{'CPU s':>9}{'peak MB':>9}"
    print(header + (f"{unit + '/s':>14}" if unit else ""))
    for name, found in runs.items():
        walls = [run.wall for run in found]
        wall = statistics.median(walls)
        line = f"  {name:40}{wall:9.3f}{min(walls):9.3f}"
        line += f"{statistics.median(run.cpu for run in found):9.3f}"
        line += f"{max(run.peak for run in found):9.0f}"
        print(line + (f"{work / wall:14.1f}" if unit else ""))
    for left, right, bound, at_least in targets:
        ratio = statistics.median(a.wall / b.wall for a, b in zip(runs[left], runs[right]))
        cpu = statistics.median(a.cpu / b.cpu for a, b in zip(runs[left], runs[right]))
        is_met = ratio >= bound if at_least else ratio <= bound
        print(
            f"  {left} / {right}: {ratio:.2f} in wall time, {cpu:.2f} in CPU time "
            f"(target: {'at least' if at_least else 'at most'} {bound}) "
            f"{'met' if is_met else 'MISSED'}"
        )
    return runs


def tool(name):
    return os.path.join(options.bin, name)


def temporary(name):
    return os.path.join(options.work, name)


def extract(source, bbox=None):
    command = [tool("cairn-decode-pbf"), "--input", source, "--output", temporary("r.trails"), "-q"]
    return command + (["--bbox", ",".join(map(str, bbox))] if bbox else [])


def shifted(copy):
    west, south, east, north = ANDORRA
    x, y = copy % 10, copy // 10
    return tuple(round(v, 6) for v in (west + x, south + y, east + x, north + y))


def decoding(small, large):
    full = [tool("cairn"), "inspect", large]
    commands = [("cairn inspect", full)]
    targets = [("extract one region", "cairn inspect", 1.5, False)]
    if shutil.which("osmium"):
        commands.append(("osmium fileinfo -e", ["osmium", "fileinfo", "-e", "--no-progress", large]))
        targets.insert(0, ("osmium fileinfo -e", "cairn inspect", 4, True))
    else:
        print("osmium is not installed: not compared")
    commands += [
        ("extract one region", extract(large, shifted(0))),
        ("extract everything", extract(large)),
    ]
    megabytes = os.path.getsize(large) / 1e6
    title = f"k{COPIES}: {COPIES} copies of Andorra side by side, {megabytes:.0f} MB"
    runs = compare(title, commands, options.runs, targets, megabytes, "MB")
    for name in ("cairn inspect", "extract one region", "extract everything"):
        peak = max(run.peak for run in runs[name])
        met = "met" if peak < 200 else "MISSED"
        print(f"  {name}: at most {peak:.0f} MB of memory (target: below 200) {met}")
    compare(
        "Andorra alone",
        [("cairn inspect", [tool("cairn"), "inspect", small]), ("extract everything", extract(small))],
        options.runs * 2,
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
        options.runs,
        [(name, "one region that covers them", 1.3, False)],
    )


def xml(packed):
    bare = temporary("bare-expat")
    source = os.path.join(HERE, "bare-expat.c")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-o", bare, source, "-lexpat", "-lz"], check=True)
    plain = temporary("andorra-2013.osm")
    with open(plain, "wb") as out:
        subprocess.run(["gzip", "-dc", packed], stdout=out, check=True)
    for label, path in (("plain", plain), ("gzip", packed)):
        ours = [tool("cairn-parse-overpass"), "--input", path, "--output", temporary("x.trails"), "-q"]
        compare(
            f"XML, {label}",
            [("cairn-parse-overpass", ours), ("bare Expat", [bare, path])],
            options.runs * 2,
            # As fast as Expat that does nothing, less 30 %.
            [("cairn-parse-overpass", "bare Expat", round(1 / 0.7, 2), False)],
            os.path.getsize(plain) / 1e6,
            "MB",
        )


def chain(small, hgt):
    names = ["r.trails", "r.elevated", "r.graph", "r.routing.db"]
    trails, elevated, graph, database = (temporary(name) for name in names)
    stages = [
        ("cairn-decode-pbf", [], small, trails),
        ("cairn-sample-elevation", ["--hgt", hgt], trails, elevated),
        ("cairn-build-graph", [], elevated, graph),
        ("cairn-compute-costs", ["--profile", "hiking", "--profile", "cycling"], graph, database),
    ]
    commands = [
        (name, [tool(name), "--input", source, "--output", target, "-q"] + more)
        for name, more, source, target in stages
    ]
    commands.append(("cairn-validate", [tool("cairn-validate"), "--input", database, "-q"]))
    runs = compare("The chain for Andorra", commands, options.runs)
    total = statistics.median(
        sum(run.wall for run in turn) for turn in zip(*runs.values())
    )
    listing = subprocess.run(
        [tool("cairn"), "inspect", "--json", elevated], check=True, stdout=subprocess.PIPE
    )
    columns = json.loads(listing.stdout)["columns"]
    nodes = next(column["count"] for column in columns if column["name"] == "node.elevation")
    wall = statistics.median(run.wall for run in runs["cairn-sample-elevation"])
    print(f"  all stages: {total:.3f} s")
    samples = next(column["count"] for column in columns if column["name"] == "sample.elevation")
    rate = (nodes + samples) / wall / 1e6
    met = "met" if wall < 0.06 else "MISSED"
    print(
        f"  elevation of {nodes} nodes and {samples} samples: {rate:.2f} million a second, "
        f"start-up included; {wall * 1000:.0f} ms (target: below 60) {met}"
    )


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
        for _ in range(options.runs):
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
        ("cairn-build-graph", [], elevated, graph),
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
        options.runs,
        [("costs of one profile", alone, 1, False)],
        edges / 1000,
        "k edges",
    )
    copied = statistics.median(run.cpu for run in runs[alone])
    # What the stage itself says of writing, without reading the graph and computing the costs.
    report = temporary("k2.json")
    seconds = []
    for _ in range(options.runs):
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


def manifest(name, source, tiles, boxes):
    """Writes a manifest with a region for each box; returns its path and its output folder."""
    output = temporary(name)
    path = output + ".json"
    regions = [
        {"id": f"r{number:02}", "name": f"Region {number}", "bbox": box}
        for number, box in enumerate(boxes)
    ]
    with open(path, "w") as out:
        json.dump(
            {
                "cairn": 1, "name": name, "output": output,
                "sources": {"extract": {"pbf": source}}, "elevation": [{"hgt": tiles}],
                "profiles": ["hiking", "cycling"], "defaults": {"source": "extract"},
                "regions": regions,
            },
            out,
        )
    return path, output


def tiles_for_copies(hgt):
    """A folder with the tile of Andorra under the names of all tiles that its copies need."""
    folder = temporary("tiles")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(hgt):
        if not name[7:].startswith(".hgt"):
            continue
        north, east, rest = int(name[1:3]), int(name[4:7]), name[7:]
        for copy in range(COPIES):
            link = os.path.join(folder, f"N{north + copy // 10:02}E{east + copy % 10:03}{rest}")
            # Of two that would lie on one another the one with the data is the northern one.
            if os.path.lexists(link):
                if name[:3] != "N42":
                    continue
                os.unlink(link)
            os.symlink(os.path.abspath(os.path.join(hgt, name)), link)
    return folder


def orchestrator(small, large, hgt):
    """Two workers beside one, and a run that has nothing to do."""
    boxes = [shifted(copy) for copy in range(COPIES)]
    path, output = manifest("twenty", large, tiles_for_copies(hgt), boxes)
    rebuild = f"rm -rf '{output}'; exec '{tool('cairn')}' run -q '{path}' -j "
    commands = [(f"{jobs} at a time", ["sh", "-c", rebuild + str(jobs)]) for jobs in (1, 2)]
    compare(
        f"{COPIES} regions of the size of Andorra, all stages, published",
        commands,
        options.runs,
        [("1 at a time", "2 at a time", 1.8, True)],
        COPIES,
        "regions",
    )
    west, south, east, north = 1.46, 42.45, 1.74, 42.61
    width, height = (east - west) / 10, (north - south) / 5
    boxes = [
        [
            round(west + width * x, 4), round(south + height * y, 4),
            round(west + width * (x + 1) + 0.02, 4), round(south + height * (y + 1) + 0.02, 4),
        ]
        for x in range(10)
        for y in range(5)
    ]
    path, _ = manifest("fifty", small, hgt, boxes)
    name = "nothing to do"
    runs = compare("Fifty regions", [(name, [tool("cairn"), "run", "-q", path])], 2 * options.runs)
    wall = statistics.median(run.wall for run in runs[name])
    met = "met" if wall < 0.15 else "MISSED"
    print(f"  {name}: {wall:.3f} s (target: below 0.15) {met}")


def routing(small, hgt, list_of_pairs):
    """Routes between 200 pairs, from pages and from memory, and the first route of a process."""
    names = ["s.trails", "s.elevated", "s.graph", "s.routing.db", "pairs.csv", "none.csv"]
    trails, elevated, graph, database, pairs, none = (temporary(name) for name in names)
    for name, more, source, target in [
        ("cairn-decode-pbf", [], small, trails),
        ("cairn-sample-elevation", ["--hgt", hgt], trails, elevated),
        ("cairn-build-graph", [], elevated, graph),
        ("cairn-compute-costs", ["--profile", "hiking"], graph, database),
    ]:
        command = [tool(name), "--input", source, "--output", target, "-q"] + more
        subprocess.run(command, check=True)
    # The list has longitudes first.
    with open(list_of_pairs) as lines, open(pairs, "w") as out:
        pairs = [line.split() for line in lines]
        out.writelines(f"{a[1]},{a[0]},{a[3]},{a[2]}\n" for a in pairs)
    open(none, "w").close()
    batch = [tool("cairn"), "routes", "batch", database]

    def measure(listing, *words):
        command = batch + [listing, "--benchmark", *words]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return json.loads(run.stdout)

    hierarchy = temporary("prepared.hierarchy")
    prepare = [tool("cairn-prepare-routing"), "--input", database, "--output", hierarchy, "-q"]
    start = time.monotonic()
    subprocess.run(prepare, check=True)
    prepared = time.monotonic() - start
    runs = {name: [] for name in ("through a hierarchy", "from memory", "from pages")}
    # In turn, so that a machine whose speed drifts is the same for all.
    for _ in range(options.runs):
        runs["through a hierarchy"].append(measure(pairs, "--hierarchy", hierarchy))
        runs["from memory"].append(measure(pairs))
        runs["from pages"].append(measure(pairs, "--paged"))
    print("\nRoutes between the pairs of Andorra, in process, one thread")
    print(f"  {'':40}{'median ms':>10}{'mean ms':>9}{'95 % ms':>9}{'peak MB':>9}")
    for (name, found), target in zip(runs.items(), (0.05, 0.2, 5)):
        def middle(key):
            return statistics.median(run[key] for run in found)

        met = "met" if middle("medianMilliseconds") < target else "MISSED"
        print(
            f"  {name:40}{middle('medianMilliseconds'):10.3f}{middle('meanMilliseconds'):9.3f}"
            f"{middle('percentile95Milliseconds'):9.3f}{middle('peakMegabytes'):9.1f}"
            f"  (target: below {target} ms) {met}"
        )
    print(f"  preparing the hierarchy: {prepared:.2f} s")
    many = temporary("many.csv")
    with open(pairs) as one, open(many, "w") as out:
        out.write(one.read() * 100)
    batch_prepared = batch + [many, "--hierarchy", hierarchy, "-j", "1"]
    rates = []
    for _ in range(options.runs):
        process = subprocess.Popen(batch_prepared, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        rates.append(100 * len(pairs) / (usage.ru_utime + usage.ru_stime))
    rate = statistics.median(rates)
    met = "met" if rate > 10_000 else "MISSED"
    print(f"  batch through it: {rate:.0f} routes/s of one core (target: above 10000) {met}")
    idle = statistics.median(measure(none, "--paged")["peakMegabytes"] for _ in range(3))
    paged = statistics.median(run["peakMegabytes"] for run in runs["from pages"])
    met = "met" if paged - idle < 16 else "MISSED"
    print(f"  pages take {paged - idle:.1f} MB (target: below 16) {met}")

    walls = []
    for a in pairs[:40]:
        command = [tool("cairn"), "route", database, "--from", f"{a[1]},{a[0]}", "--to", f"{a[3]},{a[2]}"]
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        walls.append((time.monotonic() - start) * 1000)
    wall = statistics.median(walls)
    met = "met" if wall < 30 else "MISSED"
    print(f"  a process for one route: {wall:.1f} ms (target: below 30) {met}")
    rate = [(name, batch + [pairs] + more) for name, more in [
        ("batch, 1 thread", ["-j", "1"]), ("batch, 2 threads", ["-j", "2"])]]
    print(f"  batch of {len(pairs)} pairs, loading included:")
    for name, command in rate:
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"    {name}: {time.monotonic() - start:.3f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--data", default=os.path.join(ROOT, "../shared/data"))
    parser.add_argument("--work", default=os.path.join(ROOT, ".build/bench"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", help="of " + ", ".join(PARTS) + "; several with commas")
    global options
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else PARTS
    small = os.path.join(options.data, "andorra.osm.pbf")
    if not os.path.exists(small):
        sys.exit(f"bench needs real data, and {small} is missing (give its folder with --data)")
    os.makedirs(options.work, exist_ok=True)
    large = temporary(f"k{COPIES}.osm.pbf")
    if not os.path.exists(large):
        print(f"making {large}")
        command = [sys.executable, os.path.join(HERE, "replicate.py"), small, large + ".tmp"]
        subprocess.run(command + [str(COPIES)], check=True)
        os.rename(large + ".tmp", large)
    load = os.getloadavg()[0]
    processors = len(os.sched_getaffinity(0))
    print(f"{processors} processors, load {load:.1f}" + (" (not quiet)" if load > 0.5 else ""))
    if "decoding" in chosen:
        decoding(small, large)
    if "regions" in chosen:
        regions(large)
    if "xml" in chosen:
        xml(os.path.join(options.data, "andorra-2013.osm.gz"))
    if "chain" in chosen:
        chain(small, os.path.join(options.data, "hgt"))
    if "lookups" in chosen:
        lookups(small, large, os.path.join(options.data, "hgt"))
    if "database" in chosen:
        database(large, os.path.join(options.data, "hgt"))
    if "orchestrator" in chosen:
        orchestrator(small, large, os.path.join(options.data, "hgt"))
    if "routing" in chosen:
        pairs = os.path.join(options.data, "andorra-pairs.txt")
        routing(small, os.path.join(options.data, "hgt"), pairs)


main()
