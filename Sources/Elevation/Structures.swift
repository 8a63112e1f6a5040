// SPDX-License-Identifier: Apache-2.0

/// Bridges, tunnels and ferries: there the elevation is not that of the terrain but runs from
/// portal to portal.
///
/// Portals are the nodes of a structure that the rest of the network shares, and its dead ends.
/// Between two of them the elevation is linear by distance, whatever ways the structure is cut
/// into. Where a structure branches, the elevation of the fork is the mean of its neighbours
/// weighted by the inverse of their distance, which is the same line where only two go on
/// (Laplace’s equation on a graph, by Gauß–Seidel).
struct Structures {
  /// So many rounds are made at most, and fewer where there are very many forks.
  private static let roundLimit = 2_000
  private static let workLimit = 50_000_000
  /// The rounds end where no fork moves by more, in metres.
  private static let toleranceMetres = 1e-4

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

  init(_ network: WayNetwork) {
    let segments = network.kinds.indices.filter { network.kinds[$0].contains(.structure) }
    guard !segments.isEmpty else { return }
    var forkNumbers: [Int: Int] = [:]
    var isTaken = Set<Int>()
    for start in segments.flatMap({ [Int(network.lower[$0]), Int(network.upper[$0])] }) {
      guard let isFork = Self.isFork(start, network) else { continue }
      if isFork, forkNumbers[start] == nil {
        forkNumbers[start] = forks.count
        forks.append(start)
      }
      for segment in network.segments(ofNode: start).lazy.map({ Int($0) })
      where network.kinds[segment].contains(.structure) && !isTaken.contains(segment) {
        trace(from: start, along: segment, network, &isTaken)
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

  /// Whether a node of a structure is a fork; false for a portal, nil for what a structure simply
  /// passes through.
  private static func isFork(_ node: Int, _ network: WayNetwork) -> Bool? {
    let segments = network.segments(ofNode: node)
    let isPortal =
      segments.count == 1 || segments.contains { !network.kinds[Int($0)].contains(.structure) }
    return isPortal ? false : segments.count > 2 ? true : nil
  }

  private mutating func trace(
    from start: Int, along first: Int, _ network: WayNetwork, _ isTaken: inout Set<Int>
  ) {
    var chain = Chain(from: start, to: start, metres: 0, inner: inner.count..<inner.count)
    var segment = first
    while true {
      isTaken.insert(segment)
      chain.metres += network.metres[segment]
      chain.to = network.other(segment, chain.to)
      let next = network.segments(ofNode: chain.to).first { Int($0) != segment }
      guard Self.isFork(chain.to, network) == nil, let next else { break }
      inner.append((chain.to, chain.metres))
      segment = Int(next)
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
