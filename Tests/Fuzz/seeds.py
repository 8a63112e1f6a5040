#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""seeds.py ROOT BIN OUT: writes a folder of small sound inputs for each fuzz target.

They are made of the sample data below ROOT and of what the executables in BIN make of it.
"""
import gzip
import os
import subprocess
import sys
import zlib


def varint(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def fields(data):
    """The fields of a message, as far as PBF framing has them: varints and bytes."""
    place = 0
    while place < len(data):
        tag, place = varint(data, place)
        value, place = varint(data, place)
        if tag & 7 == 2:
            value, place = data[place : place + value], place + value
        yield tag >> 3, value


def blobs(data):
    """The frame and the inflated content of each blob."""
    place = 0
    while place < len(data):
        start = place
        size = int.from_bytes(data[place : place + 4], "big")
        header = dict(fields(data[place + 4 : place + 4 + size]))
        end = place + 4 + size + header[3]
        blob = dict(fields(data[place + 4 + size : end]))
        yield data[start:end], blob[1] if 1 in blob else zlib.decompress(blob[3])
        place = end


XML = {
    "body": '<?xml version="1.0"?><osm version="0.6" timestamp="2020-05-01T20:59:03Z">'
    '<bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>'
    '<node id="1" lat="47.1" lon="1e1"/><node id="-2" lat="47.2" lon="10.5" visible="true">'
    '<tag k="barrier" v="gate"/></node><node id="3" visible="false"/>'
    '<way id="5"><nd ref="1"/><nd ref="-2"/><tag k="highway" v="path"/>'
    '<tag k="name" v="A &amp; &#x41;"/></way>'
    '<relation id="9"><member type="way" ref="5" role=""/><tag k="type" v="route"/>'
    '<tag k="route" v="hiking"/></relation></osm>',
    "geom": '<osm version="0.6"><note>n</note><meta osm_base="2020-05-01T20:59:03Z"/>'
    '<way id="5"><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/><center lat="1" lon="2"/>'
    '<nd ref="1" lat="47" lon="10"/><nd ref="2"/><nd ref="4" lat="47.5" lon="10"/>'
    '<tag k="highway" v="track"/></way></osm>',
    "remark": '<osm version="0.6"><node id="1" lat="1" lon="1"/>'
    "<remark> runtime error: Query timed out </remark></osm>",
    "html": "<!DOCTYPE html><html><head><title>504</title></head><body>x</body></html>",
    "change": '<osmChange version="0.6"><modify/></osmChange>',
    "entities": '<!DOCTYPE osm [<!ENTITY a "b">]><osm version="0.6">&a;</osm>',
}

POLYGON = "[[[10,47],[10.1,47],[10.1,47.1],[10,47]],[[10.05,47.01],[10.06,47.01],[10.06,47.02]]]"
REGION = {
    "feature": '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":1},'
    '"geometry":{"type":"Polygon","coordinates":%s}}]}' % POLYGON,
    "multi": '{"type":"MultiPolygon","coordinates":[%s,%s]}' % (POLYGON, POLYGON),
    "collection": '{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":%s},'
    '{"type":"GeometryCollection","geometries":[]}]}' % POLYGON,
    "poly": "valley\n1\n  1.0E+1 4.7E+1\n  10.1 47.0\n  10.1 47.1\n  10.0 47.0\nEND\n"
    "!2\n  10.05 47.01\n  10.06 47.01\n  10.06 47.02\nEND\nEND\n",
}


def main():
    root, tools, out = sys.argv[1:]

    def write(target, name, data):
        os.makedirs(os.path.join(out, target), exist_ok=True)
        with open(os.path.join(out, target, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    sample = os.path.join(root, "sample-data", "valley.osm.pbf")
    frames = list(blobs(open(sample, "rb").read()))
    header = frames[0][0]
    write("pbf", "nodes-and-ways", header + frames[1][0] + frames[-2][0])
    for place, (frame, content) in enumerate(frames[1:]):
        write("block", str(place), content)
        write("pbf", str(place), header + frame)
    for name, text in XML.items():
        write("xml", name, text)
        write("xml", name + ".gz", gzip.compress(text.encode(), mtime=0))
    for name, text in REGION.items():
        write("region", name, text)

    scratch = os.path.join(out, "scratch")
    os.makedirs(scratch, exist_ok=True)
    trails, elevated, graph = [os.path.join(scratch, "v." + kind) for kind in (
        "trails", "elevated", "graph")]
    # A corner of the valley, so that the containers are small.
    for tool, source, target, more in [
        ("cairn-decode-pbf", sample, trails, ["--bbox", "10.04,47.02,10.05,47.03"]),
        ("cairn-sample-elevation", trails, elevated, [
            "--hgt", os.path.join(root, "sample-data", "hgt")]),
        ("cairn-build-graph", elevated, graph, []),
    ]:
        command = [os.path.join(tools, tool), "--input", source, "--output", target, "-q"]
        subprocess.run(command + more, check=True)
        write("container", os.path.basename(target), open(target, "rb").read())


main()
