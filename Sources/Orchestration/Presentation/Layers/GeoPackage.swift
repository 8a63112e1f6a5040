// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit

/// Layers as a GeoPackage (OGC 12-128r17, version 1.3.0): an SQLite database with a table for each,
/// its spatial index, and a default style for QGIS. It has no journal, and reading it changes
/// nothing. The same layers give the same bytes.
package struct GeoPackage {
  private static let applicationID: Int64 = 0x4750_4B47
  /// WGS 84, longitude first.
  private static let referenceSystem: Int64 = 4326
  /// The table that identifies files written by Cairn.
  private static let ownTable = "cairn_export"

  private let connection: SQLiteConnection
  /// When the data is from, as the format spells times.
  private let time: String

  /// Begins one in an empty file, whose owner flushes and renames it.
  ///
  /// - Parameters:
  ///   - date: The time of the data, ISO 8601; nil if unknown.
  ///   - facts: Metadata of the whole file, by key.
  package init(_ path: String, date: String?, facts: [(key: String, value: String)])
    throws(CairnError)
  {
    connection = try SQLiteConnection(path, .build)
    time = Self.time(date)
    try connection.execute("PRAGMA application_id=\(Self.applicationID)")
    try connection.execute("PRAGMA user_version=10300")
    try connection.execute("BEGIN")
    for table in Self.tables { try connection.execute(table) }
    for system in Self.referenceSystems { try connection.execute(system) }
    try addContents(
      Self.ownTable, "attributes", "Where the data is from", box: nil, system: nil)
    let fact = try connection.prepare("INSERT INTO \(Self.ownTable)(key, value) VALUES (?, ?)")
    for (key, value) in facts {
      try fact.bind(1, key)
      try fact.bind(2, value)
      _ = try fact.step()
      fact.reset()
    }
    try addContents(
      "layer_styles", "attributes", "Styles of the layers for QGIS", box: nil, system: nil)
  }

  /// Completes it.
  package func finish() throws(CairnError) {
    try connection.execute("COMMIT")
    connection.close()
  }

  /// Whether a file is a GeoPackage that Cairn wrote.
  ///
  /// - Parameter head: Its first bytes.
  package static func isOwn(_ path: String, head: [UInt8]) -> Bool {
    guard isDatabase(head: head, ofApplication: applicationID) else { return false }
    do throws(CairnError) {
      let connection = try SQLiteConnection(path, .readOnly)
      defer { connection.close() }
      return try connection.columns(ofTable: ownTable) != nil
    } catch { return false }
  }

  /// A time in UTC as `2026-11-25T04:00:00.000Z`; the beginning of 1970 if unknown, since the time
  /// of writing would change the bytes.
  private static func time(_ text: String?) -> String {
    let digits = (text ?? "").utf8.prefix { $0 != UInt8(ascii: "Z") && $0 != UInt8(ascii: ".") }
    return digits.count == 19 && text?.hasSuffix("Z") == true
      ? String(decoding: Array(digits), as: UTF8.self) + ".000Z" : "1970-01-01T00:00:00.000Z"
  }

  // MARK: Layers

  /// Adds a layer; returns its number of features.
  package func add(_ layer: FeatureLayer) throws(CairnError) -> Int {
    let table = quoted(layer.name)
    let columns = layer.columns.map { ", \(quoted($0.name)) \($0.type.rawValue)" }
    try connection.execute(
      """
      CREATE TABLE \(table) (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, \
      geom \(layer.shape.rawValue)\(columns.joined()))
      """)
    try connection.execute(
      "CREATE VIRTUAL TABLE \(quoted("rtree_\(layer.name)_geom")) USING rtree(id, minx, maxx, "
        + "miny, maxy)")
    let marks = String(repeating: ", ?", count: layer.columns.count)
    let row = try connection.prepare("INSERT INTO \(table) VALUES (?, ?\(marks))")
    let entry = try connection.prepare(
      "INSERT INTO \(quoted("rtree_\(layer.name)_geom")) VALUES (?, ?, ?, ?, ?)")
    var box: BoundingBox?
    var count = 0
    try layer.forEach { feature throws(CairnError) in
      count += 1
      let around = BoundingBox(around: feature.lines.lazy.flatMap { $0 })
      try Self.bind(feature, layer.shape, around, to: row)
      _ = try row.step()
      row.reset()
      guard let around else { return }
      box = BoundingBox(
        west: min(box?.west ?? around.west, around.west),
        south: min(box?.south ?? around.south, around.south),
        east: max(box?.east ?? around.east, around.east),
        north: max(box?.north ?? around.north, around.north))
      try entry.bind(1, feature.id)
      for (index, side) in [around.west, around.east, around.south, around.north].enumerated() {
        try entry.bind(Int32(index + 2), side)
      }
      _ = try entry.step()
      entry.reset()
    }
    try register(layer, box)
    return count
  }

  private func register(_ layer: FeatureLayer, _ box: BoundingBox?) throws(CairnError) {
    try addContents(layer.name, "features", layer.summary, box: box, system: Self.referenceSystem)
    let name = literal(layer.name)
    try connection.execute(
      """
      INSERT INTO gpkg_geometry_columns VALUES (\(name), 'geom', '\(layer.shape.rawValue)', \
      \(Self.referenceSystem), 0, 0)
      """)
    try connection.execute(
      """
      INSERT INTO gpkg_extensions VALUES (\(name), 'geom', 'gpkg_rtree_index', \
      'http://www.geopackage.org/spec130/#extension_rtree', 'write-only')
      """)
    for trigger in Self.triggers(quoted(layer.name), "rtree_\(layer.name)_geom") {
      try connection.execute(trigger)
    }
    guard let style = LayerStyle(layer) else { return }
    let row = try connection.prepare(
      """
      INSERT INTO layer_styles(f_table_catalog, f_table_schema, f_table_name, f_geometry_column, \
      styleName, styleQML, styleSLD, useAsDefault, description, owner, ui, update_time) \
      VALUES ('', '', \(name), 'geom', ?, ?, '', 1, ?, '', NULL, \(literal(time)))
      """)
    try row.bind(1, style.name)
    try row.bind(2, style.qml)
    try row.bind(3, style.summary)
    _ = try row.step()
  }

  private func addContents(
    _ table: String, _ type: String, _ summary: String, box: BoundingBox?, system: Int64?
  ) throws(CairnError) {
    let row = try connection.prepare(
      "INSERT INTO gpkg_contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (index, text) in [table, type, table, summary, time].enumerated() {
      try row.bind(Int32(index + 1), text)
    }
    let sides = box.map { [$0.west, $0.south, $0.east, $0.north] }
    for index in 0..<4 {
      if let sides {
        try row.bind(Int32(index + 6), sides[index])
      } else {
        try row.bindNull(Int32(index + 6))
      }
    }
    if let system { try row.bind(10, system) } else { try row.bindNull(10) }
    _ = try row.step()
  }

  private static func bind(
    _ feature: FeatureLayer.Feature, _ shape: FeatureLayer.Shape, _ box: BoundingBox?,
    to row: SQLiteStatement
  ) throws(CairnError) {
    try row.bind(1, feature.id)
    let blob = geometry(feature.lines, shape, box)
    var failure: CairnError?
    blob.withUnsafeBytes { bytes in
      do throws(CairnError) { try row.bindBlob(2, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    for (index, value) in feature.values.enumerated() {
      let column = Int32(index + 3)
      switch value {
      case .null: try row.bindNull(column)
      case .boolean(let flag): try row.bind(column, Int64(flag ? 1 : 0))
      case .integer(let number): try row.bind(column, number)
      case .real(let number): try row.bind(column, number)
      case .text(let text): try row.bind(column, text)
      }
    }
  }

  // MARK: Geometries

  /// The geometry as StandardGeoPackageBinary: the magic number, the version, flags (little endian,
  /// with a box), the reference system, the box, and well-known binary.
  static func geometry(
    _ lines: [[Coordinate]], _ shape: FeatureLayer.Shape, _ box: BoundingBox?
  ) -> [UInt8] {
    // An empty geometry has a flag instead of a box.
    var bytes: [UInt8] = [0x47, 0x50, 0, box == nil ? 0b1_0001 : shape == .point ? 1 : 0b11]
    bytes.append(fixed: UInt32(referenceSystem))
    if let box, shape != .point {
      for side in [box.west, box.east, box.south, box.north] {
        bytes.append(fixed: side.bitPattern)
      }
    }
    switch shape {
    case .point:
      begin(1, &bytes)
      append(lines.first?.first ?? Coordinate(latitude: .nan, longitude: .nan), &bytes)
    case .line: append(line: lines.first ?? [], &bytes)
    case .lines:
      begin(5, &bytes)
      bytes.append(fixed: UInt32(clamping: lines.count))
      for line in lines { append(line: line, &bytes) }
    }
    return bytes
  }

  private static func begin(_ type: UInt32, _ bytes: inout [UInt8]) {
    bytes.append(1)
    bytes.append(fixed: type)
  }

  private static func append(line: [Coordinate], _ bytes: inout [UInt8]) {
    begin(2, &bytes)
    bytes.append(fixed: UInt32(clamping: line.count))
    for point in line { append(point, &bytes) }
  }

  private static func append(_ point: Coordinate, _ bytes: inout [UInt8]) {
    bytes.append(fixed: point.longitude.bitPattern)
    bytes.append(fixed: point.latitude.bitPattern)
  }
}

/// A name in SQL.
private func quoted(_ name: String) -> String {
  "\"" + name.replacing(scalar: "\"", with: "\"\"") + "\""
}

/// A text in SQL.
private func literal(_ text: String) -> String {
  "'" + text.replacing(scalar: "'", with: "''") + "'"
}

extension GeoPackage {
  /// The tables of each GeoPackage, and those for QGIS and Cairn.
  private static let tables = [
    """
    CREATE TABLE gpkg_spatial_ref_sys (
        srs_name TEXT NOT NULL,
        srs_id INTEGER NOT NULL PRIMARY KEY,
        organization TEXT NOT NULL,
        organization_coordsys_id INTEGER NOT NULL,
        definition TEXT NOT NULL,
        description TEXT
    )
    """,
    """
    CREATE TABLE gpkg_contents (
        table_name TEXT NOT NULL PRIMARY KEY,
        data_type TEXT NOT NULL,
        identifier TEXT UNIQUE,
        description TEXT DEFAULT '',
        last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
        min_x DOUBLE,
        min_y DOUBLE,
        max_x DOUBLE,
        max_y DOUBLE,
        srs_id INTEGER,
        CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
    )
    """,
    """
    CREATE TABLE gpkg_geometry_columns (
        table_name TEXT NOT NULL,
        column_name TEXT NOT NULL,
        geometry_type_name TEXT NOT NULL,
        srs_id INTEGER NOT NULL,
        z TINYINT NOT NULL,
        m TINYINT NOT NULL,
        CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
        CONSTRAINT uk_gc_table_name UNIQUE (table_name),
        CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
        CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
    )
    """,
    """
    CREATE TABLE gpkg_extensions (
        table_name TEXT,
        column_name TEXT,
        extension_name TEXT NOT NULL,
        definition TEXT NOT NULL,
        scope TEXT NOT NULL,
        CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
    )
    """,
    """
    CREATE TABLE layer_styles (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        f_table_catalog TEXT(256),
        f_table_schema TEXT(256),
        f_table_name TEXT(256),
        f_geometry_column TEXT(256),
        styleName TEXT(30),
        styleQML TEXT,
        styleSLD TEXT,
        useAsDefault BOOLEAN,
        description TEXT,
        owner TEXT(30),
        ui TEXT(30),
        update_time DATETIME DEFAULT CURRENT_TIMESTAMP
    )
    """,
    """
    CREATE TABLE \(ownTable) (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL
    )
    """,
  ]

  /// The two undefined reference systems of each GeoPackage, and WGS 84.
  private static let referenceSystems = [
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined cartesian SRS', -1, 'NONE', -1, \
    'undefined', 'undefined cartesian coordinate reference system')
    """,
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined geographic SRS', 0, 'NONE', 0, \
    'undefined', 'undefined geographic coordinate reference system')
    """,
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84 geodetic', 4326, 'EPSG', 4326, \
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,\
    AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,\
    AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],\
    AUTHORITY["EPSG","4326"]]', \
    'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid')
    """,
  ]

  /// The triggers that keep a layer's index correct if another program changes the layer, exactly
  /// as specified.
  private static func triggers(_ table: String, _ index: String) -> [String] {
    let box = "NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom)"
    let name = quoted(index)
    let isThere = "NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)"
    let isGone = "(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))"
    func trigger(_ kind: String, _ event: String, _ condition: String, _ action: String) -> String {
      """
      CREATE TRIGGER \(quoted("\(index)_\(kind)")) AFTER \(event) ON \(table)
        WHEN (\(condition))
      BEGIN
        \(action)
      END
      """
    }
    let add = "INSERT OR REPLACE INTO \(name) VALUES (\(box));"
    let remove = "DELETE FROM \(name) WHERE id = OLD.fid;"
    return [
      trigger("insert", "INSERT", isThere, add),
      trigger("update1", "UPDATE OF geom", "OLD.fid = NEW.fid AND \(isThere)", add),
      trigger("update2", "UPDATE OF geom", "OLD.fid = NEW.fid AND \(isGone)", remove),
      trigger("update3", "UPDATE", "OLD.fid != NEW.fid AND \(isThere)", remove + " " + add),
      trigger(
        "update4", "UPDATE", "OLD.fid != NEW.fid AND \(isGone)",
        "DELETE FROM \(name) WHERE id IN (OLD.fid, NEW.fid);"),
      trigger("delete", "DELETE", "old.geom NOT NULL", remove),
    ]
  }
}
