// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// The costs of an edge, or a piece of one, by a profile in both directions, and its climb in the
/// direction of its row.
package struct EdgePrice: Sendable {
  /// The cost in the direction of the row; infinite if it is impassable.
  package var cost = Double.infinity
  /// The cost in the other direction.
  package var reverseCost = Double.infinity
  /// Seconds in the direction of the row; nil if they are unknown, or it is impassable.
  package var duration: Double?
  /// Seconds in the other direction.
  package var reverseDuration: Double?
  /// Metres climbed.
  package var gain = 0.0
  /// Metres descended.
  package var loss = 0.0

  init() {}

  /// Those of an edge.
  package init(_ edge: RoutingEdge) {
    (cost, duration) = (edge.cost, edge.duration)
    (reverseCost, reverseDuration) = (
      edge.isOneway ? .infinity : edge.reverseCost, edge.reverseDuration
    )
    (gain, loss) = (edge.elevationGain, edge.elevationLoss)
  }

  /// A share of it, 0…1.
  func share(_ share: Double) -> EdgePrice {
    var price = self
    price.cost *= share
    price.reverseCost *= share
    price.duration = duration.map { $0 * share }
    price.reverseDuration = reverseDuration.map { $0 * share }
    price.gain *= share
    price.loss *= share
    return price
  }
}

/// Prices a piece of an edge that is a share of its length, by the elevations of both; nil if that
/// cannot be told.
package typealias PiecePricing =
  @Sendable (
    _ profile: RoutingProfile?, _ edge: RoutingEdge,
    _ elevations: (whole: EdgeElevation, piece: EdgeElevation), _ share: Double
  ) -> EdgePrice?

/// A way in several databases, cut wherever any of them cuts it.
///
/// Each database has a way whole, but cuts it only where it meets other ways of that database. So
/// an edge of one may be several of another, or extend beyond a junction of the other. The
/// stretches between neighbouring nodes of any of them represent the edges of all.
final class SeamWay: Sendable {
  /// An edge of a database that leads along a stretch, and which share of it that is.
  struct Cover: Sendable {
    var part: Int
    var row: Int64
    var start: Double
    var end: Double

    var isWhole: Bool { start == 0 && end == 1 }
  }

  /// An edge of the union.
  struct Stretch: Sendable {
    var id: Int64
    var from: Int64
    var to: Int64
    var metres: Double
    /// At least one, in the order of the databases.
    var covers: [Cover]
    /// The index of the cover whose tags and line it has.
    var base: Int
    var cover: Cover { covers[base] }
  }

  let stretches: [Stretch]
  /// The edges that the stretches stand for, as the ids of the union.
  let rows: Set<Int64>
  private let prices = Mutex<[String?: [EdgePrice]]>([:])

  init(stretches: [Stretch], rows: Set<Int64>) {
    (self.stretches, self.rows) = (stretches, rows)
  }

  /// The prices of all stretches by a profile; `make` makes them the first time.
  func prices(_ profile: String?, _ make: () throws(RoutingError) -> [EdgePrice])
    throws(RoutingError)
    -> [EdgePrice]
  {
    if let known = prices.withLock({ $0[profile] }) { return known }
    let made = try make()
    prices.withLock { $0[profile] = made }
    return made
  }

  /// The stretches at a node.
  func stretches(at node: Int64) -> [Stretch] {
    stretches.filter { $0.from == node || $0.to == node }
  }

  /// The stretches that lead along an edge of a database.
  func stretches(along part: Int, _ row: Int64) -> [Stretch] {
    stretches.filter { $0.covers.contains { $0.part == part && $0.row == row } }
  }
}

/// Overlays the chains of a way in several databases.
struct SeamMerger {
  /// The chains of two databases are the same line between two nodes if their lengths differ by at
  /// most this, in metres and as a share.
  static let sameMetres = 1.0
  static let sameShare = 0.002
  /// The least distance of two places.
  private static let leastMetres = 0.01

  private let chains: [(part: Int, chain: WayChain)]
  /// The id in the union of a node among those of some databases.
  private let nodeID: ([(part: Int, node: Int64)]) throws(RoutingError) -> Int64
  private var stretches: [SeamWay.Stretch] = []
  private var rows: Set<Int64> = []
  private var pieces: [Int64: Int] = [:]

  init(
    _ chains: [(part: Int, chain: WayChain)],
    nodeID: @escaping ([(part: Int, node: Int64)]) throws(RoutingError) -> Int64
  ) {
    (self.chains, self.nodeID) = (chains, nodeID)
  }

  /// A node between two common ones.
  private struct Stop {
    var metres: Double
    /// The index of the node in each chain; nil in a chain without it.
    var indices: [Int?]
    var node: Int64

    var firstIndex: Int { indices.lazy.compactMap { $0 }.first ?? 0 }
  }

  /// The merged way; nil if the databases have no piece of it in common.
  mutating func merged() throws(RoutingError) -> SeamWay? {
    let anchors = anchors()
    guard anchors.count > 1 else { return nil }
    for (from, to) in zip(anchors, anchors.dropFirst()) { try merge(from, to) }
    return stretches.isEmpty ? nil : SeamWay(stretches: stretches, rows: rows)
  }

  /// The nodes of all chains, in order: for each its index in every chain.
  private func anchors() -> [[Int]] {
    var positions: [[Int64: [Int]]] = []
    for (_, chain) in chains.dropFirst() {
      var known: [Int64: [Int]] = [:]
      for index in 0...chain.edges.count { known[chain.node(index), default: []].append(index) }
      positions.append(known)
    }
    var next = [Int](repeating: 0, count: chains.count)
    var anchors: [[Int]] = []
    for index in 0...chains[0].chain.edges.count {
      let node = chains[0].chain.node(index)
      var found = [index]
      for (number, known) in positions.enumerated() {
        guard let other = known[node]?.first(where: { $0 >= next[number + 1] }) else { break }
        found.append(other)
      }
      guard found.count == chains.count else { continue }
      next = found.map { $0 + 1 }
      anchors.append(found)
    }
    return anchors
  }

  /// Merges the line between two common nodes if it is the same in all chains.
  private mutating func merge(_ from: [Int], _ to: [Int]) throws(RoutingError) {
    var lengths: [Double] = []
    for (number, (_, chain)) in chains.enumerated() {
      let range = from[number]..<to[number]
      guard !range.isEmpty, range.allSatisfy({ chain.isConnected($0 + 1) }) else { return }
      lengths.append(range.reduce(0) { $0 + chain.edges[$1].distance })
    }
    let slack = Self.sameMetres + Self.sameShare * lengths[0]
    guard lengths.allSatisfy({ abs($0 - lengths[0]) <= slack }) else { return }
    let stops = stops(from, to, lengths, slack)
    guard stops.count < JoinedID.mostPieces else { return }
    var current = from
    for (start, end) in zip(stops, stops.dropFirst()) {
      for (number, index) in start.indices.enumerated() {
        current[number] = index ?? current[number]
      }
      try add(start, end, current, (from, lengths))
    }
    for (number, (part, chain)) in chains.enumerated() {
      for index in from[number]..<to[number] {
        rows.insert(JoinedID(part: part, row: chain.edges[index].id).id)
      }
    }
  }

  /// All nodes between two common ones, these included, in order.
  private func stops(_ from: [Int], _ to: [Int], _ lengths: [Double], _ slack: Double) -> [Stop] {
    var inner: [Stop] = []
    for (number, (_, chain)) in chains.enumerated() {
      var metres = 0.0
      for index in (from[number] + 1)..<max(to[number], from[number] + 1) {
        metres += chain.edges[index - 1].distance
        let place = lengths[number] > 0 ? metres / lengths[number] * lengths[0] : 0
        let node = chain.node(index)
        let known = inner.firstIndex {
          $0.node == node && $0.indices[number] == nil && abs($0.metres - place) <= slack
        }
        if let known {
          inner[known].indices[number] = index
        } else {
          var indices = [Int?](repeating: nil, count: chains.count)
          indices[number] = index
          inner.append(Stop(metres: place, indices: indices, node: node))
        }
      }
    }
    inner.sort { ($0.metres, $0.firstIndex) < ($1.metres, $1.firstIndex) }
    return [Stop(metres: 0, indices: from, node: 0)] + inner
      + [Stop(metres: lengths[0], indices: to, node: 0)]
  }

  /// Adds the stretch between two neighbouring nodes; `current` has the edge of each chain there.
  private mutating func add(
    _ start: Stop, _ end: Stop, _ current: [Int], _ origin: (from: [Int], lengths: [Double])
  ) throws(RoutingError) {
    var covers: [SeamWay.Cover] = []
    var edgeMetres: [Double] = []
    for (number, (part, chain)) in chains.enumerated() {
      let edge = chain.edges[current[number]]
      let scale = origin.lengths[number] > 0 ? origin.lengths[0] / origin.lengths[number] : 1
      let begin =
        scale
        * (origin.from[number]..<current[number]).reduce(0) { $0 + chain.edges[$1].distance }
      let metres = edge.distance * scale
      func share(_ stop: Stop, isEnd: Bool) -> Double {
        if stop.indices[number] != nil { return isEnd ? 1 : 0 }
        return metres > 0 ? min(max((stop.metres - begin) / metres, 0), 1) : 0
      }
      covers.append(
        .init(
          part: part, row: edge.id, start: share(start, isEnd: false),
          end: share(end, isEnd: true)))
      edgeMetres.append(edge.distance)
    }
    let base =
      covers.firstIndex(where: \.isWhole)
      ?? covers.indices.min { edgeMetres[$0] < edgeMetres[$1] } ?? 0
    var id = JoinedID(part: covers[base].part, row: covers[base].row)
    if !covers[base].isWhole {
      let piece = pieces[id.id, default: 0] + 1
      pieces[id.id] = piece
      id.piece = min(piece, JoinedID.mostPieces)
    }
    let stretch = SeamWay.Stretch(
      id: id.id, from: try nodeID(ends(start, isEnd: false)),
      to: try nodeID(ends(end, isEnd: true)),
      metres: covers[base].isWhole
        ? edgeMetres[base] : max(end.metres - start.metres, Self.leastMetres),
      covers: covers, base: base)
    stretches.append(stretch)
  }

  /// The ids of a node by the databases that have it: the ids at the ends of edges there, which
  /// differ at a barrier.
  private func ends(_ stop: Stop, isEnd: Bool) -> [(part: Int, node: Int64)] {
    chains.indices.compactMap { number in
      let (part, chain) = chains[number]
      return stop.indices[number].map {
        (part, isEnd ? chain.edges[$0 - 1].toNode : chain.edges[$0].fromNode)
      }
    }
  }
}
