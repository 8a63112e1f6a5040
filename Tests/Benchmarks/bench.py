#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Cairn beside other tools that do the same work.

The commands of a table run in turn (A B C A B C …), so that a ratio holds where the speed of the
machine drifts; times are medians, a ratio is the median over the rounds. Rows whose program or
data is missing are left out with a word.

The figures of the chain are kept in results.json of the folder for work. --compare measures the
chain again and compares: with such a file, or, better, with the executables in a folder, which
then run in turn with these.
"""
import argparse
import json
import os
import sys

import compare_chains
from chain import chain, scaling
from databases import database, lookups
from decoding import decoding, regions, xml
from measure import COPIES, ROOT, Bench, copies_of, data, temporary
from orchestrator import orchestrator
from routes import routing

PARTS = {
    "chain": chain,
    "decoding": lambda: decoding(small(), large()),
    "regions": lambda: regions(large()),
    "xml": lambda: xml(data("andorra-2013.osm.gz")),
    "lookups": lambda: lookups(small(), large(), data("hgt")),
    "database": lambda: database(large(), data("hgt")),
    "orchestrator": lambda: orchestrator(small(), large(), data("hgt")),
    "routing": lambda: routing(small(), data("hgt"), data("andorra-pairs.txt")),
}
# Takes long, so that only those get it who ask.
LONG_PARTS = {"scaling": scaling}


def small():
    return data("andorra.osm.pbf")


def large():
    return copies_of(small(), COPIES)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--data", default=os.path.join(ROOT, "../shared/data"))
    parser.add_argument("--work", default=os.path.join(ROOT, ".build/bench"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument(
        "--only", help="of " + ", ".join([*PARTS, *LONG_PARTS]) + "; several with commas")
    parser.add_argument("--compare", metavar="FILE.json|FOLDER")
    options = parser.parse_args()
    Bench.bin, Bench.data = os.path.abspath(options.bin), os.path.abspath(options.data)
    Bench.work, Bench.runs = os.path.abspath(options.work), options.runs
    chosen = options.only.split(",") if options.only else list(PARTS)
    unknown = [name for name in chosen if name not in PARTS and name not in LONG_PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]}; there are {', '.join([*PARTS, *LONG_PARTS])}")
    if not os.path.exists(small()):
        sys.exit(f"bench needs real data, and {small()} is missing (give its folder with --data)")
    os.makedirs(Bench.work, exist_ok=True)
    load = os.getloadavg()[0]
    processors = len(os.sched_getaffinity(0))
    print(f"{processors} processors, load {load:.1f}" + (" (not quiet)" if load > 0.5 else ""))
    if options.compare:
        compare_chains.run(options.compare)
        return
    for name in chosen:
        (PARTS | LONG_PARTS)[name]()
    if Bench.results:
        path = temporary("results.json")
        with open(path, "w") as out:
            json.dump(Bench.results, out, indent=2)
        print(f"\nThe figures of the chain are in {path}; make bench-compare BASE=FILE.json "
              "compares later ones with them.")


main()
