#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what becomes of the ways of extracts: what each profile can pass, how the network hangs
together, and what each kind of barrier does.

    network.py --bin .build/release --hgt FOLDER EXTRACT.osm.pbf…
"""
import argparse
import json
import os
import subprocess
import tempfile


def run(name, *words):
    program = os.path.join(options.bin, name)
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def build(extract, folder):
    """Builds a database; returns the report of the graph stage and what inspect says."""
    def path(ending):
        return os.path.join(folder, "map." + ending)

    run("cairn-decode-pbf", "--input", extract, "--output", path("trails"), "-q")
    tiles = ["--hgt", options.hgt] if options.hgt else []
    run(
        "cairn-sample-elevation", "--input", path("trails"), "--output", path("elevated"), "-q",
        *tiles)
    run(
        "cairn-build-graph", "--input", path("elevated"), "--trails", path("trails"), "--output",
        path("graph"), "--report", path("json"), "-q")
    profiles = [word for name in options.profile for word in ("--profile", name)]
    run(
        "cairn-compute-costs", "--input", path("graph"), "--output", path("routing.db"), "--report",
        path("costs.json"), "-q", *profiles)
    run("cairn-validate", "--input", path("routing.db"), "-q")
    with open(path("json")) as report:
        barriers = json.load(report)["output"]["barriers"]
    with open(path("costs.json")) as report:
        costs = json.load(report)["output"]["profiles"]
    return barriers, costs, json.loads(run("cairn", "inspect", path("routing.db"), "--json"))


def show(extract):
    with tempfile.TemporaryDirectory() as folder:
        barriers, costs, found = build(extract, folder)
    print(f"\n{os.path.basename(extract)}: {found['nodes']} nodes, {found['edges']} edges, "
          f"{found['kilometres']:.1f} km, {found['barrierEdges']} edges of barriers, "
          f"{found['ferryEdges']} of ferries")
    print(f"  {'profile':12}{'passable':>18}{'one-way':>9}{'impassable':>18}{'parts':>7}"
          f"{'islands':>9}{'(nodes)':>9}{'largest part':>14}")
    for profile in found["profiles"]:
        passable = f"{profile['passableEdges']} / {profile['passableKilometres']:.1f} km"
        impassable = f"{profile['impassableEdges']} / {profile['impassableKilometres']:.1f} km"
        print(f"  {profile['name']:12}{passable:>18}{profile['onewayEdges']:>9}{impassable:>18}"
              f"{profile['components']:>7}{profile['islands']:>9}{profile['islandNodes']:>9}"
              f"{100 * profile['largestComponentShare']:>12.2f} %")
    print(f"  {'class of access':20}" + "".join(f"{name:>22}" for name in costs))
    classes = sorted({word for tally in costs.values() for word in tally["access"]})
    for word in classes:
        line = f"  {word:20}"
        for tally in costs.values():
            one = tally["access"].get(word, {"edges": 0, "kilometres": 0})
            line += f"{one['edges']:>8} / {one['kilometres']:>8.1f} km"
        print(line)
    print(f"  {'barrier':20}{'nodes':>7}{'stop walkers':>14}{'stop cyclists':>15}")
    for kind, tally in sorted(barriers.items(), key=lambda item: (-item[1]["nodes"], item[0])):
        print(f"  {kind:20}{tally['nodes']:>7}{tally['stopsWalkers']:>14}"
              f"{tally['stopsCyclists']:>15}")


parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("extract", nargs="+")
parser.add_argument("--bin", default=".build/release", help="the folder of the executables")
parser.add_argument("--hgt", help="a folder of elevation tiles")
parser.add_argument("--profile", action="append", help="default: hiking and cycling")
options = parser.parse_args()
options.profile = options.profile or ["hiking", "cycling"]
for extract in options.extract:
    show(extract)
