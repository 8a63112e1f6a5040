// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnSQLiteKit
import TrailData

/// The content of a `.places.db`, for `DatabasePages` to write. The same content gives the same
/// bytes.
struct PlaceDatabaseContent {
  /// The database.
  private(set) var content = DatabaseContent(
    // Half the size of the other databases' pages: there are many small tables.
    pageSize: 4096, applicationID: PlaceSchema.applicationID, userVersion: PlaceSchema.version)

  init(
    _ rows: PlaceRows, _ words: PlaceWords, _ textIndexes: TextIndexes,
    metadata: [(key: String, value: String)]
  ) {
    addTable(.metadata) { part throws(CairnError) in
      for (key, value) in metadata {
        part.record.add(key)
        part.record.add(value)
        try part.endRow()
      }
    }
    addTable(.places, rows.addPlaces)
    addTable(.routes, rows.addRoutes)
    addTable(.names, rows.addNames)
    addTable(.words) { part throws(CairnError) in
      for position in 0..<words.count {
        part.record.addNull()
        words.text(position).withUnsafeBytes { part.record.addText($0) }
        part.record.add(Int64(words.names(position)))
        try part.endRow(Int64(position + 1))
      }
    }
    addTable(.lines, rows.addLines)
    addTable(.kinds, rows.addKinds)
    addTable(.addresses, rows.addAddresses)
    addTable(.relations, rows.addRelations)
    textIndexes.add(to: &content)
    addIndexes(rows, words)
  }

  private mutating func addTable(
    _ table: PlaceSchema.Table,
    _ rows: @escaping @Sendable (_ part: inout TreePart) throws(CairnError) -> Void
  ) {
    if table.keyColumns > 0 {
      content.addTable(
        table.name, sql: table.declaration, columns: table.columns.count,
        keyColumns: table.keyColumns
      ) { _, part throws(CairnError) in try rows(&part) }
    } else {
      content.addTable(table.name, sql: table.declaration, columns: table.columns.count) {
        _, part throws(CairnError) in try rows(&part)
      }
    }
  }

  private mutating func addIndexes(_ rows: PlaceRows, _ words: PlaceWords) {
    content.add(
      .init("places_by_cell", of: "places", sql: PlaceSchema.indexes[0], columns: 3)
    ) { _, part throws(CairnError) in try rows.addPlacesByCell(&part) }
    content.add(
      .init("place_names_by_place", of: "place_names", sql: PlaceSchema.indexes[1], columns: 2)
    ) { _, part throws(CairnError) in
      var id: Int64 = 0
      for index in rows.places.indices {
        for _ in 0..<rows.places[index].names.count {
          id += 1
          part.record.add(Int64(index + 1))
          part.record.add(id)
          try part.endRow()
        }
      }
    }
    content.add(
      .init(
        "place_words_by_word", of: "place_words", sql: PlaceSchema.indexes[2], columns: 2,
        isUnique: true)
    ) { _, part throws(CairnError) in
      for position in 0..<words.count {
        words.text(position).withUnsafeBytes { part.record.addText($0) }
        part.record.add(Int64(position + 1))
        try part.endRow()
      }
    }
  }
}
