// SPDX-License-Identifier: Apache-2.0
import TrailData

/// A region with one path and some points of interest.
package struct PointMap {
  /// A point of interest.
  package struct Point {
    package var type: OSMObjectType
    package var id: Int64
    /// Degrees.
    package var latitude: Double
    package var longitude: Double
    package var tags: [String: String]
    /// Metres that the terrain has there; NaN where unknown.
    package var terrain: Float

    package init(
      _ id: Int64, _ tags: [String: String], type: OSMObjectType = .node,
      at latitude: Double = 42.5,
      _ longitude: Double = 1.5, terrain: Float = .nan
    ) {
      self.type = type
      self.id = id
      self.latitude = latitude
      self.longitude = longitude
      self.tags = tags
      self.terrain = terrain
    }
  }

  package var points: [Point]
  /// The time of the data; nil if it states none.
  package var dataTimestamp: String? = "2026-05-01T20:59:03Z"

  package init(_ points: [Point]) { self.points = points }

  /// The map as a parser would hand it over.
  package func trails() -> TrailsContent {
    var content = TrailsContent()
    let path = ["highway": "path"]
    let texts = Set(([path] + points.map(\.tags)).flatMap { $0.flatMap { [$0.key, $0.value] } })
    content.strings = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    content.nodeIDs = [1, 2]
    content.latitudes = [425_000_000, 425_010_000]
    content.longitudes = [15_000_000, 15_010_000]
    content.wayIDs = [10]
    content.refs = [0, 1]
    content.refOffsets = [0, 2]
    func add(_ tags: [String: String], to lists: inout TagLists) {
      func number(_ text: String) -> UInt32 {
        UInt32(content.strings.firstIndex(of: Array(text.utf8)) ?? 0)
      }
      for (key, value) in tags.map({ (number($0), number($1)) }).sorted(by: { $0.0 < $1.0 }) {
        lists.add(key: key, value: value)
      }
      lists.endObject()
    }
    var wayTags = TagLists()
    add(path, to: &wayTags)
    content.wayTags = wayTags
    var pointTags = TagLists()
    for point in ordered {
      content.poiTypes.append(point.type)
      content.poiIDs.append(point.id)
      content.poiLatitudes.append(Int32((point.latitude * 1e7).rounded()))
      content.poiLongitudes.append(Int32((point.longitude * 1e7).rounded()))
      add(point.tags, to: &pointTags)
    }
    content.poiTags = pointTags
    return content
  }

  private var ordered: [Point] {
    points.sorted { ($0.type.rawValue, $0.id) < ($1.type.rawValue, $1.id) }
  }

  /// Writes the map as a `.trails` file and returns its path.
  package func trailsFile(in folder: TemporaryFolder, name: String = "map.trails") throws -> String
  {
    let path = folder.file(name)
    try trails().write(
      to: path, provenance: Provenance(tool: "a drawing", dataTimestamp: dataTimestamp))
    return path
  }

  /// Writes the map as a `.trails` file and its `.elevated` file.
  package func elevatedFiles(in folder: TemporaryFolder) throws -> ElevatedFiles {
    let files = ElevatedFiles(in: folder, name: "map")
    let trails = try TrailsFile(try trailsFile(in: folder))
    try trails.writeElevated(
      [1000, 1010], points: ordered.map(\.terrain), to: files.elevated,
      provenance: trails.provenance)
    return files
  }
}
