// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit
import CostModel
import Presentation

extension Viewer {
  /// The served data: regions with their state, profiles, and available maps.
  func regions(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let stored: [(name: String, profile: CostProfile?)]
    do throws(RoutingError) {
      stored = try data.store.profiles().map {
        ($0.name, try? CostProfile(definition: $0.definition))
      }
    } catch { throw error.ofCommand(at: data.databases.title) }
    let others = CostProfile.builtIn.filter { profile in
      !stored.contains { $0.name == profile.name }
    }
    let profiles =
      stored.map { Self.json(of: $0.profile, named: $0.name, isStored: true) }
      + (stored.isEmpty ? [] : others.map { Self.json(of: $0, named: $0.name, isStored: false) })
    // A bundle's attribution includes the elevations.
    let attributions = data.parts.compactMap {
      $0.entry?.attribution ?? $0.metadata[RoutingMetadataKey.attribution]
    }
    return HTTPAnswer(
      try encodeJSON(
        JSONValue.object([
          "generation": .integer(data.generation),
          "regions": .list(data.parts.map(Self.json)),
          "profiles": .list(profiles),
          "attributions": .list(Set(attributions).sorted().map { .text($0) }),
          "hasPlaces": .boolean(data.places != nil),
          "relief": try relief.zooms(data).map { zooms in
            .list([.integer(zooms.lowerBound), .integer(zooms.upperBound)])
          } ?? .null,
          "waysFromZoom": .integer(data.waysFromZoom),
        ])))
  }

  private static func json(of part: ServedData.Part) -> JSONValue {
    func text(_ key: String) -> JSONValue { part.metadata[key].map { .text($0) } ?? .null }
    func count(_ key: String) -> JSONValue {
      part.metadata[key].flatMap { Int($0) }.map { .integer($0) } ?? .null
    }
    return .object([
      "id": text(RoutingMetadataKey.regionID), "name": text(RoutingMetadataKey.regionName),
      "box": part.box.map { box in
        .list([box.west, box.south, box.east, box.north].map { .number($0) })
      } ?? .null,
      "dataDate": text(RoutingMetadataKey.osmDataDate),
      "accessDate": text(RoutingMetadataKey.accessDate),
      "createdAt": text(RoutingMetadataKey.createdAt),
      "nodes": count(RoutingMetadataKey.nodeCount), "edges": count(RoutingMetadataKey.edgeCount),
      "state": part.entry.map { .text($0.status.rawValue) } ?? .null,
      "reason": part.entry?.reason.map { .text($0) } ?? .null,
    ])
  }

  private static func json(of profile: CostProfile?, named name: String, isStored: Bool)
    -> JSONValue
  {
    .object([
      "name": .text(name), "description": .text(profile?.summary ?? ""),
      "mode": profile.map { .text($0.mode.rawValue) } ?? .null, "isStored": .boolean(isStored),
    ])
  }

  /// A profile with its numbers and as a file, perhaps changed by `set`.
  func profile(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let definition = CommandDefinition(
      name: "/api/profile", summary: "",
      options: [
        .option("profile", "NAME", help: ""),
        .option("set", "KEY=VALUE", repeats: true, help: ""), .option("name", "NAME", help: ""),
      ])
    let arguments = try request.arguments(for: definition)
    let choice = try Self.choice(arguments)
    return try data.answering(choice, []) {
      guard
        var profile = try choice.resolved(in: data.store, quietly: true).chosen?
          .definition(in: data.store)
      else {
        throw CairnError("no-profiles", .negative, "the database has no cost profiles")
      }
      if let name = arguments.value("name") { profile.name = name }
      let numbers = profile.numbers.map { number -> JSONValue in
        .object([
          "key": .text(number.key), "help": .text(number.help),
          "value": number.value.isFinite ? .number(number.value) : .null,
          "range": number.range.map { .list([.number($0.lowerBound), .number($0.upperBound)]) }
            ?? .null,
          "canBeImpassable": .boolean(number.canBeImpassable),
        ])
      }
      return HTTPAnswer(
        try encodeJSON(
          JSONValue.object([
            "name": .text(profile.name), "description": .text(profile.summary),
            "numbers": .list(numbers), "yaml": .text(try profile.yamlText()),
          ])))
    }
  }

  /// Places by name, as `cairn search --json` prints them.
  func search(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    guard let query = request.value("q") else {
      throw CairnError(.usage, .usage, "q is missing", hint: "q=NAME")
    }
    let near = try request.value("near").map { _ throws(CairnError) in
      try request.stop("near", data).coordinate
    }
    return try asking(data) { places throws(SearchError) in
      SearchRecord(try places.search(query, near: near))
    }
  }

  /// A description of a point, as printed by `cairn where --json`.
  func place(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let point = try request.point("at")
    return try asking(data) { places throws(SearchError) in
      WhereRecord(try places.reverseGeocode(location: point))
    }
  }

  /// More names would only cover each other.
  private static let mostNames = 240

  /// The names in a box for its map, the most important ones of each database first.
  func names(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    guard let text = request.value("box"), let box = BoundingBox(commandLine: text) else {
      throw CairnError(
        .usage, .usage, "box must be a box in degrees", hint: "box=WEST,SOUTH,EAST,NORTH")
    }
    let labels = try data.placeFiles.flatMap { path throws(CairnError) in
      try PlaceLabel.read(path, in: box, limit: Self.mostNames / data.placeFiles.count + 1)
    }
    let names = labels.map { label -> JSONValue in
      .object([
        "text": .text(label.textOnMaps), "kind": .text(label.kind.rawValue),
        "latitude": .number(label.coordinate.latitude),
        "longitude": .number(label.coordinate.longitude),
      ])
    }
    return HTTPAnswer(try encodeJSON(JSONValue.object(["names": .list(names)]), pretty: false))
  }

  private func asking<Answer: Encodable>(
    _ data: ServedData, _ body: (SearchSet) throws(SearchError) -> Answer
  ) throws(CairnError) -> HTTPAnswer {
    guard let places = data.places else {
      throw CairnError(
        "no-places", .negative, "no .places.db beside the databases",
        hint: "make one with cairn index-places")
    }
    let answer: Answer
    do throws(SearchError) { answer = try body(places) } catch {
      throw error.ofCommand(at: data.databases.title)
    }
    return HTTPAnswer(try encodeJSON(answer))
  }
}
