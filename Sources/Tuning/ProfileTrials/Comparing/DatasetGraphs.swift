// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CostModel
import TuningSuites

/// A database in memory with the graphs of some profiles, whose costs are recomputed.
package struct DatasetGraphs: Sendable {
  /// The nodes and edges.
  package let network: RoadNetwork
  /// The graph of the profile with which the database was built first, independent of the
  /// candidates.
  package let stored: ProfileGraph
  /// The graphs of the tried profiles, in their order.
  package let graphs: [ProfileGraph]
  /// The classes of the edges' ways.
  let classes: EdgeClasses
  /// The bounding box of the data, if the database states it.
  let box: BoundingBox?

  /// Reads a database and prices it by profiles. Throws 66 and 65 if it cannot be read or used, and
  /// 65 if it lacks the tags for pricing its ways.
  package init(_ path: String, _ profiles: [CostProfile]) throws(CairnError) {
    let (prices, stored, box) = try Self.priced(path)
    network = prices.network
    self.stored = stored
    self.box = box
    var graphs: [ProfileGraph] = []
    for profile in profiles { graphs.append(try prices.graph(of: profile)) }
    self.graphs = graphs
    classes = EdgeClasses(network, prices.tags, mode: profiles.first?.mode ?? .hiking)
  }

  /// Reads the inputs for pricing a database, the graph of its first profile, and the bounding box
  /// of its data. Throws 66 and 65 if it cannot be read or used.
  package static func priced(_ path: String) throws(CairnError) -> (
    prices: TrialPrices, stored: ProfileGraph, box: BoundingBox?
  ) {
    let (prices, stored, box) = try RoutingStore.reading(path) { store throws(RoutingError) in
      let network = try RoadNetwork(reading: store)
      let first = try store.profileNames().first
      return (
        try TrialPrices(network, reading: store),
        try ProfileGraph(network, profile: first, reading: store),
        try store.metadata()[RoutingMetadataKey.boundingBox].flatMap {
          BoundingBox(commandLine: $0)
        }
      )
    }
    guard let prices else {
      throw CairnError(
        "no-tags", .dataError, "lacks the tags needed to compute costs",
        at: Location(file: path), hint: "rebuild it with this version of Cairn")
    }
    return (prices, stored, box)
  }

  /// An engine for each of the profiles; their names need not differ.
  package var engines: [RoutingEngine] { graphs.map { RoutingEngine(graphs: [$0]) } }
}

extension RoutingEngine {
  /// Finds a route through the points of a trip by the only profile of an engine.
  package func findRoute(_ trip: TuningSuite.Trip, _ graph: ProfileGraph) throws(RoutingError)
    -> ComputedRoute
  {
    guard let start = trip.points.first, let end = trip.points.last, trip.points.count > 1 else {
      throw .noRouteFound(exploredNodes: 0, closestApproachMetres: 0)
    }
    return try findRoute(
      from: start, to: end, via: Array(trip.points.dropFirst().dropLast()),
      profile: graph.profile ?? "")
  }
}
