// SPDX-License-Identifier: Apache-2.0
import JSONKit
import StrictYAML

/// The format of suite files, described a second time for editors; that it agrees with the reader is
/// tested.
package enum SuiteForm {
  private static let point = MappingForm.Value.either([
    .list(.range(-180...180), atLeast: 2, atMost: 2),
    .text(pattern: #"^\s*[-+0-9.eE]+\s*,\s*[-+0-9.eE]+\s*$"#),
  ])
  private static let time = MappingForm.Value.text(
    pattern: #"^\s*([0-9.]+\s+h(\s+[0-9.]+\s+min)?|[0-9.]+\s+min)\s*$"#)
  private static let share = MappingForm.Value.either([
    .range(0...100), .text(pattern: #"^[0-9.]+\s*%$"#),
  ])
  private static let wayClass = MappingForm.Value.choice(WayClass.words)
  private static let way = MappingForm.Value.integer(1...Int.max)
  private static func range(_ value: MappingForm.Value) -> MappingForm.Value {
    .list(value, atLeast: 2, atMost: 2)
  }
  private static func several(_ value: MappingForm.Value) -> MappingForm.Value {
    .either([value, .list(value)])
  }

  private static let dataset = MappingForm.Key(
    "dataset", .text(), "the id of a dataset; needed where there are several")
  private static func trip(required: Bool) -> [MappingForm.Key] {
    [
      .init("name", .text(), "what reports call it"), dataset,
      .init("from", point, required: required, "the start, latitude first"),
      .init(
        "via", .either([point, .list(point, atMost: SuiteReader.mostViaPoints)]), "via points"),
      .init("to", point, required: required, "the destination"),
    ]
  }

  static let datasets = MappingForm(
    keys: [
      .init("id", .text(), "its name in the suite (default: that of the file or the region)"),
      .init("database", .text(), "a .routing.db, or the folder of a bundle"),
      .init(
        "places", .text(),
        "a .places.db that says where pairs lie (default: the one beside the database)"),
      .init("manifest", .text(), "a manifest whose regions have been built"),
      .init("region", .text(), "only this region of the manifest"),
    ], alternatives: [["database"], ["manifest"]],
    needs: ["region": ["manifest"], "places": ["database"]])

  static let pairs = MappingForm(
    keys: trip(required: false) + [
      .init("file", .text(), "a CSV file of LAT,LON,LAT,LON"),
      .init("draw", .integer(1...SuiteReader.mostDrawnPairs), "how many pairs to draw"),
      .init("seed", .integer(0...Int.max), "the same seed draws the same pairs (default 1)"),
      .init(
        "distance-km", .list(.range(0.05...500), atLeast: 2, atMost: 20),
        "bounds of bands of straight distance, drawn from equally (default 1, 3, 6, 12)"),
      .init(
        "rise-m", .list(.range(-9000...9000), atLeast: 2, atMost: 20),
        "bounds of bands of how much higher the destination lies, drawn from equally"),
    ], alternatives: [["file"], ["draw"], ["from", "to"]])

  static let times = MappingForm(
    keys: trip(required: false) + [
      .init(
        "file", .text(), "a CSV file with the columns distance-km, ascent-m, descent-m, minutes"),
      .init("distance-km", .range(0.001...SuiteReader.longestKilometres), "its length"),
      .init("ascent-m", .range(0...SuiteReader.mostClimbMetres), "metres climbed"),
      .init("descent-m", .range(0...SuiteReader.mostClimbMetres), "metres descended"),
      .init("minutes", .range(0.1...SuiteReader.longestMinutes), "how long it took, without rests"),
    ],
    alternatives: [
      ["file"], ["from", "to", "minutes"], ["distance-km", "ascent-m", "descent-m", "minutes"],
    ])

  static let tracks = MappingForm(keys: [
    .init("name", .text(), "what reports call it (default: the file's name)"),
    .init("dataset", .text(), "the id of a dataset (default: the one that the track lies in)"),
    .init("file", .text(), required: true, "a GPX file"),
    .init(
      "leg-km", .range(0.2...100),
      "it is compared with routes between points this far apart (default 3)"),
  ])

  static let expectations = MappingForm(
    keys: trip(required: true) + [
      .init("uses-way", several(way), "OpenStreetMap ways that the route must use"),
      .init("avoids-way", several(way), "OpenStreetMap ways that it must not use"),
      .init("avoids", several(wayClass), "kinds of ways that it must not use"),
      .init(
        "at-most", .mapping(shares("at most this share of its length")),
        "the largest shares of kinds of ways"),
      .init(
        "at-least", .mapping(shares("at least this share of its length")),
        "the smallest shares of kinds of ways"),
      .init("time", range(time), "the shortest and the longest time"),
      .init(
        "distance-km",
        .either([
          .range(0...SuiteReader.longestKilometres),
          range(.range(0...SuiteReader.longestKilometres)),
        ]), "its length"),
      .init(
        "gain-m",
        .either([
          .range(0...SuiteReader.mostClimbMetres), range(.range(0...SuiteReader.mostClimbMetres)),
        ]), "metres climbed"),
      .init("within-percent", .range(0...100), "by how much a length or a gain may be missed"),
      .init("no-route", .boolean, "that there is no route"),
    ])

  private static func shares(_ help: String) -> MappingForm {
    MappingForm(keys: WayClass.words.map { .init($0, share, help) })
  }

  static let thresholds = MappingForm(
    keys: ThresholdMeasure.allCases.map { measure in
      let limit = limit(of: measure)
      let form = ofDatasets(limit)
      return .init(
        measure.rawValue, .either([limit, .mapping(form), .list(.mapping(form), atLeast: 1)]),
        measure.phrase)
    })

  /// A limit that holds in some datasets.
  static func ofDatasets(_ limit: MappingForm.Value) -> MappingForm {
    MappingForm(keys: [
      .init("limit", limit, required: true, "what is allowed"),
      .init("datasets", several(.text()), "the datasets in each of which it holds"),
      .init("each-dataset", .boolean, "that it holds in each dataset, not over all together"),
    ])
  }

  private static func limit(of measure: ThresholdMeasure) -> MappingForm.Value {
    let number: MappingForm.Value =
      measure.isCount
      ? .integer(0...SuiteReader.mostCounted)
      : .range(-SuiteReader.largestLimit...SuiteReader.largestLimit)
    return switch measure.limit {
    case .range: range(number)
    case .atLeast: .either([.range(0...100), range(number)])
    case .atMost:
      .either([measure.isCount ? number : .range(0...SuiteReader.largestLimit), range(number)])
    }
  }

  /// A whole suite.
  static let suite = MappingForm(keys: [
    .init(
      "cairn-suite", .integer(TuningSuite.fileVersion...TuningSuite.fileVersion), required: true,
      "the version"),
    .init("name", .text(), required: true, "its name in reports"),
    .init(
      "datasets", .list(.mapping(datasets), atLeast: 1), required: true,
      "the databases to find routes in"),
    .init("pairs", .list(.mapping(pairs)), "points to find routes between"),
    .init("reference-times", .list(.mapping(times)), "how long known walks took"),
    .init("reference-tracks", .list(.mapping(tracks)), "recorded walks"),
    .init("expectations", .list(.mapping(expectations)), "what is expected of routes"),
    .init("thresholds", .mapping(thresholds), "what a candidate must keep to"),
  ])

  /// The JSON Schema (draft 2020-12) of suite files, for editors.
  package static var schema: JSONValue {
    suite.schema(
      "Cairn tuning suite", "What cost profiles are compared and fitted on")
  }
}
