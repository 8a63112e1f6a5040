// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// The types of OpenStreetMap objects.
package enum OSMObjectType: UInt8, Sendable, CaseIterable {
  /// A point.
  case node = 0
  /// A line or the outline of an area.
  case way = 1
  /// A group of objects.
  case relation = 2

  /// ``letter`` in ASCII.
  package var asciiLetter: UInt8 {
    switch self {
    case .node: UInt8(ascii: "n")
    case .way: UInt8(ascii: "w")
    case .relation: UInt8(ascii: "r")
    }
  }

  /// `n`, `w` or `r`, the prefix of an object's id.
  package var letter: Character { Character(UnicodeScalar(asciiLetter)) }
}

/// The points of interest of a `.trails` file, such as huts, summits and springs. Areas have the
/// coordinates of their centre.
package struct PointsOfInterest: Sendable {
  /// Their types, ascending, as raw values of ``OSMObjectType``.
  package let types: Column<UInt8>
  /// Their OpenStreetMap ids, ascending within a type.
  package let ids: Column<Int64>
  /// Latitudes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// Their tags.
  package let tags: TagTable
  /// Metres above sea level of the terrain there; NaN if unknown; nil without a `.elevated` file.
  package let elevations: Column<Float>?

  init(_ container: ContainerReader, _ elevated: ContainerReader?, strings: Int)
    throws(CairnError)
  {
    ids = try container.column("poi.id")
    types = try container.column("poi.type", count: ids.count)
    latitudes = try container.column("poi.latitude", count: ids.count)
    longitudes = try container.column("poi.longitude", count: ids.count)
    tags = try TagTable(container, prefix: "poi.tag", objects: ids.count, strings: strings)
    elevations = try elevated?.column("poi.elevation", count: ids.count)
    if let elevated, let elevations {
      try checkElevations(elevations, "poi.elevation", elevated)
    }
    try checkCoordinates(latitudes, longitudes, "poi", container)
    for index in ids.indices {
      let isType = OSMObjectType(rawValue: types[index]) != nil
      let isInOrder =
        index == 0 || (types[index - 1], ids[index - 1]) < (types[index], ids[index])
      guard isType, isInOrder else { throw container.damage("column poi.id is out of order") }
    }
  }

  /// The number of points.
  package var count: Int { ids.count }

  /// The coordinate of a point.
  package func coordinate(_ index: Int) -> FixedCoordinate {
    FixedCoordinate(latitude: latitudes[index], longitude: longitudes[index])
  }

  /// Gives the memory of the columns back, see ``Column/releasePages()``.
  package func releasePages() {
    ids.releasePages()
    latitudes.releasePages()
    longitudes.releasePages()
    elevations?.releasePages()
  }
}
