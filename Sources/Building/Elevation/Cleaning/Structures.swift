// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Bridges, tunnels and ferries: there the elevation is not that of the terrain but runs from
/// portal to portal.
///
/// Portals are the nodes of a structure that the rest of the network shares, and its dead ends:
/// where a tunnel comes to daylight, where a ferry calls at a pier. A bridge is different, for
/// stairs and ramps lead up to its middle, where the ground lies below: a node that two segments of
/// bridges leave more than 60° apart is no portal, whatever else meets there. (Two bridges that
/// leave closer together begin at one abutment.) So an island that two bridges share as a node is
/// passed on the line between the outer banks. A structure where no portal would be left, such as a
/// ring of foot-bridges, has all nodes that the rest of the network shares.
///
/// Between two portals the elevation is linear by distance, whatever ways the structure is cut into.
/// Where a structure branches, the elevation of the fork is the mean of its neighbours weighted by
/// the inverse of their distance, which is the same line where only two go on (Laplace’s equation
/// on a graph, by Gauß–Seidel).
struct Structures {
  /// So many rounds are made at most, and fewer where there are very many forks.
  private static let roundLimit = 2_000
  private static let workLimit = 50_000_000
  /// The rounds end where no fork moves by more, in metres.
  private static let toleranceMetres = 1e-4

  /// The cosine of the least angle, 60°, between two bridges that are one.
  private static let nearestCosine = 0.5
  /// Of so many segments at a node the directions are compared.
  private static let largestDegree = 16

  /// A piece of structure between two nodes that are portals or forks.
  private struct Chain {
    var from: Int
    var to: Int
    var metres: Double
    /// The nodes between them, as places in ``Structures/inner``.
    var inner: Range<Int>
  }

  private var chains: [Chain] = []
  private var inner: [(node: Int, metres: Double)] = []
  private var forks: [Int] = []
  /// The chains that begin or end at each fork.
  private var chainsOfForks: [[Int]] = []

  /// What a node of a structure is to it.
  private enum Role {
    case portal, fork, inside
  }

  init(_ network: WayNetwork, _ trails: TrailsFile) {
    let segments = network.kinds.indices.filter { network.kinds[$0].contains(.structure) }
    guard !segments.isEmpty else { return }
    let roles = Self.roles(segments, network, trails)
    var forkNumbers: [Int: Int] = [:]
    var isTaken = Set<Int>()
    for start in segments.flatMap({ [Int(network.lower[$0]), Int(network.upper[$0])] }) {
      guard let role = roles[start], role != .inside else { continue }
      if role == .fork, forkNumbers[start] == nil {
        forkNumbers[start] = forks.count
        forks.append(start)
      }
      for segment in Self.segments(ofNode: start, network) where !isTaken.contains(segment) {
        trace(from: start, along: segment, network, roles, &isTaken)
      }
    }
    chainsOfForks = Array(repeating: [], count: forks.count)
    for (number, chain) in chains.enumerated() {
      if let fork = forkNumbers[chain.from] { chainsOfForks[fork].append(number) }
      if let fork = forkNumbers[chain.to] { chainsOfForks[fork].append(number) }
    }
  }

  /// How many nodes lie inside of structures.
  var innerNodeCount: Int { inner.count + forks.count }

  /// The segments of structures that meet at a node.
  private static func segments(ofNode node: Int, _ network: WayNetwork) -> [Int] {
    network.segments(ofNode: node).map { Int($0) }
      .filter { network.kinds[$0].contains(.structure) }
  }

  /// What each node of the structures is.
  private static func roles(_ segments: [Int], _ network: WayNetwork, _ trails: TrailsFile) -> [Int:
    Role]
  {
    var roles: [Int: Role] = [:]
    for first in segments where roles[Int(network.lower[first])] == nil {
      // All nodes that hang together by structures, and those that bridges pass.
      var nodes = [Int(network.lower[first])]
      var passed: [Int] = []
      var hasPortal = false
      var place = 0
      roles[nodes[0]] = .inside
      while place < nodes.count {
        let node = nodes[place]
        place += 1
        let own = Self.segments(ofNode: node, network)
        for other in own.lazy.map({ network.other($0, node) }) where roles[other] == nil {
          roles[other] = .inside
          nodes.append(other)
        }
        let isShared = own.count < network.segments(ofNode: node).count
        if isShared, isPassedByBridge(node, own, network, trails) {
          passed.append(node)
        } else if isShared || own.count == 1 {
          roles[node] = .portal
          hasPortal = true
          continue
        }
        if own.count > 2 { roles[node] = .fork }
      }
      if !hasPortal { for node in passed { roles[node] = .portal } }
    }
    return roles
  }

  /// Whether two of a node’s segments are bridges and leave it more than 60° apart.
  private static func isPassedByBridge(
    _ node: Int, _ segments: [Int], _ network: WayNetwork, _ trails: TrailsFile
  ) -> Bool {
    let directions = segments.filter { network.kinds[$0].contains(.bridge) }
      .prefix(largestDegree).map {
        Strokes.direction(
          trails.position(node).degrees, trails.position(network.other($0, node)).degrees)
      }
    return directions.indices.contains { first in
      directions[..<first].contains {
        $0.east * directions[first].east + $0.north * directions[first].north < nearestCosine
      }
    }
  }

  private mutating func trace(
    from start: Int, along first: Int, _ network: WayNetwork, _ roles: [Int: Role],
    _ isTaken: inout Set<Int>
  ) {
    var chain = Chain(from: start, to: start, metres: 0, inner: inner.count..<inner.count)
    var segment = first
    while true {
      isTaken.insert(segment)
      chain.metres += network.metres[segment]
      chain.to = network.other(segment, chain.to)
      guard roles[chain.to] == .inside,
        let next = Self.segments(ofNode: chain.to, network).first(where: { $0 != segment })
      else { break }
      inner.append((chain.to, chain.metres))
      segment = next
    }
    chain.inner = chain.inner.lowerBound..<inner.count
    chains.append(chain)
  }

  /// Gives every node inside of a structure its elevation, unknown where that of the portals is.
  func interpolate(_ elevations: inout [Double]) {
    settleForks(&elevations)
    for chain in chains {
      let start = elevations[chain.from]
      let rise = elevations[chain.to] - start
      for place in chain.inner {
        let share = chain.metres > 0 ? inner[place].metres / chain.metres : 0.5
        elevations[inner[place].node] = start + share * rise
      }
    }
  }

  private func settleForks(_ elevations: inout [Double]) {
    for fork in forks { elevations[fork] = .nan }
    let work = chainsOfForks.reduce(1) { $0 + $1.count }
    for _ in 0..<min(Self.roundLimit, max(10, Self.workLimit / work)) {
      var largestMove = 0.0
      for (number, fork) in forks.enumerated() {
        var sum = 0.0
        var weights = 0.0
        for chain in chainsOfForks[number].lazy.map({ chains[$0] }) {
          let neighbour = elevations[chain.from == fork ? chain.to : chain.from]
          guard !neighbour.isNaN else { continue }
          let weight = 1 / max(chain.metres, 0.01)
          sum += weight * neighbour
          weights += weight
        }
        guard weights > 0 else { continue }
        let mean = sum / weights
        let move = abs(mean - elevations[fork])
        largestMove = max(largestMove, move.isNaN ? .infinity : move)
        elevations[fork] = mean
      }
      if largestMove <= Self.toleranceMetres { break }
    }
  }
}
