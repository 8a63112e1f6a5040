// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase

/// What has changed between two bundles of a region, or between two routing databases.
package struct BundleComparison: Sendable {
  /// The databases of one side.
  package struct Side: Sendable {
    /// What a person calls the region.
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

  /// What is known of one side as a whole.
  package struct Overview: Sendable {
    /// The time of the OpenStreetMap data, ISO 8601, if it is known.
    package var dataTimestamp: String?
    /// The profile that says what is closed, and what it was computed by.
    package var profile: String?
    var profileFingerprint: String?
    /// The length of all ways.
    package var metres: Double
    /// The length of those on which one walks or rides.
    package var trailMetres: Double
  }

  /// The metres that a line may lie beside another one and still be the same.
  package static let standardTolerance = 10.0

  /// The name of the region.
  package let name: String
  package let old: Overview
  package let new: Overview
  package let toleranceMetres: Double
  /// What has changed on ways, by kind, trails before roads, the longest first.
  package private(set) var ways: [NetworkChange]
  /// Waymarked routes; nil where a side has no database for search.
  package let routes: [RouteChange]?
  /// Places; nil where a side has no database of them.
  package let places: [PlaceChange]?

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    ways.isEmpty && (routes ?? []).isEmpty && (places ?? []).isEmpty
  }

  /// Whether what is closed may have changed because the profile did.
  package var hasOtherProfile: Bool { old.profileFingerprint != new.profileFingerprint }

  /// Compares. Throws 66 if a database cannot be read, and 65 if it is damaged or something else.
  ///
  /// - Parameter toleranceMetres: How far a line may lie beside another one and still be the same; more
  ///   than 0.
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
    // What only one side has a database of would all be added or removed.
    let entries = { (side: Side) throws(CairnError) in
      try PlaceEntries(
        waypoints: hasWaypoints ? side.waypoints : nil, search: hasPlaces ? side.places : nil)
    }
    let (earlier, present) = (try entries(old), try entries(new))
    routes = hasPlaces ? RouteComparison.changes(earlier, present) : nil
    places = hasPlaces || hasWaypoints ? PlaceComparison.changes(earlier, present) : nil
    nameNeighbourhoods(present.landmarks)
  }

  /// How far away a place may be that something is said to be near.
  private static let neighbourhoodMetres = 2500.0

  /// Says of ways without a name what they are near.
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
