// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Bridges, tunnels and ferries, whose elevation does not follow the terrain but is interpolated
/// between portals.
///
/// Portals are the nodes that a structure shares with the rest of the network, and its dead ends:
/// the end of a tunnel, the pier of a ferry. Bridges are different, because stairs and ramps may
/// lead up to their middle, far above the ground: a node with two bridge segments more than 60°
/// apart is not a portal, whatever else meets there. (Two bridges less than 60° apart begin at one
/// abutment.) An island that two bridges share as a node therefore lies on the line between the
/// outer banks. If a structure would have no portal, such as a ring of footbridges, all nodes that
/// it shares with the rest of the network are portals.
///
/// Between two portals the elevation is linear by distance, however the structure is split into
/// ways. At a fork, it is the mean of the neighbours weighted by inverse distance (Laplace’s
/// equation on a graph, solved by Gauss–Seidel iteration).
struct Structures: Sendable {
  /// The maximum number of iterations; very many forks reduce it further.
  private static let roundLimit = 2_000
  private static let workLimit = 50_000_000
  /// The iteration stops when no fork changes by more than this, in metres.
  private static let toleranceMetres = 1e-4

  /// The cosine of the smallest angle, 60°, between two segments of the same bridge.
  private static let bridgeCosine = 0.5
  /// The maximum number of segments at a node whose directions are compared.
  private static let largestDegree = 16

  /// A part of a structure between two nodes that are portals or forks.
  private struct Chain: Sendable {
    var from: Int
    var to: Int
    /// The indices of those that are forks in ``Structures/forks``.
    var forks: (from: Int?, to: Int?) = (nil, nil)
    var metres: Double
    /// The nodes between them, as indices into ``Structures/inner``.
    var inner: Range<Int>
  }

  private var chains: [Chain] = []
  private var inner: [(node: Int, metres: Double)] = []
  private var forks: [Int] = []
  /// The knots within structures, which other ways may meet.
  private(set) var passedKnots: [UInt32] = []
  /// The chains that begin or end at each fork.
  private var chainsOfForks: [[Int]] = []

  /// The role of a node in a structure.
  private enum Role {
    case portal, fork, inside
  }

  init(_ network: WayNetwork) {
    let links = network.links.elements.indices.filter {
      network.links[$0].kind.contains(.structure) && Int(network.links[$0].original) == $0
    }
    guard !links.isEmpty else { return }
    let roles = Self.roles(links, network)
    passedKnots = roles.filter { $0.value != .portal }.keys.sorted()
    var forkIndices: [Int: Int] = [:]
    var isTaken = Set<Int>()
    for knot in Self.knots(of: links, network) {
      guard let role = roles[knot], role != .inside else { continue }
      let node = Int(network.knotNodes[Int(knot)])
      if role == .fork, forkIndices[node] == nil {
        forkIndices[node] = forks.count
        forks.append(node)
      }
      for end in Self.ends(ofKnot: knot, network) where !isTaken.contains(Int(end >> 1)) {
        trace(from: end, network, roles, &isTaken)
      }
    }
    chainsOfForks = Array(repeating: [], count: forks.count)
    for (index, chain) in chains.enumerated() {
      chains[index].forks = (forkIndices[chain.from], forkIndices[chain.to])
      if let fork = chains[index].forks.from { chainsOfForks[fork].append(index) }
      if let fork = chains[index].forks.to { chainsOfForks[fork].append(index) }
    }
  }

  /// The number of nodes within structures among the first `nodeCount`.
  func innerNodeCount(below nodeCount: Int) -> Int {
    inner.count { $0.node < nodeCount } + forks.count { $0 < nodeCount }
  }

  /// The knots of links in the order of the segments there, so that neither the order of the ways
  /// nor their directions matter.
  private static func knots(of links: [Int], _ network: WayNetwork) -> [UInt32] {
    var knots: [(segment: UInt64, node: UInt32, knot: UInt32)] = []
    for end in links.flatMap({ [UInt32(2 * $0), UInt32(2 * $0 + 1)] }) {
      let knot = network.knot(atEnd: end)
      knots.append((network.segment(atEnd: end), network.knotNodes[Int(knot)], knot))
    }
    return knots.sorted { $0 < $1 }.map(\.knot)
  }

  /// The ends of structures that meet at a knot.
  private static func ends(ofKnot knot: UInt32, _ network: WayNetwork) -> [UInt32] {
    network.ends(ofKnot: knot).filter { network.links[$0.link].kind.contains(.structure) }
      .map(\.index)
  }

  /// The role of each knot of the structures.
  private static func roles(_ links: [Int], _ network: WayNetwork) -> [UInt32: Role] {
    var roles: [UInt32: Role] = [:]
    for first in links where roles[network.links[first].from] == nil {
      // The knots connected by structures, and those of them that a bridge passes.
      var knots = [network.links[first].from]
      var passed: [UInt32] = []
      var hasPortal = false
      var next = 0
      roles[knots[0]] = .inside
      while next < knots.count {
        let knot = knots[next]
        next += 1
        let own = ends(ofKnot: knot, network)
        for other in own.map({ network.knot(atEnd: $0 ^ 1) }) where roles[other] == nil {
          roles[other] = .inside
          knots.append(other)
        }
        let isShared = own.count < network.ends(ofKnot: knot).count
        if isShared, isPassedByBridge(knot, own, network) {
          passed.append(knot)
        } else if isShared || own.count == 1 {
          roles[knot] = .portal
          hasPortal = true
          continue
        }
        if own.count > 2 { roles[knot] = .fork }
      }
      if !hasPortal { for knot in passed { roles[knot] = .portal } }
    }
    return roles
  }

  /// Whether two ends at a knot belong to bridges and are more than 60° apart.
  private static func isPassedByBridge(
    _ knot: UInt32, _ ends: [UInt32], _ network: WayNetwork
  ) -> Bool {
    let start = network.columns.coordinate(network.knotNodes[Int(knot)]).degrees
    let shrinking = longitudeShrinking(atLatitude: start.latitude)
    let directions = ends.filter { network.links[Int($0 >> 1)].kind.contains(.bridge) }
      .prefix(largestDegree).map {
        StraightPairs.direction(
          start, network.columns.coordinate(network.neighbour(atEnd: $0)).degrees, shrinking)
      }
    return directions.indices.contains { first in
      directions[..<first].contains {
        $0.east * directions[first].east + $0.north * directions[first].north < bridgeCosine
      }
    }
  }

  private mutating func trace(
    from start: UInt32, _ network: WayNetwork, _ roles: [UInt32: Role], _ isTaken: inout Set<Int>
  ) {
    let first = Int(network.knotNodes[Int(network.knot(atEnd: start))])
    var chain = Chain(from: first, to: first, metres: 0, inner: inner.count..<inner.count)
    var end = start
    while true {
      isTaken.insert(Int(end >> 1))
      follow(end, &chain, network)
      let knot = network.knot(atEnd: end ^ 1)
      guard roles[knot] == .inside,
        let next = Self.ends(ofKnot: knot, network).first(where: { $0 != end ^ 1 })
      else { break }
      inner.append((chain.to, chain.metres))
      end = next
    }
    chain.inner = chain.inner.lowerBound..<inner.count
    chains.append(chain)
  }

  /// Adds a link to a chain, and the nodes between its knots.
  private mutating func follow(_ end: UInt32, _ chain: inout Chain, _ network: WayNetwork) {
    let link = network.links[Int(end >> 1)]
    let segments = Int(link.first)..<Int(link.last)
    let isForward = end & 1 == 0
    for offset in 0..<segments.count {
      let ref = isForward ? segments.lowerBound + offset : segments.upperBound - 1 - offset
      chain.metres += network.run(ref)
      chain.to = Int(network.columns.refs[isForward ? ref + 1 : ref])
      if offset < segments.count - 1 { inner.append((chain.to, chain.metres)) }
    }
  }

  /// Sets the elevation of every node within a structure; NaN if that of its portals is unknown.
  func interpolate(_ elevations: UnsafeMutableBufferPointer<Float>) {
    let heights = settledForks(elevations)
    for (fork, metres) in zip(forks, heights) { elevations[fork] = Float(metres) }
    for chain in chains {
      let start = chain.forks.from.map { heights[$0] } ?? Double(elevations[chain.from])
      let rise = (chain.forks.to.map { heights[$0] } ?? Double(elevations[chain.to])) - start
      for index in chain.inner {
        let share = chain.metres > 0 ? inner[index].metres / chain.metres : 0.5
        elevations[inner[index].node] = Float(start + share * rise)
      }
    }
  }

  /// The elevations of the forks.
  private func settledForks(_ elevations: UnsafeMutableBufferPointer<Float>) -> [Double] {
    var heights = [Double](repeating: .nan, count: forks.count)
    let work = chainsOfForks.reduce(1) { $0 + $1.count }
    for _ in 0..<min(Self.roundLimit, max(10, Self.workLimit / work)) {
      var largestMove = 0.0
      for index in forks.indices {
        var sum = 0.0
        var weights = 0.0
        for chain in chainsOfForks[index].lazy.map({ chains[$0] }) {
          let isFirst = chain.forks.from == index
          let other = isFirst ? chain.forks.to : chain.forks.from
          let neighbour =
            other.map { heights[$0] } ?? Double(elevations[isFirst ? chain.to : chain.from])
          guard !neighbour.isNaN else { continue }
          let weight = 1 / max(chain.metres, 0.01)
          sum += weight * neighbour
          weights += weight
        }
        guard weights > 0 else { continue }
        let mean = sum / weights
        let move = abs(mean - heights[index])
        largestMove = max(largestMove, move.isNaN ? .infinity : move)
        heights[index] = mean
      }
      if largestMove <= Self.toleranceMetres { break }
    }
    return heights
  }
}
