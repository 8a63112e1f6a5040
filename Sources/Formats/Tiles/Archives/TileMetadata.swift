// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Geodesy

/// What an archive of tiles says about itself.
package struct TileMetadata: Equatable, Sendable {
  /// What the tiles are.
  package enum Content: String, Sendable {
    /// Vector tiles, gzip.
    case vector = "pbf"
    /// Pictures.
    case png
  }

  /// A layer of vector tiles.
  package struct Layer: Equatable, Sendable {
    /// Its name.
    package var id: String
    /// What it holds.
    package var description: String
    /// The zooms that it is at.
    package var zooms: ClosedRange<Int>
    /// The keys of its features' properties with `String` or `Number`.
    package var fields: [String: String]

    /// Describes a layer.
    package init(
      id: String, description: String, zooms: ClosedRange<Int>, fields: [String: String]
    ) {
      (self.id, self.description, self.zooms, self.fields) = (id, description, zooms, fields)
    }
  }

  /// A name for a person.
  package var name: String
  /// One sentence.
  package var description: String
  /// What the tiles are.
  package var content: Content
  /// Whether the tiles are to be shown above a map rather than alone.
  package var isOverlay = true
  /// The box of the data.
  package var bounds: BoundingBox
  /// The zooms with tiles.
  package var zooms: ClosedRange<Int>
  /// The attribution to show; nil if it is not known.
  package var attribution: String?
  /// The layers of vector tiles.
  package var layers: [Layer] = []
  /// Further entries, such as the time of the data.
  package var further: [String: String] = [:]

  /// Describes an archive.
  package init(
    name: String, description: String, content: Content, bounds: BoundingBox,
    zooms: ClosedRange<Int>, attribution: String?
  ) {
    (self.name, self.description, self.content) = (name, description, content)
    (self.bounds, self.zooms, self.attribution) = (bounds, zooms, attribution)
  }

  /// Where a map of the tiles begins.
  package var centre: Coordinate {
    Coordinate(
      latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2)
  }

  /// The zoom at which a map of the tiles begins.
  package var centreZoom: Int { (zooms.lowerBound + zooms.upperBound) / 2 }

  /// The list of layers as TileJSON has it.
  package var vectorLayers: JSONValue {
    .list(
      layers.map { layer in
        .object([
          "id": .text(layer.id), "description": .text(layer.description),
          "minzoom": .integer(layer.zooms.lowerBound), "maxzoom": .integer(layer.zooms.upperBound),
          "fields": .object(layer.fields.mapValues { .text($0) }),
        ])
      })
  }
}
