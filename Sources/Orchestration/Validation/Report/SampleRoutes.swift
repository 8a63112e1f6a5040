// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSQLiteKit

/// Routes between a fixed set of points, to see how a change affects them.
struct SampleRoutes {
  /// The number of compared routes.
  static let count = 20
  /// The number of pairs to try, since some have no route with some profiles.
  static let pairLimit = 40
  /// The preferred distance between the points of a pair, in metres.
  static let usualMetres = 1000.0...20_000.0
  /// The number of nodes considered as the partner of a node.
  private static let partnerLimit = 64

  /// Start and destination of a route.
  struct Pair: Equatable, Sendable {
    var start: Coordinate
    var end: Coordinate
  }

  /// The totals of a route that are compared.
  struct Route: Equatable, Sendable {
    var metres: Double
    var cost: Double

    static let zero = Route(metres: 0, cost: 0)

    static func += (sum: inout Route, other: Route) {
      sum.metres += other.metres
      sum.cost += other.cost
    }
  }

  private let engine: RoutingEngine
  private let store: RoutingStore

  /// Opens a database. Throws 65 if it is not a routing database.
  init(_ path: String) throws(CairnError) {
    store = RoutingStore(path: path)
    var engine = RoutingEngine(store: store)
    // The pairs are nodes of the network.
    engine.fixes = [0, 1]
    self.engine = engine
    do throws(RoutingError) { try store.open() } catch { throw Self.failure(error, path) }
  }

  /// Up to `limit` routes with their pairs. An empty profile name means the costs in
  /// `routing_edges`.
  func routes(_ pairs: [Pair], profile: String, limit: Int) throws(CairnError)
    -> [(pair: Pair, route: Route)]
  {
    var found: [(pair: Pair, route: Route)] = []
    for pair in pairs where found.count < limit {
      do throws(RoutingError) {
        let route =
          profile.isEmpty
          ? try engine.findRoute(from: pair.start, to: pair.end)
          : try engine.findRoute(from: pair.start, to: pair.end, profile: profile)
        found.append((pair, Route(metres: route.totalDistance, cost: route.totalCost)))
      } catch {
        switch error {
        case .noRouteFound, .noNearbyNode, .viaPointNotReachable: continue
        default: throw Self.failure(error, store.path)
        }
      }
    }
    return found
  }

  private static func failure(_ error: RoutingError, _ path: String) -> CairnError {
    CairnError(
      .damagedDatabase, .dataError, "cannot be used for routes: \(error)", at: Location(file: path))
  }

  /// The pairs of a database: its nodes in the order of a hash of their ids, each with the first
  /// later one in the same component at the preferred distance.
  static func pairs(of path: String) throws(CairnError) -> [Pair] {
    let network = try Network(path)
    var order = network.ids.indices.map { (hash: mixed(UInt64(bitPattern: network.ids[$0])), $0) }
    order.sort { ($0.hash, $0.1) < ($1.hash, $1.1) }
    var pairs: [Pair] = []
    var isTaken = [Bool](repeating: false, count: order.count)
    for first in order.indices where pairs.count < pairLimit && !isTaken[first] {
      let start = order[first].1
      guard network.isUsable(start) else { continue }
      let after = order[(first + 1)...].prefix(max(partnerLimit, order.count / 16))
      let partners = after.indices.lazy.filter {
        !isTaken[$0] && network.components[order[$0].1] == network.components[start]
      }
      .prefix(partnerLimit)
      let partner =
        partners.first { usualMetres.contains(network.distance(start, order[$0].1)) }
        ?? partners.first { network.distance(start, order[$0].1) > 0 }
      guard let partner else { continue }
      isTaken[partner] = true
      pairs.append(
        Pair(start: network.positions[start], end: network.positions[order[partner].1]))
    }
    return pairs
  }

  /// Nodes and their components by the costs in `routing_edges`.
  private struct Network {
    var ids: [Int64] = []
    var positions: [Coordinate] = []
    var components: [Int32] = []
    private var lengths: [Double] = []
    private var longest = 0.0

    init(_ path: String) throws(CairnError) {
      var budget = ReadBudget(try DatabaseFile(path))
      let connection = try SQLiteConnection(path, .readOnly)
      var findings = Findings()
      let nodes = try NodeRows(connection, &budget, &findings)
      ids = nodes.ids
      positions = nodes.positions
      var union = DisjointSets(count: ids.count)
      var ends: [(node: Int, metres: Double)] = []
      let row = try connection.prepare(
        """
        SELECT from_node, to_node, distance FROM routing_edges
        WHERE cost < 9e999 AND reverse_cost < 9e999
        """)
      while try row.step() {
        guard let from = nodes.index(of: row.integer(0)), let to = nodes.index(of: row.integer(1))
        else { continue }
        union.join(from, to)
        ends.append((from, row.number(2)))
      }
      lengths = [Double](repeating: 0, count: ids.count)
      for end in ends { lengths[union.find(end.node)] += end.metres }
      components = ids.indices.map { Int32(truncatingIfNeeded: union.find($0)) }
      longest = lengths.max() ?? 0
    }

    /// Whether a node is in a component large enough for meaningful routes.
    func isUsable(_ node: Int) -> Bool {
      positions[node].isValid && longest > 0 && lengths[Int(components[node])] >= longest / 100
    }

    func distance(_ one: Int, _ other: Int) -> Double {
      haversineDistance(positions[one], positions[other])
    }
  }
}
