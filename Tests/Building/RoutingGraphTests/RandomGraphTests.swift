// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing
import TrailData

@testable import RoutingGraph

@Suite("Random graphs")
struct RandomGraphTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("any number of threads and any size of their blocks give the same bytes")
  func threads() throws {
    for seed in UInt64(0)..<12 {
      let trails = try RandomWays(seed: seed, ways: 200).file(in: folder)
      var first: [UInt8]?
      for (threads, blockRefs) in [(1, 100_000), (1, 1), (2, 20), (3, 100), (8, 7)] {
        let builder = RoutingGraphBuilder(trails, threads: threads, blockRefs: blockRefs)
        try builder.build().write(
          to: folder.file("random.graph"), strings: trails.strings,
          provenance: RandomWays.provenance)
        let bytes = try folder.read("random.graph")
        let expected = first ?? bytes
        first = expected
        #expect(bytes == expected, "seed \(seed), \(threads) threads, blocks of \(blockRefs)")
      }
    }
  }

  @Test("edges are those of a plain reading of the rules")
  func reference() throws {
    for seed in UInt64(100)..<130 {
      let ways = RandomWays(seed: seed, ways: 60)
      let trails = try ways.file(in: folder)
      try RoutingGraphBuilder(trails, threads: 2, blockRefs: 30).build().write(
        to: folder.file("random.graph"), strings: trails.strings, provenance: RandomWays.provenance)
      let graph = try GraphFile(folder.file("random.graph"), threads: 2)
      let edges = graph.from.indices.map { edge in
        PlainEdge(
          way: graph.wayIDs[Int(graph.ways[edge])], from: graph.nodeIDs[Int(graph.from[edge])],
          to: graph.nodeIDs[Int(graph.to[edge])], metres: graph.distances[edge],
          gain: graph.gains[edge], loss: graph.losses[edge],
          points: graph.points(ofEdge: edge).map { graph.pointLatitudes[$0] },
          isWhole: !graph.slopes[edge].isNaN, isBarrier: graph.barrierEdges.contains(UInt32(edge)))
      }
      var plain = PlainCutter(ways)
      #expect(edges == plain.edges(), "seed \(seed)")
    }
  }
}

/// An edge with what the rules say about it.
private struct PlainEdge: Equatable {
  var way: Int64
  var from: Int64
  var to: Int64
  var metres = 0.0
  var gain = 0.0
  var loss = 0.0
  var points: [Int32] = []
  var isWhole: Bool
  var isBarrier = false
}

/// Cuts ways as the documentation says, one step after the other.
private struct PlainCutter {
  private let ways: RandomWays
  private var content: TrailsContent { ways.content }
  private var junctions: Set<UInt32> = []
  private var endCounts: [UInt32: UInt32] = [:]

  init(_ ways: RandomWays) {
    self.ways = ways
    var seen: Set<UInt32> = []
    for way in ways.content.wayIDs.indices {
      let nodes = refs(way).map { ways.content.refs[$0] }
      guard let first = nodes.first, let last = nodes.last, nodes.count > 1 else { continue }
      junctions.formUnion([first, last])
      for node in nodes where !seen.insert(node).inserted { junctions.insert(node) }
    }
    junctions.formUnion(ways.content.taggedNodes)
  }

  /// The refs of a way without those that repeat the node before them.
  private func refs(_ way: Int) -> [Int] {
    let all = Int(content.refOffsets[way])..<Int(content.refOffsets[way + 1])
    return all.filter { $0 == all.lowerBound || content.refs[$0] != content.refs[$0 - 1] }
  }

  mutating func edges() -> [PlainEdge] {
    var edges: [PlainEdge] = []
    for way in content.wayIDs.indices {
      for piece in pieces(refs(way)) {
        let (before, from) = end(piece[0], content.wayIDs[way])
        let (after, to) = end(piece[piece.count - 1], content.wayIDs[way])
        if let before { edges.append(before) }
        edges.append(edge(content.wayIDs[way], piece, from, to))
        if var after {
          (after.from, after.to) = (after.to, after.from)
          edges.append(after)
        }
      }
    }
    return edges
  }

  /// The node that an edge ends at, and the barrier from the original to it if it is a copy.
  private mutating func end(_ ref: Int, _ way: Int64) -> (PlainEdge?, Int64) {
    let node = content.refs[ref]
    let id = content.nodeIDs[Int(node)]
    guard content.taggedNodes.contains(node) else { return (nil, id) }
    let copy = endCounts[node, default: 0]
    endCounts[node] = copy + 1
    if copy == 0 { return (nil, id) }
    let copyID = GraphNodeID.copy(copy, of: id)
    let isKnown = !ways.elevations[Int(node)].isNaN
    return (PlainEdge(way: way, from: id, to: copyID, isWhole: isKnown, isBarrier: true), copyID)
  }

  /// The pieces of a way between junctions, cut where they would be longer than 65 km.
  private func pieces(_ refs: [Int]) -> [[Int]] {
    var pieces: [[Int]] = []
    var piece = Array(refs.prefix(1))
    var metres = 0.0
    for ref in refs.dropFirst() {
      let previous = piece[piece.count - 1]
      let segment = haversineDistance(coordinate(previous), coordinate(ref))
      if metres + segment > 65_000, content.refs[piece[0]] != content.refs[previous] {
        pieces.append(piece)
        piece = [previous]
        metres = 0
      }
      metres += segment
      piece.append(ref)
      guard junctions.contains(content.refs[ref]) else { continue }
      pieces.append(piece)
      piece = [ref]
      metres = 0
    }
    return pieces
  }

  private func coordinate(_ ref: Int) -> Coordinate {
    let node = Int(content.refs[ref])
    return FixedCoordinate(latitude: content.latitudes[node], longitude: content.longitudes[node])
      .degrees
  }

  private func edge(_ way: Int64, _ piece: [Int], _ from: Int64, _ to: Int64) -> PlainEdge {
    var heights = [ways.elevations[Int(content.refs[piece[0]])]]
    var edge = PlainEdge(way: way, from: from, to: to, isWhole: true)
    for (start, end) in zip(piece, piece.dropFirst()) {
      edge.metres += haversineDistance(coordinate(start), coordinate(end))
      // Samples follow the last ref at a node, from which the way leaves it.
      let refs = ways.samples.refs
      let samples =
        refs.partitioningIndex { $0 >= start }..<refs.partitioningIndex { $0 >= end }
      heights += samples.map { ways.samples.elevations[$0] }
      heights.append(ways.elevations[Int(content.refs[end])])
    }
    edge.points = piece.dropFirst().dropLast().map { content.latitudes[Int(content.refs[$0])] }
    edge.isWhole = !heights.contains { $0.isNaN }
    let known = heights.filter { !$0.isNaN }.map { Double($0) }
    for (low, high) in zip(known, known.dropFirst()) {
      edge.gain += max(0, high - low)
      edge.loss += max(0, low - high)
    }
    return edge
  }
}
