// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit

/// A name that a picture shows at its place.
package struct PlaceLabel: Hashable, Sendable {
  /// The kind of place.
  package var kind: PlaceKind
  /// Its name.
  package var name: String
  /// Its coordinate.
  package var coordinate: Coordinate
  /// Metres above sea level; nil if unknown.
  package var elevation: Double?

  package init(
    kind: PlaceKind, name: String, coordinate: Coordinate, elevation: Double? = nil
  ) {
    self.kind = kind
    self.name = name
    self.coordinate = coordinate
    self.elevation = elevation
  }

  /// Longer names are cut.
  private static let mostLetters = 40

  /// The name, shortened if it is very long, and the height of peaks and saddles:
  /// `Coma Pedrosa 2 942`.
  package var textOnMaps: String {
    let short =
      name.count > Self.mostLetters ? name.prefix(Self.mostLetters - 1) + "…" : name[...]
    guard [.peak, .saddle].contains(kind), let elevation else { return String(short) }
    return "\(short) \(grouped(Int(elevation.rounded())))"
  }

  /// The kinds that people know a region by.
  package static let usualKinds: [PlaceKind] = [.settlement, .peak, .hut, .saddle, .lake]

  /// The names within a box in a `.places.db`, most important first.
  ///
  /// Throws 66 if it cannot be read, and 65 if it is not a database of places or is damaged.
  package static func read(
    _ path: String, kinds: [PlaceKind] = usualKinds, in box: BoundingBox, limit: Int
  ) throws(CairnError) -> [PlaceLabel] {
    let connection = try SQLiteConnection(path, .readOnly)
    defer { connection.close() }
    guard try connection.columns(ofTable: PlaceSchema.Table.places.name) != nil else {
      throw CairnError(
        "places", .dataError, "is not a database of places", at: Location(file: path))
    }
    let names = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    // Ids descend in importance.
    let row = try connection.prepare(
      "SELECT kind, name, latitude, longitude, elevation FROM places WHERE kind IN (\(names)) "
        + "ORDER BY id")
    var labels: [PlaceLabel] = []
    while labels.count < limit, try row.step() {
      let place = Coordinate(latitude: row.number(2), longitude: row.number(3))
      guard let name = row.text(1), !name.isEmpty, place.isValid, box.contains(place) else {
        continue
      }
      labels.append(
        PlaceLabel(
          kind: PlaceKind(rawValue: row.text(0) ?? "") ?? .other, name: name, coordinate: place,
          elevation: row.isNumber(4) && abs(row.number(4)) < 10_000 ? row.number(4) : nil))
    }
    return labels
  }
}
