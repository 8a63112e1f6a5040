#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""seeds.py ROOT BIN OUT: writes seeds for fuzz targets that are too large or too binary for Seeds.

They are made from the sample data in ROOT and from the outputs of the executables in BIN.
"""
import gzip
import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Benchmarks"))

from replicate import fields, varint  # noqa: E402


def blobs(data):
    """The frame and the inflated content of each blob."""
    position = 0
    while position < len(data):
        start = position
        size = int.from_bytes(data[position : position + 4], "big")
        header = dict(fields(data[position + 4 : position + 4 + size]))
        end = position + 4 + size + header[3]
        blob = dict(fields(data[position + 4 + size : end]))
        yield data[start:end], blob[1] if 1 in blob else zlib.decompress(blob[3])
        position = end


def read(path):
    with open(path, "rb") as file:
        return file.read()


def directory(entries):
    """A directory of PMTiles: tile, run (0 for a leaf), length and offset of each entry."""
    tiles = [entry[0] for entry in entries]
    steps = [tile - before for tile, before in zip(tiles, [0] + tiles)]
    rest = [entry[1] for entry in entries] + [entry[2] for entry in entries]
    numbers = [len(entries)] + steps + rest + [entry[3] + 1 for entry in entries]
    return b"".join(map(varint, numbers))


def plain_pmtiles():
    """A file with a leaf whose directories are not compressed, so that a changed byte is read."""
    leaf = directory([(9, 2, 3, 0), (12, 1, 4, 3)])
    root = directory([(5, 1, 4, 3), (9, 0, len(leaf), 0)])
    parts = [root, b"{}", leaf, b"abcdefg"]
    offsets = [127 + sum(map(len, parts[:index])) for index in range(4)]
    header = b"PMTiles\x03" + b"".join(
        struct.pack("<QQ", offset, len(part)) for offset, part in zip(offsets, parts))
    header += struct.pack("<QQQ", 4, 3, 2) + bytes([1, 1, 1, 1, 0, 3])
    header += struct.pack("<iiiiBii", -10**7, 0, 10**7, 10**7, 2, 0, 0)
    assert len(header) == 127
    return header + b"".join(parts)


class Seeds:
    def __init__(self, root, tools, out):
        self.root, self.tools, self.out = root, tools, out
        self.sample = os.path.join(root, "sample-data", "valley.osm.pbf")

    def write(self, target, name, data):
        os.makedirs(os.path.join(self.out, target), exist_ok=True)
        with open(os.path.join(self.out, target, name), "wb") as file:
            file.write(data)

    def run(self, tool, *words):
        subprocess.run([os.path.join(self.tools, tool), *words], check=True)

    def map_data(self):
        frames = list(blobs(read(self.sample)))
        header = frames[0][0]
        self.write("pbf", "nodes-and-ways", header + frames[1][0] + frames[-2][0])
        for index, (frame, content) in enumerate(frames[1:]):
            self.write("block", str(index), content)
            self.write("pbf", str(index), header + frame)

    def packed_texts(self):
        folder = os.path.join(self.root, "Tests", "Fuzz", "Seeds", "xml")
        for name in os.listdir(folder):
            packed = gzip.compress(read(os.path.join(folder, name)), mtime=0)
            self.write("xml", name + ".gz", packed)

    def tiles(self):
        # Few different posts, so the compressed tile is small.
        void = b"\x80\x00"
        posts = (b"\x03\x20" * 600 + void) * 1201
        packed = gzip.compress(posts, mtime=0)
        self.write("hgt", "flat.gz", packed)
        self.write("hgt", "two-members.gz", gzip.compress(posts[:1000], mtime=0)
                   + gzip.compress(posts[1000:], mtime=0))
        self.write("hgt", "short.gz", gzip.compress(posts[:-2], mtime=0))
        for name, members in [("flat", {"N47E010.hgt": posts}),
                              ("more", {"readme.txt": b"hello", "n47e010.SRTMGL1.hgt": posts}),
                              ("none", {"N46E010.hgt": b"x" * 100})]:
            for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
                file = io.BytesIO()
                with zipfile.ZipFile(file, "w", method) as archive:
                    for member, content in members.items():
                        archive.writestr(zipfile.ZipInfo(member), content, method)
                if len(file.getvalue()) < 65536:
                    self.write("zip", f"{name}-{method}", file.getvalue())

    def manifest(self):
        self.write("manifest", "sample", read(os.path.join(self.root, "pipelines", "sample.yaml")))

    def stages(self):
        folder = os.path.join(self.out, "scratch")
        os.makedirs(folder, exist_ok=True)
        trails, elevated, graph, database = [
            os.path.join(folder, "v." + kind)
            for kind in ("trails", "elevated", "graph", "routing.db")]
        # A corner of the valley, so the containers are small.
        for tool, source, target, more in [
            ("cairn-decode-pbf", self.sample, trails, ["--bbox", "10.04,47.02,10.05,47.03"]),
            ("cairn-sample-elevation", trails, elevated, [
                "--hgt", os.path.join(self.root, "sample-data", "hgt")]),
            ("cairn-build-graph", elevated, graph, ["--trails", trails]),
            ("cairn-compute-costs", graph, database, [
                "--profile", "hiking", "--profile", "cycling"]),
        ]:
            self.run(tool, "--input", source, "--output", target, "-q", *more)
        for path in (trails, elevated, graph):
            self.write("container", os.path.basename(path), read(path))
        self.write("database", "corner", read(database))
        for tool, kind in [("cairn-collect-places", "waypoints"), ("cairn-index-places", "places")]:
            path = os.path.join(folder, "v." + kind + ".db")
            self.run(tool, "--input", elevated, "--trails", trails, "--output", path, "-q")
            self.write("companion", kind, read(path))
            if kind == "places":
                self.write(kind, "corner", read(path))
        archive = os.path.join(folder, "v.pmtiles")
        self.run(
            "cairn-build-tiles", "--input", elevated, "--trails", trails, "--output", archive, "-q")
        self.write("pmtiles", "corner", read(archive))
        self.write("pmtiles", "plain", plain_pmtiles())
        hike = [database, "--from", "47.0248,10.0475", "--to", "47.029,10.042", "--radius", "5000"]
        for form, target in [("gpx", "gpx"), ("planned", "planned")]:
            route = subprocess.run(
                [os.path.join(self.tools, "cairn"), "route", *hike, "--format", form,
                 "--created", "2026-01-01T00:00:00Z"], check=True, stdout=subprocess.PIPE)
            self.write(target, "corner", route.stdout)


def main():
    seeds = Seeds(*sys.argv[1:])
    seeds.map_data()
    seeds.packed_texts()
    seeds.tiles()
    seeds.manifest()
    seeds.stages()


main()
