// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The network as lines that a walker would regard as one path: at each knot, the links that
/// continue each other most directly are joined (“strokes”; Thomson and Richardson, “The ‘good
/// continuation’ principle of perceptual organization applied to the generalization of road
/// networks”, 1999).
///
/// A side path does not interrupt the stroke that it joins, wherever the ways are split. A stroke
/// begins at that of its two ends whose segment comes first; a ring begins at its first node.
final class Strokes: Sendable {
  /// A node at which a stroke may meet itself or another one.
  struct Passage: BitwiseCopyable, Sendable {
    /// The number of the stroke's links before it.
    let position: UInt32
    /// The index of its knot; the count of knots and more for a ring’s first node that is none.
    let junction: UInt32
  }

  private let network: WayNetwork
  /// The start of each stroke's links in ``entries``, and finally the count.
  private let offsets: Numbers<UInt32>
  /// The ends at which each stroke enters its links.
  private let entries: Numbers<UInt32>
  /// The length of each stroke in metres.
  let lengths: Numbers<Double>
  /// The order of strokes of equal length: the first segment of each; rings come last.
  let keys: Numbers<UInt64>
  /// The start of each stroke's passages in ``passages``, and finally the count.
  private let passageOffsets: Numbers<UInt32>
  private let passages: Numbers<Passage>
  /// The index of the first ring; all later strokes are rings.
  private let firstRing: Int
  /// The start of each ring: a ref of its first link.
  private let ringStarts: [Int]
  /// The first nodes of rings that begin between two knots.
  private let ringNodes: [UInt32]

  var count: Int { lengths.count }
  /// Whether a stroke has no ends.
  func isRing(_ stroke: Int) -> Bool { stroke >= firstRing }
  /// More than any index of a junction.
  var junctionCount: Int { network.knots.count + ringNodes.count }

  convenience init(_ network: WayNetwork, threads: Int = 1) {
    self.init(network, mates: StraightPairs.mates(network, threads), threads: threads)
  }

  /// Traces strokes, given the end that continues each end of a link.
  init(_ network: WayNetwork, mates: Numbers<UInt32>, threads: Int) {
    self.network = network
    let tracer = StrokeTracer(
      network: network, mates: mates, isTaken: Numbers(count: network.links.count))
    var traced = mapPieces(of: network.links.count, threads: threads, size: 1 << 12) {
      tracer.strokes(fromEndsOf: $0)
    }
    firstRing = traced.reduce(0) { $0 + $1.lengths.count }
    var (starts, nodes): ([Int], [UInt32]) = ([], [])
    for link in network.links.elements.indices
    where tracer.isTaken.elements[link] == 0
      && Int(network.links.elements[link].original) == link
    {
      let junction = UInt32(network.knots.count + nodes.count)
      let (ring, start) = tracer.ring(through: link, junction: junction)
      if ring.passages[0].junction == junction { nodes.append(network.columns.refs[start]) }
      starts.append(start)
      traced.append(ring)
    }
    (ringStarts, ringNodes) = (starts, nodes)
    offsets = Self.offsets(traced.map(\.ends))
    entries = Self.joined(traced.map(\.entries))
    passageOffsets = Self.offsets(traced.map(\.passageEnds))
    passages = Self.joined(traced.map(\.passages))
    lengths = Self.joined(traced.map(\.lengths))
    keys = Self.joined(traced.map(\.keys))
  }

  private static func joined<Element>(_ lists: [[Element]]) -> Numbers<Element> {
    let numbers = Numbers<Element>(count: lists.reduce(0) { $0 + $1.count })
    var start = 0
    for list in lists {
      let part = UnsafeMutableBufferPointer(rebasing: numbers.elements[start...])
      start += part.update(from: list).index
    }
    return numbers
  }

  /// The start of each element, and finally the count, from the end of each list's elements in it.
  private static func offsets(_ lists: [[Int]]) -> Numbers<UInt32> {
    let offsets = Numbers<UInt32>(count: lists.reduce(1) { $0 + $1.count })
    var (next, base) = (1, 0)
    for list in lists {
      for end in list {
        offsets.elements[next] = UInt32(base + end)
        next += 1
      }
      base += list.last ?? 0
    }
    return offsets
  }

  /// The node of a junction.
  func node(ofJunction junction: Int) -> Int {
    let knots = network.knots.count
    return Int(
      junction < knots ? network.knotNodes.elements[junction] : ringNodes[junction - knots])
  }

  /// The junctions along a stroke, with its start and its end.
  @inline(__always)
  func passages(ofStroke stroke: Int) -> UnsafeBufferPointer<Passage> {
    let (first, end) = (passageOffsets.elements[stroke], passageOffsets.elements[stroke + 1])
    return UnsafeBufferPointer(rebasing: passages.elements[Int(first)..<Int(end)])
  }

  /// The links of a stroke, each with the refs from and to which the stroke follows it: down where
  /// it runs against the way.
  func forEachLink(
    ofStroke stroke: Int,
    _ body: (_ link: WayNetwork.Link, _ index: Int, _ from: Int, _ to: Int) -> Void
  ) {
    let (first, end) = (offsets.elements[stroke], offsets.elements[stroke + 1])
    let entries = UnsafeBufferPointer(rebasing: entries.elements[Int(first)..<Int(end)])
    for (position, entry) in entries.enumerated() {
      let link = network.links.elements[Int(entry >> 1)]
      var (from, to) = (Int(link.first), Int(link.last))
      if entry & 1 == 1 { swap(&from, &to) }
      if stroke >= firstRing {
        // A ring that begins within a link ends there, too.
        let start = ringStarts[stroke - firstRing]
        if position == 0 { from = start }
        if position > 0, position == entries.count - 1, entry == entries[0] { to = start }
      }
      body(link, Int(entry >> 1), from, to)
    }
  }
}
