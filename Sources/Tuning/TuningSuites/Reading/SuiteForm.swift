// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import JSONKit
import StrictYAML

/// The format of suite files, by which ``SuiteReader`` and editors check them.
package enum SuiteForm {
  private static let point = MappingForm.Value.either([
    .list(.range(-180...180), atLeast: 2, atMost: 2),
    .text(pattern: #"^\s*[-+0-9.eE]+\s*,\s*[-+0-9.eE]+\s*$"#),
  ])
  static let viaPoints = MappingForm.Value.list(point, atMost: 100)
  private static let time = MappingForm.Value.text(
    pattern: #"^\s*([0-9.]+\s+h(\s+[0-9.]+\s+min)?|[0-9.]+\s+min)\s*$"#)
  static let share = MappingForm.Value.either([
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
  private static var trip: [MappingForm.Key] {
    [
      .init("name", .text(), "what reports call it"), dataset,
      .init("from", point, required: true, "the start, latitude first"),
      .init(
        "via", .either([point, viaPoints]), "via points"),
      .init("to", point, required: true, "the destination"),
    ]
  }

  static let datasets = MappingForm(
    keys: [
      .init("id", .text(), "its name in the suite (default: the name of the file or the region)"),
      .init("database", .text(), "a .routing.db, or the folder of a bundle"),
      .init(
        "places", .text(),
        "a .places.db to describe where pairs lie (default: the one beside the database)"),
      .init("manifest", .text(), "a manifest whose regions have been built"),
      .init("region", .text(), "only this region of the manifest"),
    ], alternatives: [["database"], ["manifest"]],
    needs: ["region": ["manifest"], "places": ["database"]])

  static let listedPairs = MappingForm(keys: [
    dataset, .init("file", .text(), required: true, "a CSV file of LAT,LON,LAT,LON"),
  ])
  static let drawnPairs = MappingForm(keys: [
    dataset,
    .init("draw", .integer(1...1_000_000), required: true, "number of pairs to draw"),
    .init("seed", .integer(0...Int.max), "the same seed draws the same pairs (default 1)"),
    .init(
      "distance-km", .list(.range(0.05...500), atLeast: 2, atMost: 20),
      "bounds of bands of straight distance, drawn from equally (default 1, 3, 6, 12)"),
    .init(
      "rise-m", .list(.range(-9000...9000), atLeast: 2, atMost: 20),
      "bounds of bands of how much higher the destination lies, drawn from equally"),
  ])
  static let givenPair = MappingForm(keys: trip)
  static let pairs = MappingForm(oneOf: [listedPairs, drawnPairs, givenPair])

  /// The longest walk in kilometres.
  private static let kilometres = 0...2000.0
  /// The most that a walk climbs or descends.
  private static let climb = MappingForm.Value.range(0...200_000)
  private static let minutes = MappingForm.Key(
    "minutes", .range(0.1...40_320), required: true, "its duration without rests")

  static let listedTimes = MappingForm(keys: [
    dataset,
    .init(
      "file", .text(), required: true,
      "a CSV file with the columns distance-km, ascent-m, descent-m, minutes, name, source"),
  ])
  static let timedRoute = MappingForm(keys: trip + [minutes])
  static let timedTotals = MappingForm(keys: [
    .init("name", .text(), "what reports call it"), dataset,
    .init(
      "distance-km", .range(0.001...kilometres.upperBound), required: true, "its length"),
    .init("ascent-m", climb, required: true, "metres climbed"),
    .init("descent-m", climb, required: true, "metres descended"),
    minutes,
    .init(
      "source", .text(),
      "who published it; a fit is never tested on a source that it was fitted to"),
  ])
  static let times = MappingForm(oneOf: [listedTimes, timedRoute, timedTotals])

  static let tracks = MappingForm(keys: [
    .init("name", .text(), "what reports call it (default: the file's name)"),
    .init("dataset", .text(), "the id of a dataset (default: the one that the track lies in)"),
    .init("file", .text(), required: true, "a GPX file"),
    .init(
      "leg-km", .range(0.2...100),
      "distance between the points of the routes to compare it with (default 3)"),
  ])

  private static let slope = MappingForm.Value.range(0...1000)
  private static func slopes(_ help: String) -> [MappingForm.Key] {
    RouteSteepness.Direction.allCases.map {
      .init(slopeKey($0), slope, "\($0.rawValue), \(help)")
    }
  }
  static func slopeKey(_ direction: RouteSteepness.Direction) -> String {
    "\(direction.rawValue)-percent"
  }

  /// The length of a route that may be steep.
  static let steeper = MappingForm(
    keys: slopes("steeper than this") + [
      .init("at-most-m", .range(0...2_000_000), required: true, "the greatest length in metres")
    ], alternatives: RouteSteepness.Direction.allCases.map { [slopeKey($0)] })
  /// The steepness allowed for the steepest 100 m of a route.
  static let steepest = MappingForm(
    keys: slopes("at most this"),
    alternatives: RouteSteepness.Direction.allCases.map { [slopeKey($0)] }, isOne: false)

  /// The possible expectations of a route.
  static let checks = MappingForm(
    keys: [
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
          .range(kilometres), range(.range(kilometres)),
        ]), "its length"),
      .init(
        "gain-m",
        .either([climb, range(climb)]), "metres climbed"),
      .init("loss-m", .either([climb, range(climb)]), "metres descended"),
      .init(
        "steeper", several(.mapping(steeper)), "greatest length steeper than a slope"),
      .init("steepest-100-m", .mapping(steepest), "the slopes of the steepest 100 m"),
      .init("no-route", .boolean, "expect no route"),
    ])

  static let expectations = MappingForm(
    keys: trip + checks.keys + [
      .init(
        "within-percent", .range(0...100), "tolerance of a length, a gain or a loss")
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
      .init("datasets", several(.text()), "the datasets to apply it to, each by itself"),
      .init("each-dataset", .boolean, "apply it to each dataset, not to all together"),
    ])
  }

  static func limit(of measure: ThresholdMeasure) -> MappingForm.Value {
    let largest = 1_000_000.0
    let number: MappingForm.Value =
      measure.isCount ? .integer(0...1_000_000_000) : .range(-largest...largest)
    return switch measure.limit {
    case .range: range(number)
    case .atLeast: .either([.range(0...100), range(number)])
    case .atMost: .either([measure.isCount ? number : .range(0...largest), range(number)])
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
    .init("reference-times", .list(.mapping(times)), "times of known walks"),
    .init("reference-tracks", .list(.mapping(tracks)), "recorded walks"),
    .init("expectations", .list(.mapping(expectations)), "expectations of routes"),
    .init("thresholds", .mapping(thresholds), "limits for candidates"),
  ])

  /// The JSON Schema (draft 2020-12) of suite files, for editors.
  package static var schema: JSONValue {
    suite.schema(
      "Cairn tuning suite", "Data to compare and fit cost profiles with")
  }
}
