# SPDX-License-Identifier: Apache-2.0
"""Many regions in one run, one and two at a time."""
import json

from measure import COPIES, Bench, compare, median, shifted, temporary, tiles_for_copies, tool


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


def orchestrator(small, large, hgt):
    """Two workers beside one, and a run that has nothing to do."""
    boxes = [shifted(copy) for copy in range(COPIES)]
    path, output = manifest("twenty", large, tiles_for_copies(hgt), boxes)
    rebuild = f"rm -rf '{output}'; exec '{tool('cairn')}' run -q '{path}' -j "
    commands = [(f"{jobs} at a time", ["sh", "-c", rebuild + str(jobs)]) for jobs in (1, 2)]
    compare(
        f"{COPIES} regions of the size of Andorra, all stages, published",
        commands,
        Bench.runs,
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
    runs = compare("Fifty regions", [(name, [tool("cairn"), "run", "-q", path])], 2 * Bench.runs)
    wall = median(runs[name], "wall")
    met = "met" if wall < 0.15 else "MISSED"
    print(f"  {name}: {wall:.3f} s (target: below 0.15) {met}")
