// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Tiles
import TrailData

/// The ways as features of the layer `trails`.
struct WayFeatures {
  static let layer = "trails"
  /// The tags that become properties of the same names.
  private static let tags: [FeatureTable.Property] = [
    .init(key: "highway", zoom: 0), .init(key: "name", zoom: 12), .init(key: "ref", zoom: 9),
    .init(key: "surface", zoom: 13), .init(key: "sac_scale", zoom: 10),
    .init(key: "trail_visibility", zoom: 12), .init(key: "access", zoom: 13),
    .init(key: "foot", zoom: 13), .init(key: "bicycle", zoom: 13),
  ]
  /// The properties from the most important route along them.
  private static let ofRoutes: [FeatureTable.Property] = [
    .init(key: "network", zoom: 0), .init(key: "symbol", zoom: 11),
    .init(key: "route", zoom: 13), .init(key: "route_ref", zoom: 11),
  ]
  static let properties = tags + ofRoutes

  /// The set of each way in ``table``.
  private(set) var sets: [UInt32] = []
  /// The first zoom of each way.
  private(set) var zooms: [UInt8] = []
  var table: FeatureTable

  init(_ trails: TrailsFile, _ routes: RouteFeatures, _ texts: inout TextValues) {
    table = FeatureTable(Self.properties, &texts.vocabulary)
    let strings = trails.strings
    // For each text the property whose key it is.
    var slots = [UInt8](repeating: .max, count: strings.count)
    for (index, property) in Self.tags.enumerated() {
      if let key = strings.index(of: property.key) { slots[Int(key)] = UInt8(index) }
    }
    var zoomOfHighway = [UInt8](repeating: UInt8(ZoomRules.otherWays), count: strings.count)
    for (zoom, highways) in ZoomRules.ways {
      for text in highways.compactMap({ strings.index(of: $0) }) {
        zoomOfHighway[Int(text)] = UInt8(zoom)
      }
    }
    let ferry = texts.vocabulary.value(ZoomRules.ferry)
    let ferryZoom = ZoomRules.ways.first { $0.highways.contains(ZoomRules.ferry) }?.zoom
    sets.reserveCapacity(trails.wayIDs.count)
    zooms.reserveCapacity(trails.wayIDs.count)
    for way in trails.wayIDs.indices {
      var values = FeatureTable.empty
      var zoom = UInt8(ferryZoom ?? ZoomRules.otherWays)
      for tag in trails.wayTags.tags(of: way) {
        let slot = slots[Int(trails.wayTags.key(tag))]
        guard slot != .max else { continue }
        let text = trails.wayTags.value(tag)
        values[Int(slot)] = texts.value(text)
        if slot == 0 { zoom = zoomOfHighway[Int(text)] }
      }
      if values[0] == FeatureTable.none { values[0] = ferry }
      if let route = routes.mostImportant(trails.routes.routes(ofWay: way)) {
        let first = Self.tags.count
        (values[first], values[first + 1]) = (route.network, route.symbol)
        (values[first + 2], values[first + 3]) = (route.name, route.ref)
        zoom = min(zoom, UInt8(route.zoom))
      }
      sets.append(table.number(values))
      zooms.append(zoom)
    }
  }
}
