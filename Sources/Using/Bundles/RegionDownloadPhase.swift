// SPDX-License-Identifier: Apache-2.0

/// The work in progress for a region, in the few phases that a list of downloads shows.
///
/// A run reports its stages, which are finer.
public enum RegionDownloadPhase: String, Hashable, Sendable, Codable, CaseIterable {
  /// The data of OpenStreetMap is downloaded and read.
  case downloadingTrailData
  /// The elevation tiles are downloaded and looked up.
  case downloadingElevation
  /// The network, its costs and the checks on both.
  case buildingRoutingGraph
  /// Waypoints and the database for search.
  case indexingPlaces
  /// The map tiles.
  case downloadingTiles
  /// The bundle is put together and replaces the previous one.
  case publishing

  /// The phase of a stage, by the stage's name in the events and records of a run, such as
  /// `build-graph`; nil for a stage that the manifest defines.
  public init?(stage: String) {
    // The stages of a variant, or of one kind of tiles, append its name after a plus sign.
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
