// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The shortest ways from a node to those around it.
struct NearbyNodes {
  /// A node that was reached.
  struct Entry {
    var node: Int32
    /// The previous node; itself at the start.
    var previous: Int32
    /// The edge on which it was reached; −1 at the start.
    var edge: Int32
    /// The edge on which the start was left; −1 at the start.
    var firstEdge: Int32
    /// Metres from the start.
    var metres: Float
  }

  /// By node.
  fileprivate(set) var entries: [Entry] = []
  /// How far the search went, in metres.
  fileprivate(set) var radius: Float = 0

  /// A node; nil if it was not reached.
  @inline(__always)
  func entry(_ node: Int32) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].node < node { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].node == node ? entries[low] : nil
  }
}

/// Searches from nodes by Dijkstra's algorithm up to a distance. Keeps the latest results, since
/// successive observations need the same ones.
final class NearbyNodeSearch {
  private static let slots = 1024
  /// The number of settled nodes after which a search ends.
  private static let mostNodes = 4000
  /// After all searches together have settled this many nodes, plus some for each observation,
  /// their reach shrinks. This bounds the time for a track of long jumps.
  private static let allowance = 30_000_000
  private static let allowancePerObservation = 100
  private static let fewNodes = 50

  private let links: NodeLinks
  private var cache: [(node: Int32, found: NearbyNodes)]
  private var remaining = NearbyNodeSearch.allowance
  // A node belongs to the current search if its stamp matches.
  private var stamps: [UInt32]
  private var states: [NearbyNodes.Entry]
  private var stamp: UInt32 = 0

  init(_ links: NodeLinks) {
    self.links = links
    cache = Array(repeating: (-1, NearbyNodes()), count: Self.slots)
    stamps = Array(repeating: 0, count: links.nodeCount)
    let none = NearbyNodes.Entry(node: 0, previous: 0, edge: -1, firstEdge: -1, metres: 0)
    states = Array(repeating: none, count: links.nodeCount)
  }

  /// Allows for the searches of a further observation.
  func addObservation() { remaining += Self.allowancePerObservation }

  /// The nodes within a distance of a node, and perhaps some further away.
  func nodes(around node: Int32, radius: Float) -> NearbyNodes {
    let slot = Int(SplitMix64.mix(UInt64(UInt32(bitPattern: node))) % UInt64(Self.slots))
    if cache[slot].node == node, cache[slot].found.radius >= radius { return cache[slot].found }
    // Slightly further than needed, so that the next observation can reuse it.
    let found = search(node, radius: radius * 1.25)
    cache[slot] = (node, found)
    return found
  }

  private func search(_ start: Int32, radius: Float) -> NearbyNodes {
    nextStamp()
    let limit = remaining > 0 ? Self.mostNodes : Self.fewNodes
    var queue = PriorityQueue()
    var settled: [NearbyNodes.Entry] = []
    stamps[Int(start)] = stamp
    states[Int(start)] = .init(node: start, previous: start, edge: -1, firstEdge: -1, metres: 0)
    queue.push(Int(start), priority: 0)
    while let (item, priority) = queue.pop(), settled.count < limit {
      let state = states[item]
      // An entry replaced by a shorter way.
      guard Double(state.metres) == priority else { continue }
      settled.append(state)
      for link in links.at(state.node) {
        let metres = state.metres + link.metres
        guard metres <= radius else { continue }
        let other = Int(link.node)
        guard stamps[other] != stamp || metres < states[other].metres else { continue }
        stamps[other] = stamp
        states[other] = .init(
          node: link.node, previous: state.node, edge: link.edge,
          firstEdge: state.firstEdge < 0 ? link.edge : state.firstEdge, metres: metres)
        queue.push(other, priority: Double(metres))
      }
    }
    remaining -= settled.count
    settled.sort { $0.node < $1.node }
    var found = NearbyNodes()
    // A larger radius would find nothing beyond the last settled node.
    (found.entries, found.radius) = (settled, radius)
    return found
  }

  private func nextStamp() {
    stamp &+= 1
    guard stamp == 0 else { return }
    for index in stamps.indices { stamps[index] = 0 }
    stamp = 1
  }
}
