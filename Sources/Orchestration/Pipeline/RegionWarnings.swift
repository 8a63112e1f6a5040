// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import CommandLineKit
import Publishing
import SystemIO
import Validation

/// The warnings of a region by stage and kind, with the coordinates of the objects that they name.
package struct RegionWarnings {
  /// An example.
  package struct Example: Equatable {
    /// The stage's text.
    package var text: String
    /// Degrees of latitude and longitude of the first object that the text names; nil if unknown.
    package var coordinate: (latitude: Double, longitude: Double)?

    package static func == (left: Example, right: Example) -> Bool {
      left.text == right.text && left.coordinate?.latitude == right.coordinate?.latitude
        && left.coordinate?.longitude == right.coordinate?.longitude
    }
  }

  /// The warnings of one kind.
  package struct Kind: Equatable {
    /// The stage that warned.
    package var stage: String
    /// The code of the warning, or the rule of the validator.
    package var kind: String
    /// The number of them.
    package var count: Int
    /// The first of them.
    package var examples: [Example]
  }

  /// The region.
  package let id: String
  /// Those of the published bundle; nil if none is published, or if no run has recorded them.
  package private(set) var kinds: [Kind]?
  /// Those of what the last run refused to publish; nil if it refused nothing.
  package private(set) var refused: [Kind]?
  /// The differences of the published databases from those before.
  package let drift: [DriftReport]
  /// Whether a bundle is published.
  private let isPublished: Bool

  /// Reads the warnings of a region and looks up the objects that they name. Throws 65 for a damaged
  /// record.
  ///
  /// - Parameters:
  ///   - output: The output folder.
  ///   - database: The region's routing database, in which objects are looked up if it exists.
  ///   - limit: Examples of each kind.
  package init(_ id: String, inOutput output: String, database: String, limit: Int)
    throws(CairnError)
  {
    let records = WarningRecords(ofOutput: output)
    try self.init(
      id, published: records.published(id), refused: records.refused(id),
      isPublished: BundleRecord(inFolder: joinPath(output, id)) != nil, database: database,
      limit: limit)
  }

  init(
    _ id: String, published: BundleWarnings?, refused: BundleWarnings? = nil,
    isPublished: Bool = true, database: String, limit: Int
  ) throws(CairnError) {
    self.id = id
    self.isPublished = isPublished
    drift = published?.drift ?? []
    let objects = try ObjectCoordinates(database)
    func kinds(_ warnings: BundleWarnings) throws(CairnError) -> [Kind] {
      try warnings.kinds.map { kind throws(CairnError) in
        Kind(
          stage: kind.stage, kind: kind.kind, count: kind.count,
          examples: try kind.examples.prefix(limit).map { text throws(CairnError) in
            var coordinate = Self.statedCoordinate(in: text)
            if coordinate == nil { coordinate = try objects?.coordinate(named: text) }
            return Example(text: text, coordinate: coordinate)
          })
      }
    }
    if let published { self.kinds = try kinds(published) }
    if let refused { self.refused = try kinds(refused) }
  }

  /// The coordinate that a text states itself: `… at 42.5,1.5: …`.
  private static func statedCoordinate(in text: String) -> (latitude: Double, longitude: Double)? {
    guard let at = text.firstRange(of: " at ") else { return nil }
    let word = text[at.upperBound...].prefix { $0.isNumber || "-.,".contains($0) }
    return Coordinate(commandLine: word.hasSuffix(",") ? word.dropLast() : word)
      .map { ($0.latitude, $0.longitude) }
  }

  /// The warnings as lines.
  package var text: String {
    let unknown =
      isPublished ? "its warnings are not recorded; the next run does that" : "not published"
    var lines = ["\(id): \(kinds.map(Self.total) ?? unknown)"]
    lines += Self.lines(kinds ?? [], indent: "  ")
    if let refused {
      lines.append("  the last run refused a bundle with \(Self.total(refused))")
      lines += Self.lines(refused, indent: "    ")
    }
    return lines.map { printable($0) + "\n" }.joined()
  }

  private static func total(_ kinds: [Kind]) -> String {
    let total = kinds.reduce(0) { $0 &+ $1.count }
    return total == 0 ? "no warnings" : counted(total, "warning")
  }

  private static func lines(_ kinds: [Kind], indent: String) -> [String] {
    kinds.flatMap { kind -> [String] in
      var lines = ["\(kind.stage): \(grouped(kind.count)) \(kind.kind)"]
      for example in kind.examples {
        let stated = statedCoordinate(in: example.text)
        let coordinate = (stated == nil ? example.coordinate : nil).map {
          " at \(decimal($0.latitude, 5)),\(decimal($0.longitude, 5))"
        }
        lines.append("  \(example.text)\(coordinate ?? "")")
      }
      if kind.count > kind.examples.count {
        lines.append("  … and \(grouped(kind.count - kind.examples.count)) more")
      }
      return lines.map { indent + $0 }
    }
  }

  /// The warnings as JSON.
  package var json: JSONValue {
    var object: [String: JSONValue] = [
      "id": .text(id), "isRecorded": .boolean(kinds != nil),
      "warnings": Self.list(kinds ?? []),
    ]
    if let refused { object["refused"] = Self.list(refused) }
    return .object(object)
  }

  private static func list(_ kinds: [Kind]) -> JSONValue {
    .list(
      kinds.map { kind -> JSONValue in
        .object([
          "stage": .text(kind.stage), "kind": .text(kind.kind), "count": .integer(kind.count),
          "examples": .list(
            kind.examples.map { example in
              .object([
                "text": .text(example.text),
                "latitude": example.coordinate.map { .number($0.latitude) } ?? .null,
                "longitude": example.coordinate.map { .number($0.longitude) } ?? .null,
              ])
            }),
        ])
      })
  }
}

/// Positions of ways and nodes from a routing database, and of relations from the database of
/// places next to it.
private struct ObjectCoordinates {
  private let connection: SQLiteConnection
  private let places: SQLiteConnection?

  /// Nil if there is no such database.
  init?(_ path: String) throws(CairnError) {
    guard let connection = Self.open(path),
      try connection.columns(ofTable: "routing_nodes") != nil,
      try connection.columns(ofTable: "routing_edges") != nil
    else { return nil }
    self.connection = connection
    let places = Self.open(path.replacing(".routing.db", with: ".places.db"))
    self.places = try places?.columns(ofTable: "places") == nil ? nil : places
  }

  private static func open(_ path: String) -> SQLiteConnection? {
    isFile(path, ofBytes: fileSize(path)) ? try? SQLiteConnection(path, .readOnly) : nil
  }

  /// The position of the first object that a text names, such as `way 42`.
  func coordinate(named text: String) throws(CairnError) -> (latitude: Double, longitude: Double)? {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    for (word, number) in zip(words, words.dropFirst()) {
      guard let id = Int64(number) else { continue }
      if word == "relation", let places {
        let statement = try places.prepare("SELECT latitude, longitude FROM places WHERE osm = ?")
        try statement.bind(1, "r\(id)")
        if try statement.step() { return (statement.number(0), statement.number(1)) }
      }
      guard word == "way" || word == "node" else { continue }
      let query =
        word == "node"
        ? "SELECT latitude, longitude FROM routing_nodes WHERE id = ?"
        : """
        SELECT n.latitude, n.longitude FROM routing_edges e JOIN routing_nodes n ON n.id = e.from_node
        WHERE e.osm_way_id = ? ORDER BY e.id LIMIT 1
        """
      let statement = try connection.prepare(query)
      try statement.bind(1, id)
      if try statement.step() { return (statement.number(0), statement.number(1)) }
    }
    return nil
  }
}
