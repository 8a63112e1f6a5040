# SPDX-License-Identifier: Apache-2.0
"""Compares the chain with what it was: figures of an earlier run, or the executables of one."""
import json
import os
import statistics
import sys

from chain import STAGES, WHOLE, YARDSTICK, boxes_of, measure, stages, whole
from measure import COPIES, Bench, copies_of, in_turn, summary, temporary, tiles_for_copies

COUNTS = (1, COPIES)
# A median that moved by less, or whose ranges overlap, says nothing.
NOISE = 0.05
LEAST_RUNS = 5


def run(base):
    if os.path.isdir(base):
        beside(os.path.abspath(base))
        return
    try:
        with open(base) as file:
            earlier = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{base}: {error}\nGive a results.json that make bench wrote, or a folder with "
                 "executables.")
    against(earlier)


def head(title):
    print(f"\n{title}")
    print(f"  {'':24}{'wall s':>18}{'×':>7}{'CPU s':>18}{'×':>7}{'peak MB':>14}"
          f"{'bytes written':>26}")


def line(label, old, new, speed=1.0):
    """One row: old → new. `speed` is how much slower the machine was at the old measurement."""
    def change(key):
        return new[key] / max(old[key] / speed, 1e-9)

    apart = (new["leastWallSeconds"] > old["greatestWallSeconds"] / speed
             or new["greatestWallSeconds"] < old["leastWallSeconds"] / speed)
    moved = Bench.runs >= LEAST_RUNS and apart and abs(change("wallSeconds") - 1) > NOISE
    word = ("  slower" if change("wallSeconds") > 1 else "  faster") if moved else ""
    # Reports hold times, which differ in length.
    if abs(new["bytesWritten"] - old["bytesWritten"]) > 1000:
        word += "  other bytes"
    print(f"  {label:24}{old['wallSeconds'] / speed:8.3f} →{new['wallSeconds']:8.3f}"
          f"{change('wallSeconds'):7.2f}{old['cpuSeconds'] / speed:8.3f} →{new['cpuSeconds']:8.3f}"
          f"{change('cpuSeconds'):7.2f}{old['peakMegabytes']:6.0f} →{new['peakMegabytes']:6.0f}"
          f"{old['bytesWritten']:12} →{new['bytesWritten']:12}{word}")


def against(earlier):
    """Today's figures beside those of a file, corrected by what inflating took then and takes now."""
    for copies in COUNTS:
        old = earlier.get(f"k{copies}", {}).get("commands")
        if not old:
            print(f"no figures for {copies} copies of Andorra in the file")
            continue
        runs, _ = measure(copies, Bench.runs, peers=False)
        new = {label: summary(found) for label, found in runs.items()}
        speed = 1.0
        if YARDSTICK in old and YARDSTICK in new:
            speed = old[YARDSTICK]["wallSeconds"] / new[YARDSTICK]["wallSeconds"]
        head(f"k{copies}: earlier times divided by {speed:.2f}, as {YARDSTICK} took that much longer")
        for label in [*STAGES, WHOLE]:
            if label in old:
                line(label, old[label], new[label], speed)


def beside(folder):
    """The executables of `folder` and these in turn."""
    for copies in COUNTS:
        source = copies_of(os.path.join(Bench.data, "andorra.osm.pbf"), copies)
        tiles = tiles_for_copies(os.path.join(Bench.data, "hgt"), copies)
        commands, cleaning = [], {}
        for name, bin_folder in (("old", folder), ("new", Bench.bin)):
            work = temporary(name)
            os.makedirs(work, exist_ok=True)
            for stage, (command, _, _) in stages(source, tiles, work, bin_folder).items():
                commands.append((f"{name} {stage}", command))
            command, clean = whole(f"whole-{name}", source, tiles, boxes_of(copies), bin_folder)
            commands.append((f"{name} {WHOLE}", command))
            cleaning[f"{name} {WHOLE}"] = clean
        runs = in_turn(commands, Bench.runs, lambda name: cleaning.get(name, lambda: None)())
        head(f"k{copies}: {folder} → {Bench.bin}, in turn")
        for label in [*STAGES, WHOLE]:
            old, new = runs[f"old {label}"], runs[f"new {label}"]
            line(label, summary(old), summary(new))
            pairs = [b.cpu / a.cpu for a, b in zip(old, new)]
            if label == WHOLE:
                print(f"  CPU of the run itself, pair by pair: {statistics.median(pairs):.2f}")
