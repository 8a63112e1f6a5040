// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The network as lines that a walker would regard as one path: at each knot, the links that
/// continue each other most directly are joined (“strokes”; Thomson and Richardson, “The ‘good
/// continuation’ principle of perceptual organization applied to the generalization of road
/// networks”, 1999).
///
/// A side path does not interrupt the stroke that it joins, wherever the ways are split. A stroke
/// begins at that of its two ends whose segment comes first; a ring begins at its first node.
final class Strokes: @unchecked Sendable {
  /// A node at which a stroke may meet itself or another one.
  struct Passage: BitwiseCopyable, Sendable {
    /// How many links of the stroke lie before it.
    let position: UInt32
    /// The index of its knot; the count of knots and more for a ring’s first node that is none.
    let junction: UInt32
  }

  private let network: WayNetwork
  /// Where the links of each stroke begin in ``entries``, and finally the count.
  private var offsets: [UInt32] = [0]
  /// The ends at which each stroke enters its links.
  private var entries: [UInt32] = []
  /// The length of each stroke in metres.
  private(set) var lengths: [Double] = []
  /// What strokes of equal length are ordered by: the first segment of each; rings come last.
  private(set) var keys: [UInt64] = []
  /// Where the passages of each stroke begin in ``passages``, and finally the count.
  private var passageOffsets: [UInt32] = [0]
  private var passages: [Passage] = []
  /// The index of the first ring; all later strokes are rings.
  private var firstRing = 0
  /// Where each ring begins: a ref of its first link.
  private var ringStarts: [Int] = []
  /// The first nodes of rings that begin between two knots.
  private var ringNodes: [UInt32] = []

  var count: Int { lengths.count }
  /// Whether a stroke has no ends.
  func isRing(_ stroke: Int) -> Bool { stroke >= firstRing }
  /// More than any index of a junction.
  var junctionCount: Int { network.knots.count + ringNodes.count }

  init(_ network: WayNetwork, threads: Int = 1) {
    self.network = network
    let tracer = StrokeTracer(
      network: network, mates: StraightPairs.mates(network, threads),
      isTaken: Numbers(count: network.links.count))
    let traced = mapPieces(of: network.links.count, threads: threads, size: 1 << 12) {
      tracer.strokes(fromEndsOf: $0)
    }
    for strokes in traced { append(strokes) }
    firstRing = lengths.count
    for link in network.links.elements.indices
    where tracer.isTaken.elements[link] == 0
      && Int(network.links.elements[link].original) == link
    {
      let junction = UInt32(junctionCount)
      let (ring, start) = tracer.ring(through: link, junction: junction)
      if ring.passages[0].junction == junction { ringNodes.append(network.columns.refs[start]) }
      ringStarts.append(start)
      append(ring)
    }
  }

  private func append(_ strokes: TracedStrokes) {
    let (entryCount, passageCount) = (entries.count, passages.count)
    offsets += strokes.ends.lazy.map { UInt32(entryCount + $0) }
    entries += strokes.entries
    passageOffsets += strokes.passageEnds.lazy.map { UInt32(passageCount + $0) }
    passages += strokes.passages
    lengths += strokes.lengths
    keys += strokes.keys
  }

  /// The node of a junction.
  func node(ofJunction junction: Int) -> Int {
    let knots = network.knots.count
    return Int(
      junction < knots ? network.knotNodes.elements[junction] : ringNodes[junction - knots])
  }

  /// The junctions along a stroke, with its start and its end.
  func passages(ofStroke stroke: Int) -> ArraySlice<Passage> {
    passages[Int(passageOffsets[stroke])..<Int(passageOffsets[stroke + 1])]
  }

  /// The links of a stroke, each with the refs from and to which the stroke follows it: down where
  /// it runs against the way.
  func forEachLink(
    ofStroke stroke: Int, _ body: (_ link: WayNetwork.Link, _ index: Int, _ from: Int, _ to: Int) -> Void
  ) {
    let entries = entries[Int(offsets[stroke])..<Int(offsets[stroke + 1])]
    for (position, entry) in entries.enumerated() {
      let link = network.links.elements[Int(entry >> 1)]
      var (from, to) = (Int(link.first), Int(link.last))
      if entry & 1 == 1 { swap(&from, &to) }
      if stroke >= firstRing {
        // A ring that begins within a link ends there, too.
        let start = ringStarts[stroke - firstRing]
        if position == 0 { from = start }
        if position > 0, position == entries.count - 1, entry == entries.first { to = start }
      }
      body(link, Int(entry >> 1), from, to)
    }
  }
}
