# SPDX-License-Identifier: Apache-2.0
"""Routes between many pairs, from memory and from pages, and a matrix."""
import json
import os
import statistics
import subprocess
import time

from measure import Bench, temporary, tool, without_missing

# Of the package that has planetsplitter, too.
PEER = "routino-router"


def routing(small, hgt, list_of_pairs):
    """Routes between 200 pairs, batches, a matrix, and the first route of a process."""
    names = ["s.trails", "s.elevated", "s.graph", "s.routing.db", "pairs.csv", "none.csv"]
    trails, elevated, graph, database, pairs, none = (temporary(name) for name in names)
    for name, more, source, target in [
        ("cairn-decode-pbf", [], small, trails),
        ("cairn-sample-elevation", ["--hgt", hgt], trails, elevated),
        ("cairn-build-graph", ["--trails", trails], elevated, graph),
        ("cairn-compute-costs", ["--profile", "hiking"], graph, database),
    ]:
        command = [tool(name), "--input", source, "--output", target, "-q"] + more
        subprocess.run(command, check=True)
    # The list has longitudes first.
    with open(list_of_pairs) as lines, open(pairs, "w") as out:
        ends = [line.split() for line in lines]
        out.writelines(f"{a[1]},{a[0]},{a[3]},{a[2]}\n" for a in ends)
    open(none, "w").close()
    batch = [tool("cairn"), "routes", "batch", database]

    def measure(listing, *words):
        command = batch + [listing, "--benchmark", *words]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return json.loads(run.stdout)

    runs = {name: [] for name in ("from memory", "from pages")}
    # In turn, so that a machine whose speed drifts is the same for all.
    for _ in range(Bench.runs):
        runs["from memory"].append(measure(pairs))
        runs["from pages"].append(measure(pairs, "--paged"))
    print("\nRoutes between the pairs of Andorra, in process, one thread")
    print(f"  {'':40}{'median ms':>10}{'mean ms':>9}{'95 % ms':>9}{'peak MB':>9}")
    for (name, found), target in zip(runs.items(), (0.2, 5)):
        def middle(key):
            return statistics.median(run[key] for run in found)

        met = "met" if middle("medianMilliseconds") < target else "MISSED"
        print(
            f"  {name:40}{middle('medianMilliseconds'):10.3f}{middle('meanMilliseconds'):9.3f}"
            f"{middle('percentile95Milliseconds'):9.3f}{middle('peakMegabytes'):9.1f}"
            f"  (target: below {target} ms) {met}"
        )
    many = temporary("many.csv")
    with open(pairs) as one, open(many, "w") as out:
        out.write(one.read() * 50)
    points = temporary("points.csv")
    with open(points, "w") as out:
        out.writelines(f"{a[1]},{a[0]}\n{a[3]},{a[2]}\n" for a in ends)
    matrix = [tool("cairn"), "matrix", database, "--points", points]
    print("  whole commands, two threads, loading included:")
    for name, command, target in (
        (f"batch of {50 * len(ends)} pairs", batch + [many], 1.7),
        (f"matrix of {2 * len(ends)} points", matrix, 0.5),
    ):
        walls, peaks = [], []
        for _ in range(Bench.runs):
            start = time.monotonic()
            process = subprocess.Popen(
                command + ["-j", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            walls.append(time.monotonic() - start)
            peaks.append(usage.ru_maxrss / 1000)
        wall = statistics.median(walls)
        met = "met" if wall < target else "MISSED"
        peak = statistics.median(peaks)
        print(f"    {name}: {wall:.2f} s, {peak:.1f} MB (target: below {target} s) {met}")
    idle = statistics.median(measure(none, "--paged")["peakMegabytes"] for _ in range(3))
    paged = statistics.median(run["peakMegabytes"] for run in runs["from pages"])
    met = "met" if paged - idle < 16 else "MISSED"
    print(f"  pages take {paged - idle:.1f} MB (target: below 16) {met}")

    one_route_each(small, database, ends)
    rate = [(name, batch + [pairs] + more) for name, more in [
        ("batch, 1 thread", ["-j", "1"]), ("batch, 2 threads", ["-j", "2"])]]
    print(f"  batch of {len(ends)} pairs, loading included:")
    for name, command in rate:
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"    {name}: {time.monotonic() - start:.3f} s")


def one_route_each(small, database, ends):
    """A process for each route, as a script would do it: ours and Routino's in turn."""
    def ours(a):
        return [tool("cairn"), "route", database, "--from", f"{a[1]},{a[0]}", "--to", f"{a[3]},{a[2]}"]

    def routino(a):
        where = [f"--lon1={a[0]}", f"--lat1={a[1]}", f"--lon2={a[2]}", f"--lat2={a[3]}"]
        return [
            "routino-router", f"--dir={Bench.work}", "--prefix=walk",
            "--profiles=/usr/share/routino/profiles.xml", "--transport=foot", "--shortest",
            "--output-none", "--quiet", *where]

    programs = {"cairn route": ours}
    if without_missing([(PEER, [PEER])]):
        walking = "--tagging=/usr/share/routino/tagging-walk.xml"
        subprocess.run(
            ["planetsplitter", f"--dir={Bench.work}", "--prefix=walk", walking, small],
            check=True, stdout=subprocess.DEVNULL)
        programs[PEER] = routino
    walls = {name: [] for name in programs}
    for pair in ends:
        for name, command in programs.items():
            start = time.monotonic()
            subprocess.run(command(pair), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            walls[name].append((time.monotonic() - start) * 1000)
    print(f"  a process for each of {len(ends)} routes, medians:")
    for name, times in walls.items():
        wall = statistics.median(times)
        target = f" (target: below 30) {'met' if wall < 30 else 'MISSED'}" if name != PEER else ""
        print(f"    {name}: {wall:.1f} ms{target}")
