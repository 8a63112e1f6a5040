#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a stage takes more than it used to, by what does not wobble.

The stages run on twenty copies of the sample valley, on one thread. Counted are the instructions
and the allocations (callgrind), and the bytes that a stage writes; gates.json has what they
were. Time is not looked at: that is what make bench is for.

A stage that takes more for a good reason, or much less, gets new figures: gates.py --update.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from chain import stages
from measure import ROOT, Run

GATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gates.json")
COPIES = 20
# How much more is let through: libraries and processors differ, bytes do not.
TOLERANCE = {"instructions": 1.08, "allocations": 1.08, "bytesWritten": 1.01}
# Swift's tables are seeded at random otherwise.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "SOURCE_DATE_EPOCH": "0"}


# The functions of the C library that allocate memory; Swift's all end in these.
ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"}


def counts(command, profile):
    """The instructions of a command and its calls of the allocator, by callgrind."""
    process = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
        env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace")
    found = re.search(r"Collected : (\d+)", process.stderr)
    if process.returncode != 0 or not found:
        sys.exit(f"failed under valgrind: {' '.join(command)}\n{process.stderr[-2000:]}")
    # The called function stands in the line before the number of calls; of names that were given
    # before there is the number alone.
    names, called, allocations = {}, "", 0
    with open(profile, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if name := re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line):
                if name[2]:
                    names[name[1]] = name[2]
                called = names.get(name[1], "")
            elif line.startswith("calls="):
                # A function that calls itself has marks after its name.
                if called.split("'")[0].removeprefix("__libc_").removeprefix("__") in ALLOCATORS:
                    allocations += int(line[6:].split()[0])
    return int(found[1]), allocations


def measured(bin_folder, work):
    sample = os.path.join(ROOT, "sample-data")
    source = os.path.join(work, "valleys.osm.pbf")
    replicate = os.path.join(os.path.dirname(GATES), "replicate.py")
    valley = os.path.join(sample, "valley.osm.pbf")
    subprocess.run([sys.executable, replicate, valley, source, str(COPIES)], check=True)
    tiles = os.path.join(work, "hgt")
    os.mkdir(tiles)
    for copy in range(COPIES):
        link = os.path.join(tiles, f"N{47 + copy // 10}E{10 + copy % 10:03}.hgt.zip")
        os.symlink(os.path.join(sample, "hgt", "N47E010.hgt.zip"), link)
    found = {}
    for stage, (command, _, _) in stages(source, tiles, work, bin_folder).items():
        command = command + ["--threads", "1"]
        run = Run(command, os.path.join(work, "log"), ENVIRONMENT)
        instructions, allocations = counts(command, os.path.join(work, "profile"))
        found[stage] = {
            "instructions": instructions, "allocations": allocations, "bytesWritten": run.written,
        }
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--update", action="store_true", help="write gates.json anew")
    options = parser.parse_args()
    # Paths are printed, so that theirs must be as long everywhere.
    with tempfile.TemporaryDirectory(dir="/tmp") as work:
        found = measured(os.path.abspath(options.bin), work)
    if options.update:
        with open(GATES, "w") as out:
            json.dump(found, out, indent=2)
            out.write("\n")
        return
    with open(GATES) as file:
        known = json.load(file)
    missed = 0
    print(f"  {'':20}{'':14}{'known':>14}{'found':>14}{'×':>8}")
    for stage, values in found.items():
        for name, value in values.items():
            ratio = value / max(known[stage][name], 1)
            word = ""
            if ratio > TOLERANCE[name]:
                missed += 1
                word = f"  MORE than {TOLERANCE[name]} times as much"
            elif ratio < 2 - TOLERANCE[name]:
                word = "  less: gates.py --update keeps it so"
            print(f"  {stage:20}{name:14}{known[stage][name]:14}{value:14}{ratio:8.3f}{word}")
    if missed:
        sys.exit(f"gates: {missed} figures are higher than they were. If that has a good reason, "
                 "run Tests/Benchmarks/gates.py --update and say the reason in the commit.")


if __name__ == "__main__":
    main()
