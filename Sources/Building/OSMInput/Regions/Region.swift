// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// The part of an input to keep: everything, or the ways that touch an area.
package struct Region: Sendable {
  /// How the region is named in a file's provenance; nil for everything.
  package let name: String?
  /// The bounding box of the region.
  package let extent: BoundingBox
  /// Whether it is the whole input.
  let isEverything: Bool
  /// How far around its ways others are kept for its elevations, in metres; see ``Margin``.
  let marginMetres: Double
  /// A box around everything that the region may have in its margin. Ways may lead out of the region,
  /// and have surroundings there, too.
  let marginBox: BoundingBox
  /// The same without the antimeridian in it.
  let marginBoxes: [FixedBox]
  private let boxes: [FixedBox]
  private let areas: AreaIndex?

  /// How far the margins of regions reach, in metres.
  package static let marginMetres = 15_000.0

  /// The whole input.
  package static let everything = Region(
    name: nil, extent: .world, isEverything: true, boxes: [], areas: nil)

  private init(
    name: String?, extent: BoundingBox, isEverything: Bool = false, boxes: [FixedBox],
    areas: AreaIndex?, marginMetres: Double = Self.marginMetres
  ) {
    self.name = name
    self.extent = extent
    self.isEverything = isEverything
    self.marginMetres = marginMetres
    marginBox = extent.expanded(byMetres: 2 * marginMetres)
    marginBoxes = marginBox.parts.map(FixedBox.init)
    self.boxes = boxes
    self.areas = areas
  }

  /// The ways that touch a box, which may cross the antimeridian.
  package init(_ box: BoundingBox, marginMetres: Double = Self.marginMetres) {
    self.init(
      name: box.description, extent: box, boxes: box.parts.map(FixedBox.init), areas: nil,
      marginMetres: marginMetres)
  }

  /// The ways that touch any of some areas, at least one, each with its holes.
  package init(_ areas: [MultiPolygon], name: String) {
    var extent = GrowingBox()
    for area in areas { extent.add(area.boundingBox) }
    self.init(
      name: name, extent: extent.box ?? .world, boxes: [], areas: AreaIndex(areas))
  }

  /// Whether a node is in the region. The border of a box belongs to it; for the border of a
  /// polygon the result is unspecified.
  @inline(__always)
  func contains(_ coordinate: NodeCoordinate) -> Bool {
    if isEverything { return true }
    for box in boxes where box.contains(coordinate) { return true }
    return areas?.contains(coordinate) ?? false
  }

  /// Whether a way with this extent can touch the region.
  func mayTouch(_ extent: WayExtent) -> Bool {
    if isEverything { return true }
    for box in boxes
    where extent.meets(west: box.west, south: box.south, east: box.east, north: box.north) {
      return true
    }
    guard let areas else { return false }
    return extent.meets(
      west: areas.west, south: areas.south, east: areas.east, north: areas.north)
  }

  /// Whether a way with this extent can touch the region or lie in its margin.
  func mayReach(_ extent: WayExtent) -> Bool {
    isEverything || marginBoxes.contains { extent.meets($0) }
  }

  /// Whether a way touches the region: it has a node in the region, or a segment that crosses it.
  func touches(_ way: some Collection<NodeCoordinate>) -> Bool {
    if isEverything { return true }
    var south = Int32.max
    var north = Int32.min
    for coordinate in way {
      if contains(coordinate) { return true }
      south = min(south, coordinate.latitude)
      north = max(north, coordinate.latitude)
    }
    guard mayMeet(south: Int64(south), north: Int64(north)) else { return false }
    var previous: NodeCoordinate?
    for coordinate in way {
      if let previous, crosses(previous, coordinate) { return true }
      previous = coordinate
    }
    return false
  }

  /// Whether anything between two latitudes can be in the region, which is not so for most ways.
  private func mayMeet(south: Int64, north: Int64) -> Bool {
    for box in boxes where south <= box.north && north >= box.south { return true }
    return areas.map { south <= $0.north && north >= $0.south } ?? false
  }

  private func crosses(_ start: NodeCoordinate, _ end: NodeCoordinate) -> Bool {
    let segment = FixedSegment(start, end)
    guard let (beyondEast, beyondWest) = segment.acrossAntimeridian else {
      return isCrossed(by: segment)
    }
    return isCrossed(by: beyondEast) || isCrossed(by: beyondWest)
  }

  private func isCrossed(by segment: FixedSegment) -> Bool {
    for box in boxes where box.isCrossed(by: segment) { return true }
    return areas?.isCrossed(by: segment) ?? false
  }
}
