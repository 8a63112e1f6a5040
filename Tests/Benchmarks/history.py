#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps what each measured commit took, and draws it.

history.py --bin FOLDER [--commit ID] [--results results.json]   counts the stages and adds a line
history.py --draw                                                draws the picture only

A line of history/counts.jsonl has the commit, its date, the counts of each stage as `make gates`
takes them (instructions, allocations, bytes: they do not wobble) and, with the results of a
`make bench`, medians of the whole chain. A commit that was measured before gets a new line in place of
its old one. docs/images/speed.svg shows instructions and allocations by commit.
"""
import argparse
import html
import json
import os
import subprocess
import tempfile

from gates import measured
from measure import HERE, ROOT

FILE = os.path.join(HERE, "history", "counts.jsonl")
PICTURE = os.path.join(ROOT, "docs", "images", "speed.svg")
# Of the chain these rows are kept, as far as they were measured.
ROWS = ["cairn run", "osmium fileinfo -e", "routino planetsplitter"]
WIDTH, HEIGHT, MARGIN = 300, 120, 14


def git(*words):
    return subprocess.run(
        ["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()


def lines():
    if not os.path.exists(FILE):
        return []
    with open(FILE, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def chain(path):
    """The rows of the chain that are kept, of the file that bench.py wrote."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    return {
        name: {row: found["commands"][row] for row in ROWS if row in found["commands"]}
        for name, found in results.items() if "commands" in found
    }


def add(bin_folder, commit, results):
    """Counts the stages and writes the line of a commit."""
    with tempfile.TemporaryDirectory(dir="/tmp") as work:
        counts = measured(os.path.abspath(bin_folder), work)
    identifier = git("rev-parse", "--short=10", commit)
    line = {
        "commit": identifier, "date": git("show", "-s", "--format=%cs", commit), "stages": counts,
    }
    if found := chain(results):
        line["chain"] = found
    kept = [old for old in lines() if old["commit"] != identifier] + [line]
    # By the order of the commits, as far as this clone knows them.
    order = git("rev-list", "--reverse", "--abbrev-commit", "--abbrev=10", "HEAD").split("\n")
    rank = {name: number for number, name in enumerate(order)}
    kept.sort(key=lambda old: rank.get(old["commit"], -1))
    with open(FILE + ".tmp", "w", encoding="utf-8") as file:
        for old in kept:
            file.write(json.dumps(old) + "\n")
    os.replace(FILE + ".tmp", FILE)


def panel(stage, found, x, y):
    """The counts of a stage over the commits, each as a share of its largest."""
    out = [f'<text x="{x}" y="{y + 12}" class="title">{html.escape(stage)}</text>']
    top, bottom, label = y + 24, y + HEIGHT - 16, 0
    out.append(f'<path d="M{x} {bottom}H{x + WIDTH - 2 * MARGIN}" class="axis"/>')
    for name, unit, divisor in (("instructions", "M instructions", 1e6),
                                ("allocations", "k allocations", 1e3)):
        values = [line["stages"].get(stage, {}).get(name) for line in found]
        present = [(number, value) for number, value in enumerate(values) if value is not None]
        if not present:
            continue
        most = max(value for _, value in present) or 1
        step = (WIDTH - 2 * MARGIN - 128) / max(1, len(found) - 1)
        points = [
            (x + 4 + number * step, bottom - (bottom - top) * value / most)
            for number, value in present]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{path}" class="{name}"/>')
        for (a, b), (number, value) in zip(points, present):
            out.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" class="{name}"><title>'
                       f'{found[number]["commit"]}, {found[number]["date"]}: '
                       f'{value / divisor:,.1f} {unit}</title></circle>')
        a, b = points[-1]
        # Below the label before it.
        label = max(b + 3, label + 12)
        out.append(f'<text x="{a + 6:.1f}" y="{label:.1f}" '
                   f'class="{name}">{present[-1][1] / divisor:,.1f} {unit}</text>')
    return out


def draw():
    """Draws all stages, a panel each, the commits from left to right."""
    found = lines()
    stages = list(dict.fromkeys(stage for line in found for stage in line["stages"]))
    columns = 3
    rows = (len(stages) + columns - 1) // columns
    width, height = columns * WIDTH, rows * HEIGHT + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="DejaVu Sans, sans-serif" font-size="10">',
        "<style>.title{font-weight:bold;font-size:12px}.axis{stroke:#888}"
        "polyline{fill:none;stroke-width:1.5}"
        "polyline.instructions,circle.instructions{stroke:#0072b2}"
        "polyline.allocations,circle.allocations{stroke:#d55e00}"
        "circle{fill:#fff}text.instructions{fill:#0072b2}text.allocations{fill:#b34700}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, stage in enumerate(stages):
        x, y = number % columns * WIDTH + MARGIN, number // columns * HEIGHT + 6
        out += panel(stage, found, x, y)
    if found:
        first, last = found[0], found[-1]
        out.append(f'<text x="{MARGIN}" y="{height - 8}">{len(found)} commits, from '
                   f'{first["commit"]} ({first["date"]}) to {last["commit"]} ({last["date"]}); '
                   "the baseline of each chart is 0</text>")
    out.append("</svg>")
    with open(PICTURE + ".tmp", "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    os.replace(PICTURE + ".tmp", PICTURE)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", help="the folder of the executables")
    parser.add_argument("--commit", default="HEAD", help="what they were built from")
    parser.add_argument("--results", help="what make bench measured")
    parser.add_argument("--draw", action="store_true", help="draw only")
    options = parser.parse_args()
    if not options.draw:
        if not options.bin:
            parser.error("--bin is required")
        add(options.bin, options.commit, options.results)
    draw()


if __name__ == "__main__":
    main()
