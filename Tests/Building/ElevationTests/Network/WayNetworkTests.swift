// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TrailData

@testable import Elevation

/// Ways through random nodes, some of which they pass again and again.
struct RandomWays {
  let folder: TemporaryFolder
  let trails: TrailsFile

  init(seed: UInt64, nodes: Int = 14, ways: Int = 6, closed: Bool = false) throws {
    var random = SeededGenerator(seed: seed)
    var content = TrailsContent()
    for node in 0..<nodes {
      content.nodeIDs.append(Int64(node + 1))
      content.latitudes.append(470_000_000 + .random(in: 0...40_000, using: &random))
      content.longitudes.append(100_000_000 + .random(in: 0...60_000, using: &random))
    }
    for way in 0..<ways {
      let refs = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        UInt32.random(in: 0..<UInt32(nodes), using: &random)
      }
      content.refs += refs
      if closed, let first = refs.first { content.refs.append(first) }
      content.refOffsets.append(UInt32(content.refs.count))
      content.wayIDs.append(Int64(way + 1))
      if Bool.random(using: &random) { content.wayTags.add(key: 0, value: 1) }
      content.wayTags.endObject()
    }
    content.strings = [Array("highway".utf8), Array("steps".utf8)]
    folder = try TemporaryFolder()
    try content.write(to: folder.file("ways.trails"), provenance: Provenance(tool: "a test"))
    trails = try TrailsFile(folder.file("ways.trails"))
  }

  /// The segments of all ways by their nodes, and whether one of their ways is steps.
  var segments: [UInt64: Bool] {
    let network = WayNetwork(trails)
    var segments: [UInt64: Bool] = [:]
    for way in trails.wayIDs.indices {
      for ref in trails.refs(ofWay: way).dropLast() where trails.refs[ref] != trails.refs[ref + 1] {
        let segment = network.segment(trails.refs[ref], trails.refs[ref + 1])
        segments[segment, default: false] =
          segments[segment] == true || !trails.wayTags.tags(of: way).isEmpty
      }
    }
    return segments
  }
}

@Suite("The network of ways")
struct WayNetworkTests {
  @Test("links have each segment of random ways once, and only knots have other than two segments")
  func segments() throws {
    for seed in 0..<150 as Range<UInt64> {
      let ways = try RandomWays(seed: seed)
      let expected = ways.segments
      for threads in [1, 3] {
        let network = WayNetwork(ways.trails, threads: threads)
        var found: [UInt64: Bool] = [:]
        for (index, link) in network.links.elements.enumerated() where link.original == index {
          for ref in Int(link.first)..<Int(link.last) {
            let (node, next) = (ways.trails.refs[ref], ways.trails.refs[ref + 1])
            let segment = network.segment(node, next)
            #expect(found[segment] == nil, "seed \(seed)")
            found[segment] = link.kind == .steep
            #expect(network.knots.contains(node) == (ref == Int(link.first)), "seed \(seed)")
          }
          #expect(network.knots.contains(ways.trails.refs[Int(link.last)]), "seed \(seed)")
        }
        #expect(found == expected, "seed \(seed)")
        for link in network.links.elements {
          let original = network.links[Int(link.original)]
          #expect(
            Set([link.from, link.to]) == Set([original.from, original.to]), "seed \(seed)")
        }
      }
    }
  }

  @Test("each knot lists the nodes next to it once, ascending")
  func ends() throws {
    for seed in 0..<150 as Range<UInt64> {
      let ways = try RandomWays(seed: seed)
      let network = WayNetwork(ways.trails)
      var neighbours: [UInt32: [UInt32]] = [:]
      for segment in ways.segments.keys {
        let (low, high) = (UInt32(segment >> 32), UInt32(truncatingIfNeeded: segment))
        neighbours[low, default: []].append(high)
        neighbours[high, default: []].append(low)
      }
      for (knot, node) in network.knotNodes.elements.enumerated() {
        #expect(network.knots.index(of: node) == UInt32(knot))
        let ends = network.ends(ofKnot: UInt32(knot))
        #expect(ends.map(\.neighbour) == (neighbours[node] ?? []).sorted(), "seed \(seed)")
        for end in ends {
          #expect(network.knot(atEnd: end.index) == UInt32(knot))
          #expect(network.neighbour(atEnd: end.index) == end.neighbour)
        }
        neighbours[node] = nil
      }
      #expect(neighbours.values.allSatisfy { $0.count == 2 }, "seed \(seed)")
    }
  }

  @Test("strokes pass each segment once, and rings begin at their first node")
  func strokes() throws {
    var rings = 0
    for seed in 0..<300 as Range<UInt64> {
      let ways = try RandomWays(seed: seed, ways: 2, closed: true)
      let network = WayNetwork(ways.trails)
      let strokes = Strokes(network, threads: seed.isMultiple(of: 2) ? 1 : 3)
      var found: [UInt64] = []
      for stroke in 0..<strokes.count {
        var nodes: [UInt32] = []
        strokes.forEachLink(ofStroke: stroke) { _, _, from, to in
          let part = ways.trails.refs[min(from, to)...max(from, to)]
          let inOrder = from < to ? Array(part) : part.reversed()
          #expect(nodes.isEmpty || nodes.last == inOrder.first, "seed \(seed)")
          nodes += nodes.isEmpty ? inOrder : Array(inOrder.dropFirst())
        }
        found += zip(nodes, nodes.dropFirst()).map { network.segment($0, $1) }
        let passages = strokes.passages(ofStroke: stroke)
        #expect(strokes.node(ofJunction: Int(passages[0].junction)) == nodes.first.map(Int.init))
        #expect(
          strokes.node(ofJunction: Int(passages[passages.count - 1].junction))
            == nodes.last.map(Int.init))
        guard strokes.isRing(stroke) else { continue }
        rings += 1
        #expect(nodes.first == nodes.last && nodes.first == nodes.min(), "seed \(seed)")
      }
      #expect(found.sorted() == ways.segments.keys.sorted(), "seed \(seed)")
    }
    #expect(rings > 20)
  }

  @Test("numbers are sorted by their upper halves, and equal ones keep their order")
  func radix() {
    var random = SeededGenerator(seed: 2)
    let numbers = (0..<5_000).map { index in
      UInt64(UInt32.random(in: 0...(.max), using: &random) & 0x8020_0C03) << 32 | UInt64(index)
    }
    #expect(sortedByUpperHalf(numbers) == numbers.sorted())
    #expect(sortedByUpperHalf([]) == [])
  }
}
