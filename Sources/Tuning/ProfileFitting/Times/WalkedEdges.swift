// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPX
import CairnMapMatching
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import ProfileTrials
import TuningSuites

/// Finds the edges of a database that walks followed.
struct WalkedEdges {
  /// The id of the dataset.
  let dataset: String
  /// The path of the database.
  let path: String
  private let store: RoutingStore
  private let graph: ProfileGraph
  private let engine: RoutingEngine
  private let matcher: MapMatcher
  private let date: CalendarDate?

  /// Prices an open database by a profile. Throws a `RoutingError` or a ``CairnError``.
  init(_ store: RoutingStore, _ profile: CostProfile, dataset: String) throws {
    guard
      let prices = try TrialPrices(try RoadNetwork(reading: store), reading: store)
    else {
      throw CairnError(
        "no-tags", .dataError, "lacks the tags needed to compute costs",
        at: Location(file: store.path), hint: "rebuild it with this version of Cairn")
    }
    (self.dataset, self.store, path) = (dataset, store, store.path)
    graph = try prices.graph(of: profile)
    engine = RoutingEngine(graphs: [graph])
    matcher = MapMatcher(graph)
    var date = try store.metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    date?.isSouthern = try store.isSouthern()
    self.date = date
  }

  /// The stretches of the route of a trip.
  func stretches(of trip: TuningSuite.Trip, _ walks: inout TimedWalks) throws
    -> [TimedWalk.Stretch]
  {
    guard let start = trip.points.first, let end = trip.points.last else { return [] }
    let route = try engine.findRoute(
      from: start, to: end, via: Array(trip.points.dropFirst().dropLast()),
      profile: graph.profile ?? "")
    return try route.edges.filter { $0.distance > 0 }.map { edge in
      var stretch = TimedWalk.Stretch(
        distance: edge.part?.wholeDistance ?? edge.distance,
        up: edge.part?.wholeElevationGain ?? edge.elevationGain,
        down: edge.part?.wholeElevationLoss ?? edge.elevationLoss)
      stretch.share = edge.part?.shares.time ?? 1
      stretch.isReversed = edge.isReversed
      if edge.highwayType == TagSelection.ferryRoute {
        stretch.ferrySeconds = (edge.duration ?? 0) / max(stretch.share, 1e-9)
      }
      stretch.tagSet = try tagSet(edge.id, &walks)
      return stretch
    }
  }

  /// The stretches followed by a track; nil if too little of it lies on ways.
  func stretches(of line: GPXFile.Line, _ walks: inout TimedWalks) throws -> [TimedWalk.Stretch]? {
    let matched: MatchedTrack
    do throws(MapMatchingError) {
      matched = try matcher.match(line.points.map { MatchingFix($0) })
    } catch { return nil }
    guard matched.matchedShareOfLength ?? 0 >= TimedWalks.leastMatchedShare else { return nil }
    var stretches: [TimedWalk.Stretch] = []
    for edge in matched.stretches.flatMap(\.edges) where edge.lengthMetres > 0 {
      guard let index = graph.network.index(ofEdge: edge.edge) else { continue }
      let row = graph.network.edges[index]
      let (up, down) =
        edge.isReversed
        ? (row.elevationLoss, row.elevationGain) : (row.elevationGain, row.elevationLoss)
      var stretch = TimedWalk.Stretch(distance: row.distance, up: up, down: down)
      stretch.share = min(max(abs(edge.toShare - edge.fromShare), 0), 1)
      stretch.isReversed = edge.isReversed
      stretch.tagSet = try tagSet(edge.edge, &walks)
      stretches.append(stretch)
    }
    return stretches.isEmpty ? nil : stretches
  }

  private func tagSet(_ edge: Int64, _ walks: inout TimedWalks) throws(RoutingError) -> Int? {
    try store.tags(ofEdge: edge).map { walks.index(ofTags: $0.way, on: date) }
  }
}
