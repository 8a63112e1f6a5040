// SPDX-License-Identifier: Apache-2.0
import Tiles
import TrailData

/// All objects for tiles with their properties. The layers are numbered by their order in a tile.
struct TileFeatures: Sendable {
  static let layers = [WayFeatures.layer, RouteFeatures.layer, PointFeatures.layer]

  /// Lines with one set of properties at a zoom.
  struct Line: Sendable {
    var set: UInt32
    var way: UInt32
  }

  /// The content of a zoom.
  struct Zoom: Sendable {
    /// The lines of the layers `trails` and `waymarks`, in the order of their sets and ways.
    var lines: [[Line]]
    var points: [(set: UInt32, point: Int)]
  }

  let vocabulary: TileVocabulary
  /// The properties of each layer.
  let tables: [FeatureTable]
  /// The content of each zoom.
  let zooms: [Int: Zoom]

  init(_ trails: TrailsFile, zooms range: ClosedRange<Int>) {
    var texts = TextValues(trails.strings)
    var routes = RouteFeatures(trails, &texts)
    var ways = WayFeatures(trails, routes, &texts)
    let points = PointFeatures(trails, &texts)
    let (wayCount, routeCount) = (ways.table.sets.count, routes.table.sets.count)
    var zooms: [Int: Zoom] = [:]
    for zoom in range {
      let waySets = ways.table.reduced(to: zoom, of: wayCount)
      let routeSets = routes.table.reduced(to: zoom, of: routeCount)
      var trailLines: [Line] = []
      var routeLines: [Line] = []
      // The last zoom shows everything, whichever it is.
      let limit = zoom == range.upperBound ? max(zoom, ZoomRules.otherWays) : zoom
      for way in trails.wayIDs.indices where ways.zooms[way] <= limit {
        let number = UInt32(truncatingIfNeeded: way)
        trailLines.append(Line(set: waySets[Int(ways.sets[way])], way: number))
        for route in trails.routes.routes(ofWay: way) {
          let route = routes.routes[Int(route)]
          guard route.zoom <= limit else { continue }
          routeLines.append(Line(set: routeSets[Int(route.set)], way: number))
        }
      }
      zooms[zoom] = Zoom(
        lines: [Self.ordered(trailLines), Self.ordered(routeLines)],
        points: points.points.filter { $0.zoom <= limit }.map { ($0.set, $0.point) })
    }
    vocabulary = texts.vocabulary
    tables = [ways.table, routes.table, points.table]
    self.zooms = zooms
  }

  /// The lines by their sets and then by their ways, each way once.
  private static func ordered(_ lines: [Line]) -> [Line] {
    let keys = lines.map { UInt64($0.set) << 32 | UInt64($0.way) }.sorted()
    var ordered: [Line] = []
    ordered.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() where index == 0 || keys[index - 1] != key {
      ordered.append(
        Line(set: UInt32(key >> 32), way: UInt32(truncatingIfNeeded: key)))
    }
    return ordered
  }

  /// The layers as the metadata describes them.
  static func metadata(zooms: ClosedRange<Int>) -> [TileMetadata.Layer] {
    func layer(_ id: String, _ description: String, _ properties: [FeatureTable.Property])
      -> TileMetadata.Layer
    {
      .init(
        id: id, description: description, zooms: zooms,
        fields: Dictionary(uniqueKeysWithValues: properties.map { ($0.key, $0.type) }))
    }
    return [
      layer(WayFeatures.layer, "Ways to walk and ride on", WayFeatures.properties),
      layer(RouteFeatures.layer, "Waymarked routes", RouteFeatures.properties),
      layer(PointFeatures.layer, "Points of interest", PointFeatures.properties),
    ]
  }
}

/// The texts of a file as values of tiles, each looked up once.
struct TextValues {
  var vocabulary = TileVocabulary()
  private let strings: StringTable
  private var values: [UInt32]

  init(_ strings: StringTable) {
    self.strings = strings
    values = [UInt32](repeating: FeatureTable.none, count: strings.count)
  }

  /// The value of a text of the file, none for nil and for an empty one.
  mutating func value(_ text: UInt32?) -> UInt32 {
    guard let text else { return FeatureTable.none }
    if values[Int(text)] == FeatureTable.none {
      let utf8 = strings.utf8(Int(text))
      guard !utf8.isEmpty else { return FeatureTable.none }
      values[Int(text)] = vocabulary.value(utf8)
    }
    return values[Int(text)]
  }
}
