#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds a route as route.py does, with the network in blocks instead of rows.

    graph.py REGION.routing.db LAT,LON LAT,LON

The table routing_graph_blocks has the nodes of a place with all edges at them, so a search reads few
rows: those of the blocks that it reaches, and of each block the costs.
"""

import math
import struct
import sys
import zlib

import route

NODES_PER_BLOCK = 128


class Blob:
    """The values of a blob, one after another."""

    def __init__(self, bytes):
        self.bytes, checksum = bytes[:-4], bytes[-4:]
        if zlib.crc32(self.bytes) != int.from_bytes(checksum, "little"):
            sys.exit("a block of the graph is damaged")
        self.offset = 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def signed(self):
        value = self.varint()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def byte(self):
        self.offset += 1
        return self.bytes[self.offset - 1]

    def fixed(self, format, count=1):
        values = struct.unpack_from(f"<{count}{format}", self.bytes, self.offset)
        self.offset += struct.calcsize(f"<{count}{format}")
        return values

    def sums(self, count):
        """Numbers that are each stored less the one before."""
        sum = 0
        for _ in range(count):
            sum += self.signed()
            yield sum


class Graph(route.Database):
    def __init__(self, path):
        super().__init__(path)
        directory = self.blob(-1)
        self.node_count, _ = directory.varint(), directory.varint()
        self.first_edges = [0]
        self.boxes = []
        for _ in range(math.ceil(self.node_count / NODES_PER_BLOCK)):
            self.first_edges.append(self.first_edges[-1] + directory.varint())
            self.boxes.append(directory.fixed("i", 4))
        # Nodes by their index: id, position, and arcs of (edge, is_reversed, index of the next node).
        self.nodes = {}
        self.indices = {}
        self.costs = {}

    def blob(self, block):
        (bytes,) = self.connection.execute(
            "SELECT graph FROM routing_graph_blocks WHERE block = ?", (block,)
        ).fetchone()
        return Blob(bytes)

    def read(self, block):
        blob = self.blob(block)
        first = block * NODES_PER_BLOCK
        count = min(NODES_PER_BLOCK, self.node_count - first)
        ids, latitudes, longitudes = (list(blob.sums(count)) for _ in range(3))
        blob.fixed("f", count)
        arcs = [[] for _ in range(count)]
        for edge in range(self.first_edges[block], self.first_edges[block + 1]):
            start = blob.byte()
            step = blob.signed()
            blob.varint()
            arcs[start].append((edge + 1, False, first + start + step))
            if 0 <= start + step < count:
                arcs[start + step].append((edge + 1, True, first + start))
        edge = -1
        for _ in range(blob.varint()):
            edge += blob.varint()
            end = blob.byte()
            arcs[end].append((edge + 1, True, first + end + blob.signed()))
        for index in range(count):
            position = latitudes[index] / 1e7, longitudes[index] / 1e7
            self.nodes[first + index] = ids[index], position, arcs[index]
            self.indices[ids[index]] = first + index

    def node(self, index):
        if index not in self.nodes:
            self.read(index // NODES_PER_BLOCK)
        return self.nodes[index]

    def index(self, id):
        """The index of a node by its id: it lies in one of the blocks around its position."""
        if id not in self.indices:
            latitude, longitude = (round(1e7 * value) for value in super().position(id))
            for block, (west, south, east, north) in enumerate(self.boxes):
                if south <= latitude <= north and west <= longitude <= east:
                    self.node(block * NODES_PER_BLOCK)
        return self.indices[id]

    def position(self, id):
        return self.node(self.index(id))[1]

    def cost(self, edge, is_reversed):
        if edge not in self.costs:
            # Those of its neighbours are needed soon.
            first = (edge - 1) // NODES_PER_BLOCK * NODES_PER_BLOCK + 1
            for row in self.connection.execute(
                "SELECT id, cost, reverse_cost, is_oneway FROM routing_edges"
                " WHERE id BETWEEN ? AND ?",
                (first, first + NODES_PER_BLOCK - 1),
            ):
                self.costs[row[0]] = row[1], math.inf if row[3] else row[2]
        return self.costs[edge][is_reversed]

    def arcs(self, id):
        for edge, is_reversed, end in self.node(self.index(id))[2]:
            cost = self.cost(edge, is_reversed)
            if cost < math.inf:
                yield edge, is_reversed, cost, self.node(end)[0]


if __name__ == "__main__":
    route.main(Graph)
