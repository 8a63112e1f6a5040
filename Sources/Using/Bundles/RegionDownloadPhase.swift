// SPDX-License-Identifier: Apache-2.0

/// What is being done for a region, in the few words that a list of downloads shows.
///
/// A run names the stages that it is in, of which there are more.
public enum RegionDownloadPhase: String, Hashable, Sendable, Codable, CaseIterable {
  /// The data of OpenStreetMap is downloaded and read.
  case downloadingTrailData
  /// The elevation tiles are downloaded and looked up.
  case downloadingElevation
  /// The network, its costs and what is checked about them.
  case buildingRoutingGraph
  /// Waypoints and the database for search.
  case indexingPlaces
  /// The map tiles.
  case downloadingTiles
  /// The bundle is put together and takes the place of the one before.
  case publishing

  /// The phase that a stage of a run belongs to, by its name in the events and records of the run, such
  /// as `build-graph`; nil for a stage of the manifest's own.
  public init?(stage: String) {
    // The stages of a variant, and of one kind of tiles, have that behind a plus sign.
    switch stage.split(separator: "+").first.map(String.init) ?? stage {
    case "fetch", "decode-pbf", "parse-overpass": self = .downloadingTrailData
    case "sample-elevation": self = .downloadingElevation
    case "build-graph", "compute-costs", "validate": self = .buildingRoutingGraph
    case "collect-places", "validate-waypoints", "index-places", "validate-places":
      self = .indexingPlaces
    case "build-tiles", "validate-tiles": self = .downloadingTiles
    case "publish": self = .publishing
    default: return nil
    }
  }
}
