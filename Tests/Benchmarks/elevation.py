#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the cleaning of elevations does to the ascent of real routes.

One network is built with several ways of cleaning. The same routes are then summed up with each of
them: those between the pairs of points of a file (LON LAT LON LAT a line), found with the default
cleaning. A recorded track is made a way of its own and goes through the same stages; its heights are
compared with the model's, for heights that were read from the model speak for no filter. With --scan
many pairs of smoothing and threshold are tried: beside the ascent they tell how much of the main
roads is steeper than 12 %, which hardly any is, and what a path along a lake climbs.
"""
import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
from xml.sax.saxutils import quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def run(name, *words, **more):
    command = [os.path.join(options.bin, name), *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **more).stdout


def build(trails, label, cleaning):
    """Takes trails to a database and returns its edges: id, from, to, metres, gain, loss."""
    path = os.path.join(options.work, label)
    words = [f"--{key}-metres={value}" for key, value in cleaning.items()]
    hgt = os.path.join(options.data, "hgt")
    run("cairn-sample-elevation", "--input", trails, "--hgt", hgt, "--output", path + ".elevated",
        "-q", *words)
    run("cairn-build-graph", "--input", path + ".elevated", "--trails", trails, "--output",
        path + ".graph", "-q")
    run("cairn-compute-costs", "--input", path + ".graph", "--profile", "hiking", "--output",
        path + ".routing.db", "-q")
    database = sqlite3.connect(path + ".routing.db")
    edges = database.execute(
        "SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss FROM routing_edges")
    rows = {row[0]: row[1:] for row in edges}
    heights = dict(database.execute("SELECT id, elevation FROM routing_nodes"))
    return path + ".routing.db", rows, heights


def find_routes(database):
    """The edges of the routes between all pairs, each an id and the node that it leads from."""
    routes = []
    for line in open(os.path.join(options.data, "andorra-pairs.txt")):
        ends = line.split()
        if len(ends) != 4:
            continue
        start, end = f"{ends[1]},{ends[0]}", f"{ends[3]},{ends[2]}"
        command = [os.path.join(options.bin, "cairn"), "route", database, "--from", start, "--to",
                   end, "--format", "json"]
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if found.returncode == 0:
            edges = json.loads(found.stdout)["edges"]
            routes.append([(edge["id"], edge["fromNode"]) for edge in edges])
    return routes


def ascent(routes, rows):
    return sum(rows[e][3] if rows[e][0] == node else rows[e][4] for r in routes for e, node in r)


def end_to_end(routes, rows, heights):
    total = 0.0
    for route in routes:
        for edge, node in route:
            start, end = rows[edge][:2] if rows[edge][0] == node else rows[edge][1::-1]
            total += max(0.0, (heights[end] or 0) - (heights[start] or 0))
    return total


def track(path):
    """A recorded track as OpenStreetMap XML; its points, and ascent and descent as recorded."""
    points = re.findall(
        r'<trkpt lat="([^"]+)" lon="([^"]+)">\s*<ele>([^<]+)', open(path, encoding="utf-8").read())
    target = os.path.join(options.work, "track.osm")
    with open(target, "w", encoding="utf-8") as out:
        out.write("<osm version='0.6'>\n")
        for number, (lat, lon, _) in enumerate(points, 1):
            out.write(f"<node id='{number}' lat={quoteattr(lat)} lon={quoteattr(lon)}/>\n")
        out.write("<way id='1'>")
        out.writelines(f"<nd ref='{number}'/>" for number in range(1, len(points) + 1))
        out.write("<tag k='highway' v='path'/></way>\n</osm>\n")
    heights = [float(point[2]) for point in points]
    steps = [b - a for a, b in zip(heights, heights[1:])]
    return target, sum(s for s in steps if s > 0), -sum(s for s in steps if s < 0)


def compare_track(path):
    """How much recorded elevations differ from the terrain model's at the same points."""
    points = re.findall(
        r'<trkpt lat="([^"]+)" lon="([^"]+)">\s*<ele>([^<]+)', open(path, encoding="utf-8").read())
    coordinates = "".join(f"{lat},{lon}\n" for lat, lon, _ in points)
    hgt = os.path.join(options.data, "hgt")
    metres = run("cairn", "elevation", "--hgt", hgt, "-", input=coordinates.encode()).decode().split()
    apart = [float(point[2]) - float(m) for point, m in zip(points, metres) if m != "none"]
    print(f"the track's {len(apart)} heights less the model's: {sum(apart) / len(apart):+.2f} m in the "
          f"mean, {sum(map(abs, apart)) / len(apart):.2f} m apart, at most "
          f"{max(map(abs, apart)):.1f} m")


def unpack(blob):
    """The elevations of an edge's profile, in metres (see EdgeElevation)."""
    total, shift, number, metres = 0, 0, 0, []
    for byte in blob[1:]:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            total += number >> 1 ^ -(number & 1)
            metres.append(total / 100)
            number = shift = 0
    return metres


def steep_share(database):
    """The share of the main roads that is steeper than 12 %, between points 30 m apart."""
    total = steep = 0.0
    query = ("SELECT distance, profile FROM routing_edges JOIN routing_elevation ON edge = id "
             "WHERE highway_type IN ('primary', 'secondary', 'tertiary')")
    for distance, blob in sqlite3.connect(database).execute(query):
        metres = unpack(blob)
        step = distance / (len(metres) - 1)
        total += distance
        steep += sum(step for a, b in zip(metres, metres[1:]) if abs(b - a) > 0.12 * step)
    return steep / total if total else 0.0


def lake_shore(database):
    """What the path on the west shore of the lake of Engolasters climbs and descends, in metres."""
    query = ("SELECT total(elevation_gain), total(elevation_loss) FROM routing_edges "
             "WHERE osm_way_id = 75746397")
    return sqlite3.connect(database).execute(query).fetchone()


def scan(trails, track_trails, routes):
    """Prints a row for each pair of smoothing and threshold."""
    print(f"\n  {'smoothing':>9}{'threshold':>10}{'track up':>10}{'down':>7}{'ascent m':>10}"
          f"{'roads > 12 %':>14}{'shore up':>10}{'down':>7}")
    for smoothing in (0, 20, 30, 45, 60):
        for threshold in (0, 1, 2, 3, 5):
            words = {"smoothing": smoothing, "threshold": threshold}
            database, rows, _ = build(trails, "scan", words)
            track_rows = build(track_trails, "track", words)[1]
            gain, loss = (sum(row[column] for row in track_rows.values()) for column in (3, 4))
            shore = lake_shore(database)
            print(f"  {smoothing:9}{threshold:10}{gain:10.1f}{loss:7.1f}"
                  f"{ascent(routes, rows):10.0f}{steep_share(database):14.1%}"
                  f"{shore[0]:10.1f}{shore[1]:7.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=os.path.join(ROOT, ".build/release"))
    parser.add_argument("--data", default=os.path.join(ROOT, "../shared/data"))
    parser.add_argument("--work", default=os.path.join(ROOT, ".build/bench"))
    parser.add_argument("--smoothing", type=float, help="instead of the default")
    parser.add_argument("--threshold", type=float, help="instead of the default")
    parser.add_argument("--scan", action="store_true", help="try many pairs of both")
    global options
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.data, "hgt")):
        sys.exit("needs real data: give its folder with --data")
    os.makedirs(options.work, exist_ok=True)
    default = {}
    if options.smoothing is not None:
        default["smoothing"] = options.smoothing
    if options.threshold is not None:
        default["threshold"] = options.threshold
    variants = [
        ("raw", {"smoothing": 0, "threshold": 0}),
        ("smoothing only", {**default, "threshold": 0}),
        ("threshold only", {**default, "smoothing": 0}),
        ("both (the default)", default),
    ]
    trails = os.path.join(options.work, "elevation.trails")
    run("cairn-decode-pbf", "--input", os.path.join(options.data, "andorra.osm.pbf"), "--output",
        trails, "-q")
    xml, up, down = track(os.path.join(options.data, "gpx/andorra-map-matching.gpx"))
    track_trails = os.path.join(options.work, "track.trails")
    run("cairn-parse-overpass", "--input", xml, "--output", track_trails, "-q")
    built = {name: build(trails, name.split()[0], words) for name, words in variants}
    tracks = {name: build(track_trails, "track", words)[1] for name, words in variants}
    routes = find_routes(built["both (the default)"][0])
    raw = built["raw"][1]
    base = ascent(routes, raw)
    kilometres = sum(raw[e][2] for r in routes for e, _ in r) / 1000
    print(f"{len(routes)} routes, {kilometres:.0f} km; the track as recorded: {up:.1f} m up, "
          f"{down:.1f} m down")
    print(f"  {'':22}{'ascent m':>10}{'of raw':>9}{'all edges m':>13}{'track up':>10}{'down':>7}")
    for name, _ in variants:
        rows = built[name][1]
        total = ascent(routes, rows)
        everything = sum(row[3] + row[4] for row in rows.values())
        gain, loss = (sum(row[column] for row in tracks[name].values()) for column in (3, 4))
        print(f"  {name:22}{total:10.0f}{total / base:9.3f}{everything:13.0f}{gain:10.1f}{loss:7.1f}")
    total = end_to_end(routes, raw, built["raw"][2])
    print(f"  {'from end to end':22}{total:10.0f}{total / base:9.3f}")
    cleaned = built["both (the default)"][1]
    changed = sum(abs(cleaned[e][3] - raw[e][3]) > raw[e][3] / 2 for e in raw)
    climbing = [e for e in raw if raw[e][3] >= 1]
    much = sum(abs(cleaned[e][3] - raw[e][3]) > raw[e][3] / 2 for e in climbing)
    print(f"  gain changed by more than half: {changed / len(raw):.1%} of {len(raw)} edges, "
          f"{much / len(climbing):.1%} of the {len(climbing)} with a gain of 1 m or more")
    compare_track(os.path.join(options.data, "gpx/andorra-map-matching.gpx"))
    if options.scan:
        scan(trails, track_trails, routes)


main()
