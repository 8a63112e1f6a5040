// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase
import TestSupport
import Testing

/// A random grid of paths, some of them steep, closed or one-way, and the costs between all its
/// nodes by a search that is slow and plainly right.
private struct RandomGrid {
  let folder: TemporaryFolder
  let store: RoutingStore
  let nodes: [RoutingNode]

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw")
    let side = Int.random(in: 3...7, using: &random)
    let drawing = (0..<side).map { row in
      String(letters[row * side..<(row + 1) * side].flatMap { [$0, "-"] })
    }.joined(separator: "\n\n")
    var ways: [AsciiMap.Way] = []
    func addWay(_ from: Int, _ to: Int) {
      guard Int.random(in: 0..<10, using: &random) > 1 else { return }
      ways.append(.init("\(letters[from])\(letters[to])", tags: Self.tags(using: &random)))
    }
    for row in 0..<side {
      for column in 0..<side {
        let place = row * side + column
        if column + 1 < side { addWay(place, place + 1) }
        if row + 1 < side { addWay(place + side, place) }
        if column + 1 < side, row + 1 < side, Bool.random(using: &random) {
          addWay(place, place + side + 1)
        }
      }
    }
    var elevations: [Character: Float] = [:]
    for letter in letters.prefix(side * side) where Int.random(in: 0..<8, using: &random) > 0 {
      elevations[letter] = Float.random(in: 800..<1000, using: &random)
    }
    let map = AsciiMap(drawing, ways: ways, elevations: elevations)
    folder = try TemporaryFolder()
    store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    nodes = try store.getNodesInBoundingBox(.world)
  }

  private static func tags(using random: inout SeededGenerator) -> [String: String] {
    var tags = [
      "highway": ["path", "track", "steps", "residential"].randomElement(using: &random) ?? ""
    ]
    tags["surface"] = ["asphalt", "gravel", "mud", nil].randomElement(using: &random) ?? nil
    tags["sac_scale"] = [nil, nil, "alpine_hiking"].randomElement(using: &random) ?? nil
    tags["oneway"] = [nil, nil, "yes", "-1"].randomElement(using: &random) ?? nil
    tags["access"] = [nil, nil, nil, nil, "private"].randomElement(using: &random) ?? nil
    return tags
  }

  /// The least costs from a node to all that it reaches, by Dijkstra's algorithm without a heap.
  func costs(from start: Int64, _ mode: RoutingMode) throws -> [Int64: Double] {
    var best: [Int64: Double] = [start: 0]
    var settled: Set<Int64> = []
    while let next = best.filter({ !settled.contains($0.key) }).min(by: { $0.value < $1.value }) {
      settled.insert(next.key)
      for edge in try store.getEdgesFrom(next.key, profile: mode.rawValue) {
        best[edge.toNode] = min(best[edge.toNode] ?? .infinity, next.value + edge.cost)
      }
    }
    return best
  }
}

@Suite("A* finds what Dijkstra finds")
struct DijkstraTests {
  @Test("equal costs, or equally no route, on random grids", arguments: RoutingMode.allCases)
  func equalCosts(mode: RoutingMode) throws {
    var routes = 0
    for seed in 0..<50 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      var random = SeededGenerator(seed: seed + 1000)
      for _ in 0..<10 {
        // Whoever stands at a node without a way is led to another one: those are left out.
        let ends = try grid.nodes.filter {
          try grid.store.nearestNode(to: $0.coordinate, profile: mode.rawValue) == $0
        }
        guard let start = ends.randomElement(using: &random),
          let end = ends.randomElement(using: &random)
        else { continue }
        let expected = try grid.costs(from: start.id, mode)[end.id]
        let found = try cost(grid, start, end, mode)
        switch (expected, found) {
        case (nil, nil): break
        case (.some(let expected), .some(let found)):
          #expect(
            abs(found - expected) <= 1e-9 * expected, "seed \(seed), \(start.id) to \(end.id)")
          routes += 1
        default:
          Issue.record(
            "seed \(seed), \(start.id) to \(end.id): \(expected ?? -1) and \(found ?? -1)")
        }
      }
    }
    #expect(routes > 100)
  }

  private func cost(
    _ grid: RandomGrid, _ start: RoutingNode, _ end: RoutingNode, _ mode: RoutingMode
  )
    throws -> Double?
  {
    do throws(RoutingError) {
      return try RoutingEngine(store: grid.store)
        .findRoute(from: start.coordinate, to: end.coordinate, mode: mode).totalCost
    } catch {
      guard case .noRouteFound = error else { throw error }
      return nil
    }
  }

  @Test(
    "a false bound in the metadata ends the search all the same", arguments: ["1e6", "-5", "inf"])
  func falseBound(text: String) throws {
    let grid = try RandomGrid(seed: 7)
    grid.store.close()
    try changeDatabase(
      grid.store.path,
      ["UPDATE routing_profiles SET min_cost_per_metre = \(text == "inf" ? "9e999" : text)"])
    try grid.store.open()
    for end in grid.nodes { _ = try? cost(grid, grid.nodes[0], end, .hiking) }
  }
}
