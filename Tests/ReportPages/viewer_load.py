#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks cairn serve at random for some time: every request gets an answer, and memory stays flat.

Also measures routes a second.

Usage: viewer_load.py --bin FOLDER [--seconds N] [--routes N] [--seed N] DB...
"""
import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import urllib.parse

THREADS = 4
# What the server's memory may grow by once it has answered requests of all kinds.
MOST_GROWTH = 96 << 20


def resident(process):
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def point(chance, box):
    west, south, east, north = box
    if chance.random() < 0.03:
        return chance.choice(["", "x", "91,0", "0,0", "nan,nan", "1e400,2", "\u202e", "1,2,3"])
    return f"{chance.uniform(south, north):.5f},{chance.uniform(west, east):.5f}"


def anything(chance, box, profiles):
    """A request of any kind, often a bad one."""
    profile = chance.choice([*profiles, "", "none", "../x.yaml", "/dev/zero"])
    query = [("from", point(chance, box)), ("to", point(chance, box)), ("profile", profile)]
    kind = chance.randrange(13)
    if kind == 0:
        query.append(("via", point(chance, box)))
    if kind == 1:
        query.append(("set", chance.choice([
            f"climb-factor={chance.randrange(40)}", f"time-factor={chance.uniform(0.1, 9):.2f}",
            "surfaces.mud=impassable", "x=1", "=", "climb-factor=1e99"])))
    if kind == 2:
        query.append(("alternatives", str(chance.randrange(5))))
    if kind == 3:
        query.append(("format", chance.choice(["gpx", "geojson", "planned", "text"])))
    if kind == 4:
        return "/api/isochrone", query[:1] + [("minutes", chance.choice(["20", "30,60", "-1", "x"]))]
    if kind == 5:
        return "/api/explain", query
    if kind == 6:
        words = "".join(chance.choice("abcdeéñ \u2028<>'\"%\\") for _ in range(chance.randrange(12)))
        return "/api/search", [("q", words), ("near", point(chance, box))]
    if kind == 7:
        return "/api/where", [("at", point(chance, box))]
    if kind == 8:
        return "/api/profile", query[2:]
    if kind == 9:
        zoom = chance.randrange(6, 17)
        west, south, east, north = box
        column = int((chance.uniform(west, east) + 180) / 360 * 2 ** zoom)
        row = int(2 ** zoom * chance.uniform(0.36, 0.38))
        return f"/tiles/{chance.choice(['relief', 'ways'])}/{zoom}/{column}/{row}" + chance.choice(
            [".png", ".json"]), []
    if kind == 10:
        return chance.choice(["/", "/viewer.js", "/leaflet.js", "/api/regions", "/api/warnings",
                              "/x", "/" + "a" * 400, "/..%2f..%2fetc/passwd", "/%00"]), []
    if kind == 11:
        west, south, east, north = box
        longitude, latitude = chance.uniform(west, east), chance.uniform(south, north)
        return "/api/names", [("box", chance.choice([
            f"{longitude - 0.1:.5f},{latitude - 0.1:.5f},{longitude:.5f},{latitude:.5f}", "9,9,1,1", "nan,0,1,1"]))]
    return "/api/route", query


def ask(connection, path, query):
    text = urllib.parse.quote(path, safe="/%.") + ("?" + urllib.parse.urlencode(query) if query else "")
    connection.request("GET", text)
    answer = connection.getresponse()
    return answer.status, answer.read()


def with_threads(body):
    threads = [threading.Thread(target=body, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--routes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("databases", nargs="+")
    arguments = parser.parse_args()
    server = subprocess.Popen([os.path.join(arguments.bin, "cairn-serve"), *arguments.databases,
                               "--port", "0"], stdout=subprocess.PIPE, text=True)
    lost, counts, sizes = [], {}, []
    try:
        port = int(server.stdout.readline().strip().strip("/").split(":")[2])
        connect = lambda: http.client.HTTPConnection("localhost", port, timeout=600)
        regions = json.loads(ask(connect(), "/api/regions", [])[1])
        boxes = [region["box"] for region in regions["regions"]]
        profiles = [profile["name"] for profile in regions["profiles"]]

        def measure(number):
            chance, connection = random.Random(number), connect()
            for _ in range(arguments.routes // THREADS):
                box = chance.choice(boxes)
                query = [("from", point(chance, box)), ("to", point(chance, box)), ("radius", "5000")]
                found.append(b'"totalDistance"' in ask(connection, "/api/route", query)[1])

        def bombard(number):
            chance, connection = random.Random(arguments.seed * 1000 + number), connect()
            end = time.monotonic() + arguments.seconds
            while time.monotonic() < end:
                path, query = anything(chance, chance.choice(boxes), profiles)
                try:
                    status, _ = ask(connection, path, query)
                except (OSError, http.client.HTTPException) as error:
                    lost.append(f"{path} {query}: {error!r}")
                    connection = connect()
                    continue
                counts[status] = counts.get(status, 0) + 1
                if number == 0:
                    sizes.append(resident(server))

        found = []
        ask(connect(), "/api/route", [("from", "0,0"), ("to", "0,0")])
        start, used = time.monotonic(), processor_seconds(server)
        with_threads(measure)
        took, used = time.monotonic() - start, processor_seconds(server) - used
        print(f"{len(found) / took:.0f} requests for routes a second, {sum(found)} of {len(found)} found, "
              f"{1000 * used / len(found):.1f} ms of processor time each", flush=True)
        with_threads(bombard)
        early = max(sizes[:len(sizes) // 4], default=0)
        growth = max(sizes, default=0) - early
        print(f"{sum(counts.values())} random requests in {arguments.seconds} s: "
              + ", ".join(f"{count} × {status}" for status, count in sorted(counts.items()))
              + f"; {max(sizes, default=0) >> 20} MB, {growth >> 20} MB more than in the first quarter")
        problems = [f"lost: {text}" for text in lost[:5]]
        problems += [f"{counts[500]} answers with 500"] if counts.get(500) else []
        problems += ["memory grew"] if growth > MOST_GROWTH else []
        problems += ["the server has ended"] if server.poll() is not None else []
        for problem in problems:
            print("FAILED " + problem)
        sys.exit(1 if problems else 0)
    finally:
        server.kill()


if __name__ == "__main__":
    main()
