// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import JSONKit

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
  /// The box of the data as archives can say it: it does not cross the antimeridian, is a few metres
  /// wide and high, and within the projection; the world if there is no data.
  package let bounds: BoundingBox
  /// Where a map of the tiles begins.
  package let centre: Coordinate
  /// The zooms with tiles.
  package var zooms: ClosedRange<Int>
  /// The attribution to show; nil if it is not known.
  package var attribution: String?
  /// The layers of vector tiles.
  package var layers: [Layer] = []
  /// Further entries, such as the time of the data.
  package var further: [String: String] = [:]

  /// Describes an archive.
  ///
  /// - Parameter bounds: The box of the data, which may cross the antimeridian; nil if there is none.
  package init(
    name: String, description: String, content: Content, bounds box: BoundingBox?,
    zooms: ClosedRange<Int>, attribution: String?
  ) {
    (self.name, self.description, self.content) = (name, description, content)
    (self.zooms, self.attribution) = (zooms, attribution)
    let world = BoundingBox.world
    let shown = box.flatMap(WebMercator.shown) ?? WebMercator.shown(of: world) ?? world
    centre = shown.centre
    bounds = Self.bounds(shown)
  }

  /// Readers of archives do not know boxes that cross the antimeridian (TileJSON 3 forbids them), and
  /// take one without width or height for none.
  private static func bounds(_ box: BoundingBox) -> BoundingBox {
    var bounds = box
    if box.crossesAntimeridian { (bounds.west, bounds.east) = (-180, 180) }
    let (leastSide, centre) = (0.000_1, bounds.centre)
    if bounds.east - bounds.west < leastSide {
      bounds.west = max(centre.longitude - leastSide / 2, -180)
      bounds.east = min(centre.longitude + leastSide / 2, 180)
    }
    if bounds.north - bounds.south < leastSide {
      let pole = WebMercator.greatestLatitude
      bounds.south = max(centre.latitude - leastSide / 2, -pole)
      bounds.north = min(centre.latitude + leastSide / 2, pole)
    }
    return bounds
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
