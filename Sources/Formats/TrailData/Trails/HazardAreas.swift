// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// The areas of a `.trails` file that are dangerous or closed, such as glaciers and shooting ranges.
///
/// A point is inside an area if a ray from it crosses the area's lines an odd number of times: outlines
/// of holes are lines like others, and lines need not be rings.
package struct HazardAreas: Sendable {
  /// Their types, ascending, as raw values of ``OSMObjectType``.
  package let types: Column<UInt8>
  /// Their OpenStreetMap ids, ascending within a type.
  package let ids: Column<Int64>
  /// Their tags.
  package let tags: TagTable
  private let lineOffsets: Column<UInt32>
  private let pointOffsets: Column<UInt32>
  private let latitudes: Column<Int32>
  private let longitudes: Column<Int32>

  init(_ container: ContainerReader, strings: Int) throws(CairnError) {
    ids = try container.column("area.id")
    types = try container.column("area.type", count: ids.count)
    tags = try TagTable(container, prefix: "area.tag", objects: ids.count, strings: strings)
    lineOffsets = try container.column("area.line.offset", count: ids.count + 1)
    pointOffsets = try container.column("area.point.offset")
    latitudes = try container.column("area.latitude")
    longitudes = try container.column("area.longitude", count: latitudes.count)
    try checkOffsets(lineOffsets, end: pointOffsets.count - 1, "area.line.offset", container)
    try checkOffsets(pointOffsets, end: latitudes.count, "area.point.offset", container)
    try checkCoordinates(latitudes, longitudes, "area", container)
    for index in ids.indices {
      let isType = OSMObjectType(rawValue: types[index]) != nil
      let isInOrder =
        index == 0 || (types[index - 1], ids[index - 1]) < (types[index], ids[index])
      guard isType, isInOrder else { throw container.damage("column area.id is out of order") }
    }
  }

  /// The number of areas.
  package var count: Int { ids.count }

  /// The lines of an area.
  package func lines(ofArea area: Int) -> [[FixedCoordinate]] {
    (Int(lineOffsets[area])..<Int(lineOffsets[area + 1])).map { line in
      (Int(pointOffsets[line])..<Int(pointOffsets[line + 1])).map {
        FixedCoordinate(latitude: latitudes[$0], longitude: longitudes[$0])
      }
    }
  }

  func copy(to writer: ContainerWriter) throws(CairnError) {
    try writer.add("area.type", types)
    try writer.add("area.id", ids)
    try tags.copy(prefix: "area.tag", to: writer)
    try writer.add("area.line.offset", lineOffsets)
    try writer.add("area.point.offset", pointOffsets)
    try writer.add("area.latitude", latitudes)
    try writer.add("area.longitude", longitudes)
  }
}

/// Dangerous or closed areas while a parser collects them; in a file they are ``HazardAreas``.
package struct HazardAreaLists: Equatable, Sendable {
  private var types: [OSMObjectType] = []
  private var ids: [Int64] = []
  private var lineOffsets: [UInt32] = [0]
  private var pointOffsets: [UInt32] = [0]
  private var latitudes: [Int32] = []
  private var longitudes: [Int32] = []
  /// The tags of each area.
  package var tags = TagLists()

  /// Makes an empty list.
  package init() {}

  /// The number of areas.
  package var count: Int { ids.count }

  /// Adds an area, whose tags are added to ``tags``. Types ascend, and ids within a type.
  ///
  /// - Parameter lines: See ``HazardAreas``; in 10⁻⁷ degrees.
  package mutating func add(
    _ type: OSMObjectType, _ id: Int64, lines: [[(latitude: Int32, longitude: Int32)]]
  ) {
    types.append(type)
    ids.append(id)
    for line in lines {
      latitudes += line.map(\.latitude)
      longitudes += line.map(\.longitude)
      pointOffsets.append(UInt32(clamping: latitudes.count))
    }
    lineOffsets.append(UInt32(clamping: pointOffsets.count - 1))
  }

  func write(to writer: ContainerWriter) throws(CairnError) {
    guard latitudes.count <= Int(UInt32.max) else {
      throw CairnError("too-large", .dataError, "the areas have more than 4 294 967 295 points")
    }
    try writer.add("area.type", types.map(\.rawValue))
    try writer.add("area.id", ids)
    try tags.write(prefix: "area.tag", to: writer)
    try writer.add("area.line.offset", lineOffsets)
    try writer.add("area.point.offset", pointOffsets)
    try writer.add("area.latitude", latitudes)
    try writer.add("area.longitude", longitudes)
  }
}
