#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""replicate.py SOURCE.osm.pbf OUT.osm.pbf K [COLUMNS]: writes K copies of an extract side by side.

Each copy has its own ids and lies a whole degree beside the previous one, COLUMNS in a row (10), so
an elevation tile fits all copies. All nodes come before all ways; relations are left out. Coordinates
are delta-coded, so only the first value of each list has to change: the other deltas, and with them
the sizes, stay those of real data. Long gaps between the ids of nodes are shortened, so that those
of a hundred copies are no larger than the planet's, and ways are numbered anew: Routino reads no way
id over 32 bits.
"""
import sys
import zlib

DEGREE = 10_000_000  # in the unit of coordinates, 100 nanodegrees
LONGEST_GAP = 300  # between the new ids of two nodes


def read_varint(data, offset):
    value = shift = 0
    while True:
        byte = data[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, offset


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def fields(data):
    offset = 0
    while offset < len(data):
        tag, offset = read_varint(data, offset)
        value, offset = read_varint(data, offset)
        if tag & 7 == 2:
            value, offset = data[offset : offset + value], offset + value
        yield tag >> 3, value


def message(pairs):
    out = []
    for number, value in pairs:
        if isinstance(value, int):
            out.append(varint(number << 3) + varint(value))
        else:
            out.append(varint(number << 3 | 2) + varint(len(value)) + value)
    return b"".join(out)


def first_shifted(packed, amount):
    """Packed deltas whose first value is increased by `amount`."""
    if not packed:
        return packed
    value, offset = read_varint(packed, 0)
    return varint(zigzag(unzigzag(value) + amount)) + packed[offset:]


def sums(packed):
    """The values of packed deltas."""
    values, total, offset = [], 0, 0
    while offset < len(packed):
        value, offset = read_varint(packed, offset)
        total += unzigzag(value)
        values.append(total)
    return values


def deltas(values):
    """Values as packed deltas."""
    out, last = bytearray(), 0
    for value in values:
        out += varint(zigzag(value - last))
        last = value
    return bytes(out)


def renumber(nodes, ways):
    """Shortens the gaps between the ids of nodes; returns the first id that is free."""
    lists = [pair for _, groups in nodes for group in groups for pair in group if pair[0] == 1]
    refs = [pair for _, found in ways for way in found for pair in way if pair[0] == 8]
    old = sorted({id for _, packed in lists + refs for id in sums(packed)})
    new, last, free = {}, 0, 0
    for id in old:
        free += min(id - last, LONGEST_GAP)
        new[id] = free
        last = id

    def renumbered(pairs, number):
        return [(n, deltas(new[id] for id in sums(v)) if n == number else v) for n, v in pairs]

    for _, groups in nodes:
        groups[:] = [renumbered(group, 1) for group in groups]
    for _, found in ways:
        found[:] = [renumbered(way, 8) for way in found]
    return free + 1


def blobs(data):
    offset = 0
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "big")
        header = dict(fields(data[offset + 4 : offset + 4 + size]))
        offset += 4 + size
        blob = dict(fields(data[offset : offset + header[3]]))
        offset += header[3]
        yield header[1], blob[1] if 1 in blob else zlib.decompress(blob[3])


def frame(kind, content):
    blob = message([(2, len(content)), (3, zlib.compress(content, 6))])
    header = message([(1, kind), (3, len(blob))])
    return len(header).to_bytes(4, "big") + header + blob


def shifted_dense(dense, stride, copy, columns):
    row, column = divmod(copy, columns)
    amounts = {1: stride * copy, 8: DEGREE * row, 9: DEGREE * column}
    return message((n, first_shifted(v, amounts[n]) if n in amounts else v) for n, v in dense)


def shifted_way(way, node_amount, way_id):
    return message(
        (n, way_id if n == 1 else first_shifted(v, node_amount) if n == 8 else v) for n, v in way
    )


def main():
    source, target, copies = sys.argv[1], sys.argv[2], int(sys.argv[3])
    columns = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    nodes, ways = [], []  # Of each block its other fields and its groups' content.
    way_id = 0
    for kind, content in blobs(open(source, "rb").read()):
        if kind != b"OSMData":
            continue
        block = list(fields(content))
        if any(number in (17, 19, 20) for number, _ in block):
            sys.exit("replicate.py: only the default granularity is supported")
        rest = [pair for pair in block if pair[0] != 2]
        for number, group in block:
            if number != 2:
                continue
            parts = list(fields(group))
            if any(n == 1 for n, _ in parts):
                sys.exit("replicate.py: only dense nodes are supported")
            dense = [list(fields(v)) for n, v in parts if n == 2]
            if dense:
                nodes.append((rest, dense))
            found = [list(fields(v)) for n, v in parts if n == 3]
            if found:
                ways.append((rest, found))
    node_stride = renumber(nodes, ways)
    with open(target, "wb") as out:
        features = [(4, b"OsmSchema-V0.6"), (4, b"DenseNodes"), (5, b"Sort.Type_then_ID")]
        out.write(frame(b"OSMHeader", message(features + [(16, b"replicate.py")])))
        for copy in range(copies):
            for rest, dense in nodes:
                group = message((2, shifted_dense(d, node_stride, copy, columns)) for d in dense)
                out.write(frame(b"OSMData", message(rest + [(2, group)])))
        for copy in range(copies):
            for rest, found in ways:
                shifted = []
                for way in found:
                    way_id += 1
                    shifted.append((3, shifted_way(way, node_stride * copy, way_id)))
                out.write(frame(b"OSMData", message(rest + [(2, message(shifted))])))


if __name__ == "__main__":
    main()
