// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import CommandLineKit
import SystemIO

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
  /// Nil if no recorded run did anything for the region.
  package private(set) var kinds: [Kind]?
  /// Warnings whose result is no longer kept.
  package private(set) var forgotten = 0

  /// Looks up the objects named by the warnings.
  ///
  /// - Parameters:
  ///   - recorded: The region's record of a run; nil if there is none.
  ///   - database: The region's routing database, in which objects are looked up if it exists.
  ///   - limit: Examples of each kind.
  package init(_ id: String, _ recorded: RecordedRun.Region?, database: String, limit: Int)
    throws(CairnError)
  {
    self.id = id
    guard let recorded else { return }
    var kinds: [Kind] = []
    for stage in recorded.stages {
      kinds += stage.kinds.map { entry in
        Kind(
          stage: stage.stage, kind: entry.kind, count: entry.count,
          examples: entry.examples.prefix(limit).map { Example(text: $0) })
      }
      kinds += stage.checks.filter { $0.status == "warning" }.map { check in
        Kind(
          stage: stage.stage, kind: check.rule, count: check.count,
          examples: check.details.prefix(limit).map { Example(text: $0) })
      }
      forgotten += max(0, stage.warnings - stage.kinds.reduce(0) { $0 &+ $1.count })
    }
    let objects = try ObjectCoordinates(database)
    for kind in kinds.indices {
      for example in kinds[kind].examples.indices {
        let text = kinds[kind].examples[example].text
        var coordinate = Self.statedCoordinate(in: text)
        if coordinate == nil { coordinate = try objects?.coordinate(named: text) }
        kinds[kind].examples[example].coordinate = coordinate
      }
    }
    self.kinds = kinds
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
    guard let kinds else { return "\(id): no recorded run built it\n" }
    let total = kinds.reduce(0) { $0 &+ $1.count } + forgotten
    var lines = ["\(id): \(total == 0 ? "no warnings" : counted(total, "warning"))"]
    for kind in kinds {
      lines.append("  \(kind.stage): \(grouped(kind.count)) \(kind.kind)")
      for example in kind.examples {
        let stated = Self.statedCoordinate(in: example.text)
        let coordinate = (stated == nil ? example.coordinate : nil).map {
          " at \(decimal($0.latitude, 5)),\(decimal($0.longitude, 5))"
        }
        lines.append("    \(example.text)\(coordinate ?? "")")
      }
      if kind.count > kind.examples.count {
        lines.append("    … and \(grouped(kind.count - kind.examples.count)) more")
      }
    }
    if forgotten > 0 { lines.append("  \(grouped(forgotten)) whose results are no longer kept") }
    return lines.map { printable($0) + "\n" }.joined()
  }

  /// The warnings as JSON.
  package var json: JSONValue {
    let list = (kinds ?? []).map { kind -> JSONValue in
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
    }
    return .object([
      "id": .text(id), "isRecorded": .boolean(kinds != nil), "warnings": .list(list),
      "forgotten": .integer(forgotten),
    ])
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
