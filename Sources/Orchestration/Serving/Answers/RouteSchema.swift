// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnTagRules
import CommandLineKit

/// The JSON Schema (draft 2020-12) of a route as `cairn route --format json` prints it.
enum RouteSchema {
  /// The schema.
  static var value: JSONValue {
    guard case .object(var schema) = object(required: route) else { return .null }
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Cairn route"
    schema["description"] =
      "Metres, seconds and degrees; coordinates are [latitude, longitude]; unknown is null"
    return .object(schema)
  }

  private static let route: [String: JSONValue] = [
    "name": text,
    "totalDistance": number, "totalCost": number, "estimatedDuration": number,
    "elevationGain": orNull(number), "elevationLoss": orNull(number),
    "unknownClimbMetres": number, "durationWithoutClimb": boolean,
    "durationRange": orNull(object(required: ["p10": number, "p50": number, "p90": number])),
    "regions": list(
      object(["id": text, "name": text, "dataDate": text])),
    "warnings": list(object(required: warning)), "coordinates": list(point),
    "nodes": list(
      object(
        ["elevation": number],
        required: ["id": integer, "latitude": number, "longitude": number])),
    "edges": list(edge), "viaPoints": list(point), "viaNodes": list(integer),
    "hardestStretch": orNull(stretch),
    "shorterWay": orNull(
      object(
        required: [
          "distanceMetres": number,
          "avoided": list(
            object(required: ["what": text, "tag": orNull(text), "lengthMetres": number])),
        ])),
    "quickerRoute": orNull(
      object(
        required: [
          "seconds": number, "distanceMetres": number, "isByRoad": boolean, "profile": orNull(text),
        ])), "unmet": list(stretch),
    "offNetwork": list(
      object(
        required: [
          "point": text, "distanceMetres": number, "isCutOff": boolean, "lastResort": orNull(text),
        ])),
    "accessDate": orNull(text), "departure": orNull(text),
    "end": orNull(
      object(
        required: [
          "arrival": text, "utcOffsetMinutes": integer, "sunrise": orNull(text),
          "sunset": orNull(text), "endsInTheDark": boolean,
        ])),
    "rules": orNull(
      object(required: ["count": integer, "uncertain": integer, "unreadable": integer])),
  ]

  private static let warning: [String: JSONValue] = [
    "kind": words(HazardKind.allCases.map(\.rawValue)),
    "severity": words(HazardSeverity.allCases.map(\.rawValue)), "fromMetres": number,
    "toMetres": number, "osm": orNull(text), "tag": orNull(text), "text": text,
  ]

  private static let edge = object(
    [
      "surface": text, "highwayType": text, "sacScale": text, "trailVisibility": text,
      "name": text, "osmWayId": integer, "reverseCost": number, "duration": number,
      "start": number, "end": number,
    ],
    required: [
      "id": integer, "fromNode": integer, "toNode": integer, "distance": number,
      "elevationGain": orNull(number), "elevationLoss": orNull(number), "cost": number,
      "isOneway": boolean, "isReversed": boolean,
    ])

  private static let stretch = object(
    [
      "preference": words(RoutePreference.allCases.map(\.rawValue)), "grade": text,
      "slopePercent": number,
    ], required: ["fromMetres": number, "toMetres": number, "lengthMetres": number])

  private static let number: JSONValue = .object(["type": "number"])
  private static let integer: JSONValue = .object(["type": "integer"])
  private static let boolean: JSONValue = .object(["type": "boolean"])
  private static let text: JSONValue = .object(["type": "string"])
  private static let point: JSONValue = .object([
    "type": "array", "items": number, "minItems": 2, "maxItems": 2,
  ])

  private static func words(_ words: [String]) -> JSONValue {
    .object(["enum": .list(words.map { .text($0) })])
  }

  private static func list(_ items: JSONValue) -> JSONValue {
    .object(["type": "array", "items": items])
  }

  private static func orNull(_ value: JSONValue) -> JSONValue {
    .object(["anyOf": .list([value, .object(["type": "null"])])])
  }

  private static func object(
    _ optional: [String: JSONValue] = [:], required: [String: JSONValue] = [:]
  ) -> JSONValue {
    .object([
      "type": "object", "additionalProperties": false,
      "required": .list(required.keys.sorted().map { .text($0) }),
      "properties": .object(optional.merging(required, uniquingKeysWith: { first, _ in first })),
    ])
  }
}
