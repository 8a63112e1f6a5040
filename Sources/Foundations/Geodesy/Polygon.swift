// SPDX-License-Identifier: Apache-2.0

/// An area with straight borders in longitude and latitude, with holes, of one or more parts.
///
/// Points are tested by the even-odd rule over all rings together, so that holes and parts need
/// no telling apart. A point exactly on a border may fall on either side.
package struct MultiPolygon: Hashable, Sendable {
  /// The rings, outer ones and holes, each closed by the line from its last point to its first.
  package let rings: [[Coordinate]]
  /// The smallest box around all rings.
  package let boundingBox: BoundingBox

  /// Makes an area of rings of at least three points each; nil if a ring has fewer or there are
  /// none.
  package init?(rings: [[Coordinate]]) {
    guard !rings.isEmpty, rings.allSatisfy({ $0.count >= 3 }),
      let box = BoundingBox(around: rings.joined())
    else { return nil }
    self.rings = rings
    boundingBox = box
  }

  /// Whether a point lies inside.
  package func contains(_ point: Coordinate) -> Bool {
    guard boundingBox.contains(point) else { return false }
    var inside = false
    for ring in rings {
      var previous = ring[ring.count - 1]
      for corner in ring {
        if (corner.latitude > point.latitude) != (previous.latitude > point.latitude) {
          let share =
            (point.latitude - previous.latitude) / (corner.latitude - previous.latitude)
          let crossing = previous.longitude + share * (corner.longitude - previous.longitude)
          if point.longitude < crossing { inside.toggle() }
        }
        previous = corner
      }
    }
    return inside
  }
}

/// The shape of a region: everything, a box or an area.
package enum RegionShape: Hashable, Sendable {
  /// Everything in the source.
  case everything
  /// A box.
  case box(BoundingBox)
  /// An area.
  case polygon(MultiPolygon)

  /// Whether a point lies in the region.
  package func contains(_ point: Coordinate) -> Bool {
    switch self {
    case .everything: true
    case .box(let box): box.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    }
  }
}
