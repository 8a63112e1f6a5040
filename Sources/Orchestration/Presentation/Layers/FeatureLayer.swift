// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// A table of features, each with a geometry, as in geographic information systems. Its rows are
/// read one by one, so that a large layer takes little memory.
package struct FeatureLayer {
  /// The type of a layer's geometries.
  package enum Shape: String, Sendable {
    case point = "POINT"
    case line = "LINESTRING"
    case lines = "MULTILINESTRING"
  }

  /// The type of a column; SQLite's, as GeoPackage names it.
  package enum ColumnType: String, Sendable {
    case boolean = "BOOLEAN"
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
  }

  /// A column.
  package struct Column: Sendable {
    /// Its name.
    package var name: String
    /// Its type.
    package var type: ColumnType

    init(_ name: String, _ type: ColumnType) { (self.name, self.type) = (name, type) }
  }

  /// A field of a feature. Unknown values are null.
  package enum Value: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  /// A row: an id, the lines or the point, and a value for each column.
  package struct Feature: Sendable {
    package var id: Int64
    /// One line, for points of one point; several if the shape allows it.
    package var lines: [[Coordinate]]
    package var values: [Value]
  }

  /// Its name.
  package let name: String
  /// A one-sentence description.
  package let summary: String
  package let shape: Shape
  package let columns: [Column]
  /// Calls its argument with each feature, in the order of their ids.
  package let forEach: ((Feature) throws(CairnError) -> Void) throws(CairnError) -> Void
}

extension FeatureLayer.Value {
  /// A number, null if it is not finite: impassable edges have no cost.
  static func finite(_ number: Double?) -> Self {
    number.flatMap { $0.isFinite ? .real($0) : nil } ?? .null
  }

  /// A text, null if there is none.
  static func text(orNull text: String?) -> Self { text.map { .text($0) } ?? .null }
}
