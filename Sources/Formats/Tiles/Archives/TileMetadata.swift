// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import JSONKit

/// The metadata of an archive of tiles.
package struct TileMetadata: Equatable, Sendable {
  /// The type of the tiles.
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
    /// A description of the content.
    package var description: String
    /// The zooms of the tiles.
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
  /// The type of the tiles.
  package var content: Content
  /// Whether the tiles are shown above a map rather than alone.
  package var isOverlay = true
  /// The box of the data in a form that archives support: it does not cross the antimeridian, is a
  /// few metres wide and high, and lies within the projection; the world if there is no data.
  package let bounds: BoundingBox
  /// The initial centre of a map of the tiles.
  package let centre: Coordinate
  /// The zooms with tiles.
  package var zooms: ClosedRange<Int>
  /// The attribution to show; nil if unknown.
  package var attribution: String?
  /// The layers of vector tiles.
  package var layers: [Layer] = []
  /// Further entries, such as the time of the data.
  package var further: [String: String] = [:]

  /// Describes an archive.
  ///
  /// - Parameter bounds: The box of the data, which may cross the antimeridian; nil if there is
  ///   none.
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

  /// Readers of archives do not support boxes that cross the antimeridian (TileJSON 3 forbids
  /// them), and ignore one without width or height.
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

  /// The list of layers in TileJSON.
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
