// SPDX-License-Identifier: Apache-2.0
import TrailData

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
struct Structures {
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
  private struct Chain {
    var from: Int
    var to: Int
    var metres: Double
    /// The nodes between them, as indices into ``Structures/inner``.
    var inner: Range<Int>
  }

  private var chains: [Chain] = []
  private var inner: [(node: Int, metres: Double)] = []
  private var forks: [Int] = []
  /// The chains that begin or end at each fork.
  private var chainsOfForks: [[Int]] = []

  /// The role of a node in a structure.
  private enum Role {
    case portal, fork, inside
  }

  init(_ network: WayNetwork, _ trails: TrailsFile) {
    let segments = network.kinds.indices.filter { network.kinds[$0].contains(.structure) }
    guard !segments.isEmpty else { return }
    let roles = Self.roles(segments, network, trails)
    var forkIndices: [Int: Int] = [:]
    var isTaken = Set<Int>()
    for start in segments.flatMap({ [Int(network.lower[$0]), Int(network.upper[$0])] }) {
      guard let role = roles[start], role != .inside else { continue }
      if role == .fork, forkIndices[start] == nil {
        forkIndices[start] = forks.count
        forks.append(start)
      }
      for segment in Self.segments(ofNode: start, network) where !isTaken.contains(segment) {
        trace(from: start, along: segment, network, roles, &isTaken)
      }
    }
    chainsOfForks = Array(repeating: [], count: forks.count)
    for (index, chain) in chains.enumerated() {
      if let fork = forkIndices[chain.from] { chainsOfForks[fork].append(index) }
      if let fork = forkIndices[chain.to] { chainsOfForks[fork].append(index) }
    }
  }

  /// How many nodes lie within structures.
  var innerNodeCount: Int { inner.count + forks.count }

  /// The segments of structures that meet at a node.
  private static func segments(ofNode node: Int, _ network: WayNetwork) -> [Int] {
    network.segments(ofNode: node).map { Int($0) }
      .filter { network.kinds[$0].contains(.structure) }
  }

  /// The role of each node of the structures.
  private static func roles(_ segments: [Int], _ network: WayNetwork, _ trails: TrailsFile) -> [Int:
    Role]
  {
    var roles: [Int: Role] = [:]
    for first in segments where roles[Int(network.lower[first])] == nil {
      // The nodes connected by structures, and those of them that a bridge passes.
      var nodes = [Int(network.lower[first])]
      var passed: [Int] = []
      var hasPortal = false
      var next = 0
      roles[nodes[0]] = .inside
      while next < nodes.count {
        let node = nodes[next]
        next += 1
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

  /// Whether two segments of a node are bridges and more than 60° apart.
  private static func isPassedByBridge(
    _ node: Int, _ segments: [Int], _ network: WayNetwork, _ trails: TrailsFile
  ) -> Bool {
    let directions = segments.filter { network.kinds[$0].contains(.bridge) }
      .prefix(largestDegree).map {
        Strokes.direction(
          trails.coordinate(node).degrees, trails.coordinate(network.other($0, node)).degrees)
      }
    return directions.indices.contains { first in
      directions[..<first].contains {
        $0.east * directions[first].east + $0.north * directions[first].north < bridgeCosine
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

  /// Sets the elevation of every node within a structure; NaN if that of its portals is unknown.
  func interpolate(_ elevations: inout [Double]) {
    settleForks(&elevations)
    for chain in chains {
      let start = elevations[chain.from]
      let rise = elevations[chain.to] - start
      for index in chain.inner {
        let share = chain.metres > 0 ? inner[index].metres / chain.metres : 0.5
        elevations[inner[index].node] = start + share * rise
      }
    }
  }

  private func settleForks(_ elevations: inout [Double]) {
    for fork in forks { elevations[fork] = .nan }
    let work = chainsOfForks.reduce(1) { $0 + $1.count }
    for _ in 0..<min(Self.roundLimit, max(10, Self.workLimit / work)) {
      var largestMove = 0.0
      for (index, fork) in forks.enumerated() {
        var sum = 0.0
        var weights = 0.0
        for chain in chainsOfForks[index].lazy.map({ chains[$0] }) {
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
