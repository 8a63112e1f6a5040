// SPDX-License-Identifier: Apache-2.0

extension PlaceSchema.Table {
  /// `place_metadata`.
  package static let metadata = Self(
    name: "place_metadata",
    columns: ["key", "value"], keyColumns: 1,
    declaration: """
      CREATE TABLE place_metadata (
          key TEXT PRIMARY KEY,
          value TEXT NOT NULL
      ) WITHOUT ROWID
      """)
  /// `places`.
  package static let places = Self(
    name: "places",
    columns: [
      "id", "osm", "kind", "name", "latitude", "longitude", "elevation", "length", "importance",
      "reach", "cell", "settlement", "cells", "flags",
    ], keyColumns: 0,
    declaration: """
      CREATE TABLE places (
          id INTEGER PRIMARY KEY,
          osm TEXT NOT NULL,
          kind TEXT NOT NULL,
          name TEXT NOT NULL,
          latitude REAL NOT NULL,
          longitude REAL NOT NULL,
          elevation REAL,
          length REAL,
          importance INTEGER NOT NULL,
          reach INTEGER NOT NULL,
          cell INTEGER NOT NULL,
          settlement INTEGER REFERENCES places(id),
          cells BLOB,
          flags INTEGER
      )
      """)
  /// `place_routes`.
  package static let routes = Self(
    name: "place_routes",
    columns: ["place", "ref", "network", "from", "to", "symbol", "tagged"], keyColumns: 0,
    declaration: """
      CREATE TABLE place_routes (
          place INTEGER PRIMARY KEY REFERENCES places(id),
          ref TEXT,
          network TEXT,
          "from" TEXT,
          "to" TEXT,
          symbol TEXT,
          tagged REAL
      )
      """)
  /// `place_names`.
  package static let names = Self(
    name: "place_names",
    columns: ["id", "place", "key", "name"], keyColumns: 0,
    declaration: """
      CREATE TABLE place_names (
          id INTEGER PRIMARY KEY,
          place INTEGER NOT NULL REFERENCES places(id),
          key TEXT NOT NULL,
          name TEXT
      )
      """)
  /// `place_words`.
  package static let words = Self(
    name: "place_words",
    columns: ["id", "word", "names"], keyColumns: 0,
    declaration: """
      CREATE TABLE place_words (
          id INTEGER PRIMARY KEY,
          word TEXT NOT NULL,
          names INTEGER NOT NULL
      )
      """)
  /// `place_lines`.
  package static let lines = Self(
    name: "place_lines",
    columns: ["cell", "part", "places", "points"], keyColumns: 2,
    declaration: """
      CREATE TABLE place_lines (
          cell INTEGER NOT NULL,
          part INTEGER NOT NULL,
          places BLOB NOT NULL,
          points BLOB NOT NULL,
          PRIMARY KEY (cell, part)
      ) WITHOUT ROWID
      """)
  /// `place_kinds`.
  package static let kinds = Self(
    name: "place_kinds",
    columns: ["kind", "cell", "places", "points"], keyColumns: 2,
    declaration: """
      CREATE TABLE place_kinds (
          kind TEXT NOT NULL,
          cell INTEGER NOT NULL,
          places BLOB,
          points BLOB,
          PRIMARY KEY (kind, cell)
      ) WITHOUT ROWID
      """)
  /// `place_relations`.
  package static let relations = Self(
    name: "place_relations",
    columns: [
      "id", "kind", "network", "ref", "name", "from", "to", "roundtrip", "tagged", "members",
    ], keyColumns: 0,
    declaration: """
      CREATE TABLE place_relations (
          id INTEGER PRIMARY KEY,
          kind TEXT,
          network TEXT,
          ref TEXT,
          name TEXT,
          "from" TEXT,
          "to" TEXT,
          roundtrip INTEGER,
          tagged REAL,
          members BLOB NOT NULL
      )
      """)
  /// `place_addresses`.
  package static let addresses = Self(
    name: "place_addresses",
    columns: ["place", "numbers"], keyColumns: 0,
    declaration: """
      CREATE TABLE place_addresses (
          place INTEGER PRIMARY KEY REFERENCES places(id),
          numbers BLOB NOT NULL
      )
      """)
}
