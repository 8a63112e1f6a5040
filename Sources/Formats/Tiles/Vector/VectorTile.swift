// SPDX-License-Identifier: Apache-2.0
import JSONKit

/// A decoded vector tile.
package struct VectorTile: Equatable, Sendable {
  /// A feature.
  package struct Feature: Equatable, Sendable {
    /// The type of geometry.
    package enum Kind: UInt64, Sendable {
      case unknown = 0
      case points = 1
      case lines = 2
      case polygons = 3
    }

    /// The type of its geometry.
    package var kind: Kind
    /// Its properties.
    package var properties: [String: JSONValue]
    /// Its lines or rings; all points are in one list. In units of the layer's grid from the
    /// northwest.
    package var parts: [[Point]]
  }

  /// A point in the grid of a layer.
  package struct Point: Hashable, Sendable {
    package var x: Int32
    package var y: Int32

    /// Makes a point.
    package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
  }

  /// A layer.
  package struct Layer: Equatable, Sendable {
    package var name: String
    package var version: UInt64
    /// The units of a side of the tile.
    package var extent: Int32
    package var features: [Feature]
  }

  /// The layers, in order.
  package var layers: [Layer]

  /// The layer of a name.
  package func layer(_ name: String) -> Layer? { layers.first { $0.name == name } }
}

/// A point in the grid of a tile: from its northwestern corner, 4096 units to the east and to the
/// south. Coordinates in the buffer around the tile are below 0 or above 4096.
package struct TilePoint: Hashable, Sendable, BitwiseCopyable {
  /// Units of a side of a tile.
  package static let extent: Int32 = 4096

  /// Units east.
  package var x: Int16
  /// Units south.
  package var y: Int16

  /// Makes a point.
  @inline(__always)
  package init(x: Int16, y: Int16) { (self.x, self.y) = (x, y) }
}
