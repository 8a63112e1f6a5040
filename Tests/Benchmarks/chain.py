# SPDX-License-Identifier: Apache-2.0
"""The whole chain and each of its stages, beside the least that such a stage can take."""
import os
import shutil
import statistics

from measure import COPIES, Bench, compiled, copies_of, in_turn, median, ratio, shifted, summary
from measure import tiles_for_copies, verdict, without_missing
from orchestrator import manifest

PROFILES = ["--profile", "hiking", "--profile", "cycling"]
STAGES = [
    "decode", "elevation", "graph", "costs", "validate", "waypoints", "validate waypoints",
    "places", "validate places",
]
WHOLE = "cairn run"
YARDSTICK = "inflating alone"
READS_ONLY = "osmium fileinfo -e"
PEER = "routino planetsplitter"
# Of an extract: how often the whole chain may take what its yardsticks take, and its memory.
TARGETS = {1: (4, 4, 40), 20: (2, 10, 150), 100: (2, 12, 450)}


def stages(source, tiles, folder, bin_folder=None):
    """Of each stage its command line, the file that it reads and the one that it writes."""
    trails, elevated, graph, database, waypoints, places = (
        os.path.join(folder, f"c.{ending}") for ending in (
            "trails", "elevated", "graph", "routing.db", "waypoints.db", "places.db"))

    def program(name):
        return os.path.join(bin_folder or Bench.bin, name)

    ways = ["--trails", trails]
    found = {
        "decode": ("cairn-decode-pbf", [], source, trails),
        "elevation": ("cairn-sample-elevation", ["--hgt", tiles], trails, elevated),
        "graph": ("cairn-build-graph", ways, elevated, graph),
        "costs": ("cairn-compute-costs", PROFILES, graph, database),
        "waypoints": ("cairn-collect-places", ways, elevated, waypoints),
        "places": ("cairn-index-places", ways, elevated, places),
    }
    lines = {
        stage: ([program(name), "--input", before, "--output", after, "-q"] + more, before, after)
        for stage, (name, more, before, after) in found.items()
    }
    for name, path in (("validate", database), ("validate waypoints", waypoints),
                       ("validate places", places)):
        lines[name] = ([program("cairn-validate"), "--input", path, "-q"], path, None)
    return {stage: lines[stage] for stage in STAGES}


def floor(before, after):
    """Reads what a stage reads and writes what it writes, without thinking."""
    line = f"cat '{before}' >/dev/null"
    return line + (f"; cat '{after}' >'{after}.copy'; rm '{after}.copy'" if after else "")


def whole(name, source, tiles, boxes, bin_folder=None, jobs=None):
    """The command line of a run from nothing, and what must be done before it."""
    path, output = manifest(name, source, tiles, boxes)
    command = [os.path.join(bin_folder or Bench.bin, "cairn"), "run", "-q", path]

    def clean():
        shutil.rmtree(output, ignore_errors=True)

    return command + (["-j", str(jobs)] if jobs else []), clean


def boxes_of(copies):
    """One box around all copies, with a margin."""
    boxes = [shifted(copy) for copy in range(copies)]
    west, south, east, north = zip(*boxes)
    return [(min(west) - 0.1, min(south) - 0.1, max(east) + 0.1, max(north) + 0.1)]


def measure(copies, rounds, peers=True):
    """Measures the chain for some copies of Andorra; returns the runs of each command."""
    source = copies_of(os.path.join(Bench.data, "andorra.osm.pbf"), copies)
    tiles = tiles_for_copies(os.path.join(Bench.data, "hgt"), copies)
    lines = stages(source, tiles, Bench.work)
    run, clean = whole("whole", source, tiles, boxes_of(copies))
    commands = [(stage, line) for stage, (line, _, _) in lines.items()] + [(WHOLE, run)]
    for stage, (_, before, after) in lines.items():
        commands.append((f"floor of {stage}", ["sh", "-c", floor(before, after)]))
    inflate = compiled("bare-inflate", "-ldeflate")
    if inflate:
        commands.append((YARDSTICK, [inflate, source]))
    others = [(READS_ONLY, ["osmium", "fileinfo", "-e", "--no-progress", source])]
    if peers:
        tagging = "--tagging=/usr/share/routino/tagging.xml"
        splitter = ["planetsplitter", f"--dir={Bench.work}", "--prefix=peer", tagging, source]
        others.append((PEER, splitter))
    commands += without_missing(others)
    runs = in_turn(commands, rounds, lambda name: clean() if name == WHOLE else None)
    database = lines["costs"][2]
    return runs, {"source": os.path.getsize(source), "database": os.path.getsize(database)}


def show(copies, runs, sizes):
    """Prints the table of a chain."""
    name = "Andorra" if copies == 1 else f"{copies} copies of Andorra"
    print(f"\nThe chain for {name}, {sizes['source'] / 1e6:.1f} MB")
    print(f"  {'':24}{'wall s':>9}{'least':>9}{'most':>9}{'CPU s':>9}{'peak MB':>9}"
          f"{'written MB':>12}{'floor s':>9}")
    for label, found in runs.items():
        if label.startswith("floor of"):
            continue
        walls = [run.wall for run in found]
        line = f"  {label:24}{statistics.median(walls):9.3f}{min(walls):9.3f}{max(walls):9.3f}"
        line += f"{median(found, 'cpu'):9.3f}{max(run.peak for run in found):9.0f}"
        line += f"{median(found, 'written') / 1e6:12.2f}"
        floors = runs.get(f"floor of {label}")
        print(line + (f"{median(floors, 'wall'):9.3f}" if floors else ""))
    alone = statistics.median(
        sum(run.wall for run in turn) for turn in zip(*(runs[stage] for stage in STAGES)))
    print(f"  the stages one by one: {alone:.3f} s; of the run, without its stages: "
          f"{median(runs[WHOLE], 'wall') - alone:.3f} s")
    print(f"  the database: {sizes['database'] / 1e6:.2f} MB")
    reads, peer, memory = TARGETS.get(copies, (None, None, None))
    if READS_ONLY in runs:
        times = ratio(runs[WHOLE], runs[READS_ONLY])
        words = f" (target: at most {reads}) {verdict(times <= reads)}" if reads else ""
        print(f"  {WHOLE} / {READS_ONLY}: {times:.2f}{words}")
        times = ratio(runs[READS_ONLY], runs["decode"])
        print(f"  {READS_ONLY} / decode: {times:.2f} (target: at least 2.5) {verdict(times >= 2.5)}")
    if PEER in runs:
        times = ratio(runs[PEER], runs[WHOLE])
        words = f" (target: at least {peer}) {verdict(times >= peer)}" if peer else ""
        print(f"  {PEER} / {WHOLE}: {times:.2f}{words}")
    if memory:
        most = max(run.peak for label in [*STAGES, WHOLE] for run in runs[label])
        print(f"  memory of any process: {most:.0f} MB (target: at most {memory}) "
              f"{verdict(most <= memory)}")


def chain(counts=(1, COPIES), peers=True):
    for copies in counts:
        runs, sizes = measure(copies, Bench.runs, peers)
        show(copies, runs, sizes)
        kept = {label: summary(found) for label, found in runs.items()}
        Bench.results[f"k{copies}"] = {"sizes": sizes, "commands": kept}


def scaling():
    """Tables for a document: extracts of growing size, and regions of one source."""
    chain((1, 5, 20, 100), peers=False)
    print("\n| copies | MB | " + " | ".join(STAGES + ["run", "peak MB", "database MB"]) + " |")
    print("|---" * (len(STAGES) + 5) + "|")
    for copies in (1, 5, 20, 100):
        found = Bench.results[f"k{copies}"]
        times = [found["commands"][label] for label in [*STAGES, WHOLE]]
        cells = [f"{copies}", f"{found['sizes']['source'] / 1e6:.1f}"]
        cells += [f"{row['wallSeconds']:.3f}" for row in times]
        cells.append(f"{max(row['peakMegabytes'] for row in times):.0f}")
        cells.append(f"{found['sizes']['database'] / 1e6:.1f}")
        print("| " + " | ".join(cells) + " |")
    source = copies_of(os.path.join(Bench.data, "andorra.osm.pbf"), COPIES)
    tiles = tiles_for_copies(os.path.join(Bench.data, "hgt"), COPIES)
    commands, cleaning = [], {}
    for regions in (1, 5, 20):
        for jobs in (1, 2):
            name = f"{regions} regions, {jobs} workers"
            boxes = [shifted(copy) for copy in range(regions)]
            command, clean = whole(f"scaling-{regions}-{jobs}", source, tiles, boxes, jobs=jobs)
            commands.append((name, command))
            cleaning[name] = clean
    runs = in_turn(commands, Bench.runs, lambda name: cleaning[name]())
    print("\n| regions of one source | 1 worker, s | 2 workers, s | ratio |\n|---|---|---|---|")
    for regions in (1, 5, 20):
        one, two = (runs[f"{regions} regions, {jobs} workers"] for jobs in (1, 2))
        print(f"| {regions} | {median(one, 'wall'):.3f} | {median(two, 'wall'):.3f} "
              f"| {ratio(one, two):.2f} |")
