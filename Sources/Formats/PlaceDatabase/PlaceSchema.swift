// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit

/// The layout of a `.places.db`, as described in docs/places-db.md.
package enum PlaceSchema {
  /// The value of `PRAGMA application_id`: "CrnP".
  package static let applicationID: Int64 = 0x4372_6E50
  /// The value of `PRAGMA user_version`. Raised when a reader of the previous version would
  /// misunderstand the tables.
  package static let version: Int64 = 3
  /// The supported versions. Version 1 has no flags and tagged lengths, and no indexes of kinds and
  /// house numbers; versions 1 and 2 have no relations.
  package static let readableVersions: ClosedRange<Int64> = 1...3

  /// A table with rows of its own.
  package struct Table: Sendable {
    /// Its name.
    package let name: String
    /// Its columns, in order.
    package let columns: [String]
    /// The number of columns of its primary key; 0 if it is stored by the id, its first column.
    package let keyColumns: Int
    /// The statement that makes it.
    package let declaration: String
  }

  /// All tables. Ids of places and names count from 1 and descend in importance, so that the first
  /// matches of an index are the most important ones.
  package static let tables: [Table] = [
    .metadata, .places, .routes, .names, .words, .lines, .kinds, .addresses, .relations,
  ]

  /// The tables and columns of a version.
  package static func tables(ofVersion version: Int64) -> [(name: String, columns: [String])] {
    var missing: Set<String> = []
    if version < 3 { missing.insert(Table.relations.name) }
    if version < 2 { missing.formUnion([Table.kinds.name, Table.addresses.name]) }
    return tables.filter { !missing.contains($0.name) }.map { table in
      (table.name, table.columns.filter { version > 1 || $0 != "flags" && $0 != "tagged" })
    }
  }

  /// The full-text indexes, which store no text of their own: by the words of names, and by the
  /// trigrams of the words.
  package static let textIndexes = [
    """
    CREATE VIRTUAL TABLE place_text USING fts5(
        name, content='', columnsize=0, prefix='1 2 3',
        tokenize='unicode61 remove_diacritics 2')
    """,
    """
    CREATE VIRTUAL TABLE place_trigrams USING fts5(
        word, content='', columnsize=0, detail=none, tokenize='trigram')
    """,
  ]

  /// The other indexes.
  package static let indexes = [
    "CREATE INDEX places_by_cell ON places(reach, cell)",
    "CREATE INDEX place_names_by_place ON place_names(place)",
    "CREATE UNIQUE INDEX place_words_by_word ON place_words(word)",
  ]

  /// Whether a file that starts with these bytes (at least 72) is a database of places by Cairn.
  package static func recognises(head: [UInt8]) -> Bool {
    isDatabase(head: head, ofApplication: applicationID)
  }
}

/// The keys of `place_metadata`.
public enum PlaceMetadataKey {
  /// The version of the schema.
  public static let version = SharedMetadataKey.version
  /// The time of the OpenStreetMap data, ISO 8601, or `unknown`.
  public static let osmDataDate = SharedMetadataKey.osmDataDate
  /// `west,south,east,north` of all places and lines, degrees; missing if there are none.
  public static let boundingBox = SharedMetadataKey.boundingBox
  /// The number of rows of `places`.
  public static let placeCount = "place_count"
  /// The number of rows of `place_names`.
  public static let nameCount = "name_count"
  /// The tool and its version.
  public static let generator = SharedMetadataKey.generator
  /// The attribution to show with the data.
  public static let attribution = SharedMetadataKey.attribution
  /// The licence of the data.
  public static let licence = SharedMetadataKey.licence
  /// The shape of the region, `everything` for a whole source.
  public static let region = SharedMetadataKey.region
  /// The id of the region, if given.
  public static let regionID = SharedMetadataKey.regionID
  /// The display name of the region, if given.
  public static let regionName = SharedMetadataKey.regionName
  /// The SHA-256 of the OpenStreetMap source.
  public static let sourceDigest = SharedMetadataKey.sourceDigest
}
