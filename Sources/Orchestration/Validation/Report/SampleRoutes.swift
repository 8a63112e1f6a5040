// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase
import SQLiteKit

/// Routes between a fixed set of places, to see what a change does to them.
struct SampleRoutes {
  /// How many routes are compared.
  static let count = 20
  /// How many pairs there are to choose from, since some have no route by some profile.
  static let pairLimit = 40
  /// How far apart the places of a pair lie, where there are such, in metres.
  static let usualMetres = 1000.0...20_000.0
  /// How many nodes are looked at for a partner.
  private static let partnerLimit = 64

  /// Two places.
  struct Pair: Equatable, Sendable {
    var start: Coordinate
    var end: Coordinate
  }

  /// What is compared of a route.
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

  /// Opens a database. Throws 65 if it is no routing database.
  init(_ path: String) throws(CairnError) {
    store = RoutingStore(path: path)
    engine = RoutingEngine(store: store)
    do throws(RoutingError) { try store.open() } catch { throw Self.failure(error, path) }
  }

  /// The routes that there are, up to a number of them, with the pairs that they belong to. A
  /// profile without a name stands for the contract's columns.
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

  /// The pairs of a database: its nodes in the order of a hash of their ids, each with the first of
  /// those after it that hangs together with it and lies at a usual distance.
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
        !isTaken[$0] && network.parts[order[$0].1] == network.parts[start]
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

  /// Nodes and the parts that they belong to by the contract's costs.
  private struct Network {
    var ids: [Int64] = []
    var positions: [Coordinate] = []
    var parts: [Int32] = []
    private var lengths: [Double] = []
    private var longest = 0.0

    init(_ path: String) throws(CairnError) {
      let connection = try SQLiteConnection(path, .readOnly)
      var findings = Findings()
      let nodes = try NodeRows(connection, &findings)
      ids = nodes.ids
      positions = nodes.positions
      var components = Components(nodeCount: ids.count)
      var ends: [(node: Int, metres: Double)] = []
      let row = try connection.prepare(
        """
        SELECT from_node, to_node, distance FROM routing_edges
        WHERE cost < 9e999 AND reverse_cost < 9e999
        """)
      while try row.step() {
        guard let from = nodes.place(of: row.integer(0)), let to = nodes.place(of: row.integer(1))
        else { continue }
        components.join(from, to)
        ends.append((from, row.number(2)))
      }
      lengths = [Double](repeating: 0, count: ids.count)
      for end in ends { lengths[components.find(end.node)] += end.metres }
      parts = ids.indices.map { Int32(truncatingIfNeeded: components.find($0)) }
      longest = lengths.max() ?? 0
    }

    /// Whether routes between a node and others tell something: not those on small islands.
    func isUsable(_ node: Int) -> Bool {
      positions[node].isValid && longest > 0 && lengths[Int(parts[node])] >= longest / 100
    }

    func distance(_ one: Int, _ other: Int) -> Double {
      haversineDistance(positions[one], positions[other])
    }
  }
}
