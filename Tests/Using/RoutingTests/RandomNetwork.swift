// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport

/// A database with only the core tables and random edges: one-ways, closed ones, parallel ones,
/// loops, islands, edges of barriers that cost next to nothing, and many of equal cost.
struct RandomNetwork {
  let folder: TemporaryFolder
  let store: RoutingStore
  let nodes: Int

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = Int.random(in: 2...90, using: &random)
    self.nodes = nodes
    var statements: [String] = []
    for id in 1...nodes {
      let (x, y) = (
        Double.random(in: 0...0.05, using: &random), Double.random(in: 0...0.05, using: &random)
      )
      statements.append(
        "INSERT INTO routing_nodes VALUES (\(id), \(42 + y), \(1 + x), \(id % 7 == 0 ? "NULL" : "900"))"
      )
    }
    let hasTies = seed % 3 == 0
    func cost() -> String {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: return "0.001"
      case 1: return "9e999"
      default:
        return hasTies
          ? "\(Int.random(in: 1...4, using: &random))"
          : "\(Double.random(in: 1...1000, using: &random))"
      }
    }
    for _ in 0..<nodes * Int.random(in: 1...3, using: &random) {
      let from = Int.random(in: 1...nodes, using: &random)
      // Mostly to a nearby node, so that nodes differ in importance.
      let near = from + Int.random(in: -5...5, using: &random)
      let isFar = !(1...nodes).contains(near) || Int.random(in: 0..<8, using: &random) == 0
      let to = isFar ? Int.random(in: 1...nodes, using: &random) : near
      let isOneway = Int.random(in: 0..<4, using: &random) == 0
      statements.append(
        """
        INSERT INTO routing_edges (from_node, to_node, distance, cost, reverse_cost, is_oneway)
        VALUES (\(from), \(to), \(Int.random(in: 0...900, using: &random)), \(cost()),
          \(isOneway ? "9e999" : cost()), \(isOneway ? 1 : 0))
        """)
    }
    folder = try TemporaryFolder()
    store = RoutingStore(path: try plainDatabase(in: folder, filledBy: statements))
    try store.open()
  }
}
