#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds a route in a routing database with nothing but its tables and the standard library.

    route.py REGION.routing.db LAT,LON LAT,LON

It prints the totals and the line as GeoJSON. The costs are those of routing_edges: the ones of the
database's first profile, which metadata names under “profile”. The search is A*, from the node
nearest to the start to the node nearest to the destination.
"""

import heapq
import math
import sqlite3
import struct
import sys

EARTH_RADIUS_METRES = 6_371_000


def distance(a, b):
    """Metres between two points (latitude, longitude), by the haversine formula."""
    (lat_a, lon_a), (lat_b, lon_b) = [map(math.radians, point) for point in (a, b)]
    chord = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_METRES * math.asin(min(1, math.sqrt(chord)))


class Database:
    def __init__(self, path):
        # Read-only: opening a path that does not exist is then an error.
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.metadata = dict(self.connection.execute("SELECT key, value FROM routing_metadata"))

    def position(self, node):
        return self.connection.execute(
            "SELECT latitude, longitude FROM routing_nodes WHERE id = ?", (node,)
        ).fetchone()

    def nearest_node(self, point, degrees=0.01):
        """The node nearest to a point among those within about a kilometre that can be left or
        reached: some ways are closed, and some nodes have no others."""
        latitude, longitude = point
        rows = self.connection.execute(
            "SELECT id, latitude, longitude FROM routing_nodes n"
            " WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ? AND EXISTS"
            " (SELECT 1 FROM routing_edges WHERE (from_node = n.id OR to_node = n.id)"
            " AND (cost < 9e999 OR reverse_cost < 9e999))",
            (latitude - degrees, latitude + degrees, longitude - degrees, longitude + degrees),
        )
        nearest = min(rows, key=lambda row: distance(point, row[1:]), default=None)
        if nearest is None:
            sys.exit(f"no path or road near {latitude},{longitude}")
        return nearest[0]

    def arcs(self, node):
        """Yields (edge, is_reversed, cost, next node) for the edges that lead away from a node.

        An edge is one row for both directions, so it is looked up by both of its ends. A cost of
        infinity closes a direction, and so does is_oneway the one against the row.
        """
        for edge, cost, end in self.connection.execute(
            "SELECT id, cost, to_node FROM routing_edges WHERE from_node = ?", (node,)
        ):
            if cost < math.inf:
                yield edge, False, cost, end
        for edge, cost, end in self.connection.execute(
            "SELECT id, reverse_cost, from_node FROM routing_edges"
            " WHERE to_node = ? AND is_oneway = 0",
            (node,),
        ):
            if cost < math.inf:
                yield edge, True, cost, end

    def find_path(self, start, goal):
        """The cheapest path between two nodes: its cost and its (edge, is_reversed) in order."""
        target = self.position(goal)
        # No edge costs less per metre of the straight line, so the estimate is never too high.
        rate = float(self.metadata.get("min_cost_per_metre", 0))
        costs = {start: 0.0}
        arrivals = {}
        settled = set()
        queue = [(0.0, start)]
        while queue:
            _, node = heapq.heappop(queue)
            if node == goal:
                break
            if node in settled:
                continue
            settled.add(node)
            for edge, is_reversed, cost, end in self.arcs(node):
                total = costs[node] + cost
                if total < costs.get(end, math.inf):
                    costs[end] = total
                    arrivals[end] = (node, edge, is_reversed)
                    estimate = rate * distance(self.position(end), target)
                    heapq.heappush(queue, (total + estimate, end))
        else:
            sys.exit("no route leads to the destination")
        path = []
        while node != start:
            node, edge, is_reversed = arrivals[node]
            path.append((edge, is_reversed))
        return costs[goal], path[::-1]

    def seconds(self, edge, profile=1):
        """Seconds of an edge in the direction of its row and in the other one; infinite where it is
        closed. Profile 1 is the one whose costs routing_edges holds.

        A row has the times of 1000 edges: for each two little-endian Float32. The costs of further
        profiles are in the column “costs” of the same row, laid out alike. The view routing_costs
        has all of this unpacked, for readers that know SQL only.
        """
        block, index = divmod(edge - 1, 1000)
        (durations,) = self.connection.execute(
            "SELECT durations FROM routing_cost_blocks WHERE id = ?", (profile << 32 | block,)
        ).fetchone()
        return struct.unpack_from("<ff", durations, 8 * index)

    def edge(self, edge, is_reversed):
        """Metres, metres climbed, seconds and points of an edge in the direction of travel."""
        length, gain, loss, start, end, blob = self.connection.execute(
            "SELECT distance, elevation_gain, elevation_loss, from_node, to_node, geometry"
            " FROM routing_edges WHERE id = ?",
            (edge,),
        ).fetchone()
        seconds, reverse_seconds = self.seconds(edge)
        # The blob has the points between the nodes: pairs of little-endian Float32,
        # latitude first. It is NULL where there are none.
        inner = list(struct.iter_unpack("<ff", blob or b""))
        points = [self.position(start), *inner, self.position(end)]
        if is_reversed:
            return length, loss, reverse_seconds, points[::-1]
        return length, gain, seconds, points


def main(Database=Database):
    if len(sys.argv) != 4:
        sys.exit(f"usage: {sys.argv[0]} REGION.routing.db LAT,LON LAT,LON")
    database = Database(sys.argv[1])
    start, goal = (
        database.nearest_node(tuple(map(float, text.split(",")))) for text in sys.argv[2:]
    )
    cost, path = database.find_path(start, goal)
    length = ascent = seconds = 0.0
    line = [database.position(start)]
    for edge, is_reversed in path:
        edge_length, gain, edge_seconds, points = database.edge(edge, is_reversed)
        length += edge_length
        ascent += gain
        seconds += edge_seconds
        # The edge of a barrier has no length: both of its nodes are at one position.
        line += [point for point in points[1:] if point != line[-1]]
    print(f"distance {length:.1f} m")
    print(f"ascent {ascent:.1f} m")
    print(f"time {seconds / 60:.0f} min")
    print(f"cost {cost:.3f}")
    # GeoJSON writes the longitude first.
    points = ",".join(f"[{longitude:.6f},{latitude:.6f}]" for latitude, longitude in line)
    print(f'{{"type":"LineString","coordinates":[{points}]}}')


if __name__ == "__main__":
    main()
