// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase

/// The changes between two bundles of a region, or between two routing databases.
package struct BundleComparison: Sendable {
  /// The databases of one side.
  package struct Side: Sendable {
    /// The display name of the region.
    package var name: String?
    package var routingDatabase: String
    package var waypoints: String?
    package var places: String?

    /// Describes one side.
    package init(
      name: String? = nil, routingDatabase: String, waypoints: String? = nil,
      places: String? = nil
    ) {
      self.name = name
      self.routingDatabase = routingDatabase
      self.waypoints = waypoints
      self.places = places
    }
  }

  /// The overall figures of one side.
  package struct Overview: Sendable {
    /// The time of the OpenStreetMap data, ISO 8601, if known.
    package var dataTimestamp: String?
    /// The profile that decides which ways are closed, and the program that made it.
    package var profile: String?
    var profileFingerprint: String?
    /// The length of all ways.
    package var metres: Double
    /// The length of ways for walking or riding.
    package var trailMetres: Double
  }

  /// The distance in metres between two lines up to which they are the same.
  package static let standardTolerance = 10.0

  /// The name of the region.
  package let name: String
  package let old: Overview
  package let new: Overview
  package let toleranceMetres: Double
  /// The changes on ways, by kind, trails before roads, longest first.
  package private(set) var ways: [NetworkChange]
  /// Waymarked routes; nil if a side has no database for search.
  package let routes: [RouteChange]?
  /// Places; nil if a side has no database of them.
  package let places: [PlaceChange]?

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    ways.isEmpty && (routes ?? []).isEmpty && (places ?? []).isEmpty
  }

  /// Whether closures may have changed because the profile did.
  package var hasOtherProfile: Bool { old.profileFingerprint != new.profileFingerprint }

  /// Compares two sides. Throws 66 if a database cannot be read, and 65 if it is damaged or
  /// something else.
  ///
  /// - Parameter toleranceMetres: The distance between two lines up to which they are the same;
  ///   more than 0.
  package init(_ old: Side, _ new: Side, toleranceMetres: Double = standardTolerance)
    throws(CairnError)
  {
    var table = TraitTable()
    let before = try ComparedNetwork(old.routingDatabase, &table)
    let now = try ComparedNetwork(new.routingDatabase, &table)
    var comparison = NetworkComparison(before, now, table, toleranceMetres: toleranceMetres)
    ways = comparison.changes()
    self.toleranceMetres = toleranceMetres
    name =
      new.name ?? now.metadata[RoutingMetadataKey.regionName] ?? old.name
      ?? now.metadata[RoutingMetadataKey.regionID] ?? "Region"
    self.old = Overview(before, table)
    self.new = Overview(now, table)
    let hasPlaces = old.places != nil && new.places != nil
    let hasWaypoints = old.waypoints != nil && new.waypoints != nil
    // With a database on only one side, everything in it would be added or removed.
    let entries = { (side: Side) throws(CairnError) in
      try PlaceEntries(
        waypoints: hasWaypoints ? side.waypoints : nil, search: hasPlaces ? side.places : nil)
    }
    let (earlier, present) = (try entries(old), try entries(new))
    routes = hasPlaces ? RouteComparison.changes(earlier, present) : nil
    places = hasPlaces || hasWaypoints ? PlaceComparison.changes(earlier, present) : nil
    nameNeighbourhoods(present.landmarks)
  }

  /// The distance of a place up to which something counts as near it.
  private static let neighbourhoodMetres = 2500.0

  /// Adds nearby places to unnamed ways.
  private mutating func nameNeighbourhoods(_ landmarks: [PlaceEntry]) {
    guard !landmarks.isEmpty else { return }
    let grid = DistanceGrid(metres: Self.neighbourhoodMetres)
    let squares = Dictionary(grouping: landmarks) { grid.square(of: $0.coordinate) }
    for index in ways.indices where ways[index].name == nil {
      guard let middle = ways[index].middle else { continue }
      var best: (metres: Double, name: String) = (Self.neighbourhoodMetres, "")
      grid.forEachNeighbour(of: middle) { range in
        for place in range.flatMap({ squares[$0] ?? [] }) {
          let metres = haversineDistance(middle, place.coordinate)
          if metres < best.metres { best = (metres, place.name) }
        }
      }
      if !best.name.isEmpty { ways[index].near = best.name }
    }
  }
}

extension BundleComparison.Overview {
  fileprivate init(_ network: ComparedNetwork, _ table: TraitTable) {
    let known = { (key: String) -> String? in
      let value = network.metadata[key]
      return value == "unknown" ? nil : value
    }
    dataTimestamp = known(RoutingMetadataKey.osmDataDate)
    profile = known(RoutingMetadataKey.profile)
    profileFingerprint = known(RoutingMetadataKey.profileFingerprint)
    metres = network.metres
    trailMetres = network.lines.reduce(0) {
      $0 + (table[$1.traits].isTrail ? $1.metres : 0)
    }
  }
}
