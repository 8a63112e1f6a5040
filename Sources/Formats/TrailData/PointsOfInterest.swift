// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy

/// The kinds of OpenStreetMap objects.
package enum OSMObjectType: UInt8, Sendable, CaseIterable {
  /// A point.
  case node = 0
  /// A line or the outline of an area.
  case way = 1
  /// A group of objects.
  case relation = 2
}

/// The points of interest of a `.trails` file: objects with a place and a meaning of their own,
/// such as huts, summits and springs. Areas have the place of their centre.
package struct PointsOfInterest: Sendable {
  /// Kinds of the objects, ascending, as raw values of ``OSMObjectType``.
  package let types: Column<UInt8>
  /// Their OpenStreetMap ids, ascending within a kind.
  package let ids: Column<Int64>
  /// Latitudes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// Their tags.
  package let tags: TagTable

  init(_ container: ContainerReader, strings: Int) throws(CairnError) {
    ids = try container.column("poi.id")
    types = try container.column("poi.type", count: ids.count)
    latitudes = try container.column("poi.latitude", count: ids.count)
    longitudes = try container.column("poi.longitude", count: ids.count)
    tags = try TagTable(container, prefix: "poi.tag", objects: ids.count, strings: strings)
    try checkPositions(latitudes, longitudes, "poi", container)
    for place in ids.indices {
      let isKind = OSMObjectType(rawValue: types[place]) != nil
      let isInOrder =
        place == 0 || (types[place - 1], ids[place - 1]) < (types[place], ids[place])
      guard isKind, isInOrder else { throw container.damage("column poi.id is not in order") }
    }
  }

  /// How many there are.
  package var count: Int { ids.count }

  /// Where one is.
  package func position(_ place: Int) -> FixedCoordinate {
    FixedCoordinate(latitude: latitudes[place], longitude: longitudes[place])
  }

  func copy(to writer: ContainerWriter) throws(CairnError) {
    try writer.add("poi.type", types)
    try writer.add("poi.id", ids)
    try writer.add("poi.latitude", latitudes)
    try writer.add("poi.longitude", longitudes)
    try tags.copy(prefix: "poi.tag", to: writer)
  }
}
