// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// Objects of a `.trails` file with lines of their own: dangerous or closed areas, such as glaciers
/// and shooting ranges, and named lines, such as rivers.
///
/// A point is inside an area if a ray from it crosses the area's lines an odd number of times.
/// Outlines of holes are lines like others, and lines need not be rings.
package struct LineObjects: Sendable {
  /// Their types, ascending, as raw values of ``OSMObjectType``.
  package let types: Column<UInt8>
  /// Their OpenStreetMap ids, ascending within a type.
  package let ids: Column<Int64>
  /// Their tags.
  package let tags: TagTable
  /// The start of each object's lines, and finally the end.
  package let lineOffsets: Column<UInt32>
  /// The start of each line's points, and finally the end.
  package let pointOffsets: Column<UInt32>
  /// Latitudes of the points in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes of the points in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>

  init(_ container: ContainerReader, prefix: String, strings: Int) throws(CairnError) {
    ids = try container.column("\(prefix).id")
    types = try container.column("\(prefix).type", count: ids.count)
    tags = try TagTable(container, prefix: "\(prefix).tag", objects: ids.count, strings: strings)
    lineOffsets = try container.column("\(prefix).line.offset", count: ids.count + 1)
    pointOffsets = try container.column("\(prefix).point.offset")
    latitudes = try container.column("\(prefix).latitude")
    longitudes = try container.column("\(prefix).longitude", count: latitudes.count)
    try checkOffsets(lineOffsets, end: pointOffsets.count - 1, "\(prefix).line.offset", container)
    try checkOffsets(pointOffsets, end: latitudes.count, "\(prefix).point.offset", container)
    try checkCoordinates(latitudes, longitudes, prefix, container)
    for index in ids.indices {
      let isType = OSMObjectType(rawValue: types[index]) != nil
      let isInOrder =
        index == 0 || (types[index - 1], ids[index - 1]) < (types[index], ids[index])
      guard isType, isInOrder else { throw container.damage("column \(prefix).id is out of order") }
    }
  }

  /// The number of objects.
  package var count: Int { ids.count }

  /// The lines of an area.
  package func lines(ofArea area: Int) -> [[FixedCoordinate]] {
    (Int(lineOffsets[area])..<Int(lineOffsets[area + 1])).map { line in
      (Int(pointOffsets[line])..<Int(pointOffsets[line + 1])).map {
        FixedCoordinate(latitude: latitudes[$0], longitude: longitudes[$0])
      }
    }
  }
}

/// Such objects during collection by a parser; in a file, ``LineObjects``.
package struct LineObjectLists: Equatable, Sendable {
  private var types: [OSMObjectType] = []
  private var ids: [Int64] = []
  private var lineOffsets: [UInt32] = [0]
  private var pointOffsets: [UInt32] = [0]
  @usableFromInline var latitudes: [Int32] = []
  @usableFromInline var longitudes: [Int32] = []
  /// The tags of each object.
  package var tags = TagLists()

  /// Makes an empty list.
  package init() {}

  /// The number of objects.
  package var count: Int { ids.count }

  // An object is added in parts: the points of its lines, each ended, then itself.

  /// Adds a point to the current line, in 10⁻⁷ degrees.
  @inlinable package mutating func add(latitude: Int32, longitude: Int32) {
    latitudes.append(latitude)
    longitudes.append(longitude)
  }

  /// Ends the current line.
  package mutating func endLine() { pointOffsets.append(UInt32(clamping: latitudes.count)) }

  /// Ends an object with the lines so far; its tags go to ``tags``. Types ascend, and ids within a
  /// type.
  package mutating func endObject(_ type: OSMObjectType, _ id: Int64) {
    types.append(type)
    ids.append(id)
    lineOffsets.append(UInt32(clamping: pointOffsets.count - 1))
  }

  func write(prefix: String, to writer: ContainerWriter) throws(CairnError) {
    guard latitudes.count <= Int(UInt32.max) else {
      throw CairnError(
        "too-large", .dataError, "areas or lines have more than 4 294 967 295 points")
    }
    try writer.add("\(prefix).type", types.map(\.rawValue))
    try writer.add("\(prefix).id", ids)
    try tags.write(prefix: "\(prefix).tag", to: writer)
    try writer.add("\(prefix).line.offset", lineOffsets)
    try writer.add("\(prefix).point.offset", pointOffsets)
    try writer.add("\(prefix).latitude", latitudes)
    try writer.add("\(prefix).longitude", longitudes)
  }
}
