// SPDX-License-Identifier: Apache-2.0

/// An area of one or more parts, with holes, whose borders are straight in longitude and latitude.
///
/// Points are tested by the even-odd rule over all rings together, so outer rings and holes need not
/// be distinguished. A point exactly on a border may be inside or outside.
package struct MultiPolygon: Hashable, Sendable {
  /// The outer rings and holes; a line from the last point of a ring to its first closes it.
  package let rings: [[Coordinate]]
  /// The smallest box around all rings; it may cross the antimeridian, though no ring does.
  package let boundingBox: BoundingBox

  /// Makes an area from rings; nil if there are none or a ring has fewer than three points.
  package init?(rings: [[Coordinate]]) {
    var growing = GrowingBox()
    for box in rings.compactMap({ BoundingBox(around: $0) }) { growing.add(box) }
    guard rings.allSatisfy({ $0.count >= 3 }), let box = growing.box else { return nil }
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
