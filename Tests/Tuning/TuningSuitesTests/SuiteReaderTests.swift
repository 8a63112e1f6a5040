// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import TestSupport
import Testing

@testable import TuningSuites

@Suite("Suites are read")
struct SuiteReaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.routing.db", "b.routing.db", "hike.gpx", "m.yaml"] {
      try folder.write("", to: name)
    }
  }

  /// The beginning of a suite with two datasets.
  private static let head = """
    cairn-suite: 1
    name: test
    datasets:
      - { database: a.routing.db }
      - { id: other, database: b.routing.db }

    """

  private func read(_ rest: String, head: String = Self.head) throws -> TuningSuite {
    try TuningSuite(file: try folder.write(head + rest, to: "suite.yaml"))
  }

  @Test("everything that a suite may have is read, with paths seen from its folder")
  func whole() throws {
    try folder.write("47,10,47.1,10.1\n47.2,10.2,47.3,10.3\n", to: "pairs.csv")
    try folder.write(
      "minutes,name,source,descent-m,ascent-m,distance-km\n90,Round,A guide,100,200,5\n"
        + "80,Back,,100,200,5\n", to: "times.csv")
    let suite = try read(
      """
      pairs:
        - { dataset: a, file: pairs.csv }
        - { dataset: a, name: mine, from: "47.0,10.0", via: [[47.05, 10.05]], to: [47.1, 10.1] }
        - { dataset: other, draw: 10, seed: 7, distance-km: [1, 2, 4], rise-m: [-500, 0, 500] }
      reference-times:
        - { distance-km: 9.4, ascent-m: 812, descent-m: 760, minutes: 245, source: Signposts }
        - { dataset: a, file: times.csv }
        - { dataset: other, from: [47.0, 10.0], to: [47.1, 10.1], minutes: 60 }
      reference-tracks:
        - { dataset: a, file: hike.gpx, leg-km: 5 }
      expectations:
        - dataset: a
          from: [47.0, 10.0]
          to: [47.1, 10.1]
          uses-way: [1, 2]
          avoids-way: 3
          avoids: [via_ferrata, T4]
          at-most: { primary: 5 %, asphalt: 20 }
          at-least: { waymarked: 50 % }
          time: [3 h, 3 h 30 min]
          gain-m: 800
          distance-km: [9, 10]
          loss-m: [700, 900]
          within-percent: 5
          steeper: { downhill-percent: 30, at-most-m: 200 }
          steepest-100-m: { uphill-percent: 45, downhill-percent: 40 }
        - { dataset: a, from: [47.0, 10.0], to: [47.1, 10.1], no-route: true }
      thresholds:
        changed-percent: 30
        time-median-percent: [-5, 5]
        overlap-percent: 60
      """)
    #expect(suite.datasets.map(\.id) == ["a", "other"])
    #expect(suite.datasets[0].database == folder.file("a.routing.db"))
    guard suite.pairs.count == 2, case .given(let trips) = suite.pairs[0],
      case .drawn(let drawn) = suite.pairs[1]
    else {
      Issue.record("the pairs are others: \(suite.pairs)")
      return
    }
    #expect(trips.count == 3 && trips[1].location.position == .line(2, column: 1))
    #expect(trips[2].name == "mine" && trips[2].points.count == 3)
    #expect(trips[2].points[0] == Coordinate(latitude: 47, longitude: 10))
    #expect(drawn.dataset == 1 && drawn.seed == 7)
    #expect(drawn.distanceBoundsMetres == [1000, 2000, 4000])
    #expect(drawn.riseBoundsMetres == [-500, 0, 500])
    #expect(suite.referenceTimes.map(\.seconds) == [14_700, 5_400, 4_800, 3_600])
    #expect(suite.referenceTimes.map(\.dataset) == [nil, 0, 0, 1])
    #expect(suite.referenceTimes.map(\.source) == ["Signposts", "A guide", nil, nil])
    #expect(suite.referenceTimes.prefix(3).map(\.name) == [nil, "Round", "Back"])
    #expect(
      suite.referenceTimes[1].course
        == .totals(distanceMetres: 5000, ascentMetres: 200, descentMetres: 100))
    #expect(
      suite.referenceTracks[0].legMetres == 5000 && suite.referenceTracks[0].name == "hike.gpx")
    #expect(
      suite.expectations[0].checks == [
        .usesWay(1), .usesWay(2), .avoidsWay(3), .avoids(.highway("via_ferrata")),
        .avoids(.grade(.t4)), .atMost(.highway("primary"), 0.05),
        .atMost(.surface("asphalt"), 0.2), .atLeast(.waymarked, 0.5), .time(10800...12600),
        .distance(9000...10000), .gain(760...840), .loss(700...900),
        .steeper(.downhill, percent: 30, atMostMetres: 200),
        .steepest(.downhill, atMostPercent: 40), .steepest(.uphill, atMostPercent: 45),
      ])
    #expect(suite.expectations[1].checks == [.noRoute])
    #expect(
      suite.thresholds.map(\.measure) == [
        .changedPercent, .timeMedianPercent, .overlapPercent, .newlyBrokenExpectations,
      ])
    #expect(suite.thresholds.map(\.range) == [0...30, -5...5, 60...100, 0...0])
  }

  @Test("a threshold holds over all datasets, in each of them, or in those that it names")
  func thresholds() throws {
    let point = "from: [47.0, 10.0], to: [47.1, 10.1]"
    let suite = try read(
      """
      pairs: [ { dataset: a, draw: 3 }, { dataset: other, draw: 3 } ]
      reference-tracks: [ { dataset: other, file: hike.gpx } ]
      expectations:
        - { dataset: a, \(point), no-route: true }
        - { dataset: other, \(point), no-route: true }
      thresholds:
        lost-routes: { limit: 2 }
        changed-percent:
          - { limit: 30 }
          - { limit: [0, 50], each-dataset: true }
          - { limit: 60, datasets: other }
        track-agreement-percent: { limit: 70, each-dataset: true }
        newly-broken-expectations: { limit: 1, datasets: [a] }
      """)
    let thresholds = suite.thresholds
    #expect(
      thresholds.map(\.measure) == [
        .lostRoutes, .changedPercent, .changedPercent, .changedPercent, .trackAgreementPercent,
        .newlyBrokenExpectations, .newlyBrokenExpectations,
      ])
    // Each dataset that has what is measured; what is not said of the other one stays as usual.
    #expect(thresholds.map(\.datasets) == [nil, nil, [0, 1], [1], [1], [0], [1]])
    #expect(
      thresholds.map(\.range) == [0...2, 0...30, 0...50, 0...60, 70...100, 0...1, 0...0])
    #expect(thresholds[2].location?.line == 15 && thresholds[6].location == nil)
  }

  @Test("a track without a dataset is of the one that it lies in")
  func tracksInDatasets() throws {
    var sources = SuiteSources()
    let west = BoundingBox(west: 10, south: 47, east: 10.5, north: 47.5)
    let all = BoundingBox(west: 10, south: 47, east: 11, north: 47.5)
    sources.box = { $0.hasSuffix("a.routing.db") ? all : west }
    func dataset(_ points: [Coordinate]) throws -> Int? {
      sources.points = { _ in points }
      let text = Self.head + "reference-tracks: [ { file: hike.gpx } ]"
      return try TuningSuite(file: try folder.write(text, to: "suite.yaml"), sources)
        .referenceTracks.first?.dataset
    }
    let (inBoth, inEast) = (
      Coordinate(latitude: 47.2, longitude: 10.2), Coordinate(latitude: 47.2, longitude: 10.8)
    )
    let outside = Coordinate(latitude: 48, longitude: 10.2)
    // Of two, the smaller one; what lies outside of it decides.
    #expect(try dataset([inBoth]) == 1)
    #expect(try dataset([inBoth, inEast]) == 0)
    #expect(try dataset([inBoth, outside]) == 1)
    let error = expectError(.invalidConfiguration) { try dataset([outside, outside, inBoth]) }
    #expect(error?.location?.position == .line(6, column: 29))
    #expect(
      error?.message == "“file” lies in none of the datasets: \(folder.file("hike.gpx"))")
    #expect(error?.hint == "it begins at 48.0,10.2; “dataset” names one")
    let empty = expectError(.invalidConfiguration) { try dataset([]) }
    #expect(empty?.message.contains("has no track") == true)
  }

  /// What is wrong, and what the first error says.
  private static let mistakes: [(String, String)] = [
    ("pair: []", "6:1: unknown key “pair” (did you mean “pairs”?)"),
    ("pairs: 3", "6:8: “pairs” must be a list, not “3”"),
    ("pairs: [ 3 ]", "6:10: value 1 of “pairs” must be a mapping (key: value), not “3”"),
    ("pairs: [ {} ]", "6:10: value 1 of “pairs” needs “file”, “draw” or “from”"),
    (
      "pairs: [ { dataset: a, draw: 3, file: hike.gpx } ]",
      "6:10: “file” and “draw” cannot be combined"
    ),
    (
      "pairs: [ { dataset: othr, draw: 3 } ]",
      "6:21: “dataset” names no dataset of the suite: othr (did you mean other?)"
    ),
    (
      "pairs: [ { draw: 3 } ]",
      "6:10: “dataset” is missing in value 1 of “pairs” (the suite has several: a, other)"
    ),
    (
      "pairs: [ { dataset: a, draw: 3, seeds: 3 } ]",
      "6:33: unknown key “seeds” (did you mean “seed”?)"
    ),
    (
      "pairs: [ { dataset: a, draw: 0 } ]",
      "6:30: “draw” must be from 1 to 1000000, not 0"
    ),
    (
      "pairs: [ { dataset: a, draw: 3, distance-km: [4, 2] } ]",
      "6:46: “distance-km” must have ascending numbers"
    ),
    (
      "pairs: [ { dataset: a, draw: 3, distance-km: [4, 2 km] } ]",
      "6:50: value 2 of “distance-km” must be a number, not “2 km”"
    ),
    (
      "pairs: [ { dataset: a, from: [97, 10], to: [47, 10] } ]",
      "6:30: “from” must be a point in degrees, latitude first: [47.03, 10.05] "
        + "(latitude 97.0 is out of range, −90 to 90)"
    ),
    ("pairs: [ { dataset: a, from: [47, 10] } ]", "6:10: “to” is missing in value 1 of “pairs”"),
    (
      "pairs: [ { dataset: a, file: none.csv } ]",
      "6:30: “file” names a file that does not exist: FOLDER/none.csv"
    ),
    (
      "reference-times: [ { distance-km: 9, ascent-m: 8, descent: 7, minutes: 245 } ]",
      "6:51: unknown key “descent” (did you mean “descent-m”?)"
    ),
    (
      "reference-times: [ { distance-km: 9, ascent-m: 8, descent-m: 7, minutes: 4 h } ]",
      "6:74: “minutes” must be a number, not “4 h”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11] } ]",
      "6:17: value 1 of “expectations” expects nothing (give it one of uses-way, avoids-way, "
        + "avoids, at-most, at-least, time, distance-km, gain-m, loss-m, steeper, steepest-100-m, "
        + "no-route)"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], avoids: via_ferata } ]",
      "6:69: no kind of way is called “via_ferata” (did you mean “via_ferrata”?)"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], at-most: { prmary: 5 % } } ]",
      "6:72: no kind of way is called “prmary” (did you mean “primary”?)"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], at-most: { path: 500 % } } ]",
      "6:78: “path” must be from 0 to 100 %, not 500 %"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], time: [3 h, 4 hours] } ]",
      "6:73: value 2 of “time” must be a time such as 3 h, 3 h 20 min or 200 min, not “4 hours”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], time: [4 h, 3 h] } ]",
      "6:67: “time” must have the lower value first"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], gain-m: 800 } ]",
      "6:69: “gain-m” needs “within-percent”, or a range: [LOW, HIGH]"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], steeper: { at-most-m: 200 } } ]",
      "6:70: “steeper” needs “downhill-percent” or “uphill-percent”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], "
        + "steeper: { downhill-percent: 30, uphill-percent: 30, at-most-m: 200 } } ]",
      "6:70: “downhill-percent” and “uphill-percent” cannot be combined"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], "
        + "steeper: [ { downhill-percent: 30 } ] } ]",
      "6:72: “at-most-m” is missing in value 1 of “steeper”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], "
        + "steeper: { downhil-percent: 30, at-most-m: 200 } } ]",
      "6:70: “steeper” needs “downhill-percent” or “uphill-percent”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], "
        + "steeper: { downhill-percent: -30, at-most-m: 200 } } ]",
      "6:90: “downhill-percent” must be from 0 to 1000, not -30"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], steepest-100-m: 30 } ]",
      "6:77: “steepest-100-m” must be a mapping (key: value), not “30”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], steepest-100-m: {} } ]",
      "6:77: “steepest-100-m” needs “downhill-percent” or “uphill-percent”"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], loss-m: 800 } ]",
      "6:69: “loss-m” needs “within-percent”, or a range: [LOW, HIGH]"
    ),
    (
      "expectations: [ { dataset: a, from: [47, 10], to: [47, 11], no-route: true, within-percent: 3 } ]",
      "6:93: “within-percent” belongs to “distance-km”, “gain-m” or “loss-m”"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { descent-median-percent: 3 }",
      "7:39: “descent-median-percent” must be a range: [LOW, HIGH]"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { changd-percent: 3 }",
      "7:15: unknown key “changd-percent” (did you mean “changed-percent”?)"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { time-median-percent: 3 }",
      "7:36: “time-median-percent” must be a range: [LOW, HIGH]"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { track-agreement-percent: 3 }",
      "7:40: “track-agreement-percent” cannot be measured: the suite has no reference-tracks"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { lost-routes: { limit: 1, datasets: [othr] } }",
      "7:51: value 1 of “datasets” names no dataset of the suite: othr (did you mean other?)"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { lost-routes: { limit: 1, datasets: [a, other] } }",
      "7:54: value 2 of “datasets” cannot be measured: other has no pairs"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { lost-routes: { limit: 1, datasets: [a, a] } }",
      "7:54: value 2 of “datasets” names a twice"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\n"
        + "thresholds: { lost-routes: { limit: 1, datasets: a, each-dataset: true } }",
      "7:67: “each-dataset” and “datasets” cannot be combined"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\nthresholds: { lost-routes: { each-dataset: true } }",
      "7:28: “limit” is missing in “lost-routes”"
    ),
    (
      "pairs: [ { dataset: a, draw: 3 } ]\n"
        + "thresholds: { time-error-minutes: { limit: 3, each-dataset: true } }",
      "7:35: “time-error-minutes” cannot be measured: no dataset has reference-times"
    ),
    ("", "1:1: the suite has nothing to compare (give it pairs)"),
  ]

  @Test("a mistake is told with line, column and what to do", arguments: mistakes)
  func mistake(text: String, expected: String) throws {
    let error = expectError(.invalidConfiguration, .configuration) { try read(text) }
    let first = error?.description.split(separator: "\n").first.map(String.init) ?? ""
    let path = folder.file("suite.yaml") + ":"
    #expect(first == path + expected.replacing("FOLDER", with: folder.path))
  }

  @Test("lists of pairs and times with wrong lines are told with their own lines")
  func lists() throws {
    try folder.write("47,10,47.1,10.1\n47,10,47.1\n", to: "pairs.csv")
    let pairs = expectError("bad-places", .dataError) {
      try read("pairs: [ { dataset: a, file: pairs.csv } ]")
    }
    #expect(pairs?.location?.position == .line(2, column: 11))
    let lines = [
      ("minutes,distance-km,ascent-m\n", 1, 1), ("minuts,distance-km,ascent-m\n", 1, 1),
      ("minutes,distance-km,ascent-m,descent-m\n5,1,x,2\n", 2, 5),
      ("minutes,distance-km,ascent-m,descent-m\n5,1,2\n", 2, 1),
      ("minutes,distance-km,ascent-m,descent-m\n5,1,2,-4\n", 2, 7),
    ]
    for (text, line, column) in lines {
      try folder.write(text, to: "times.csv")
      let error = expectError("bad-times", .dataError) {
        try read("reference-times: [ { file: times.csv } ]")
      }
      #expect(error?.location?.position == .line(line, column: column), "\(text)")
    }
  }

  @Test("datasets are databases, or the regions of a manifest")
  func datasets() throws {
    let built = try folder.write("", to: "north.routing.db")
    var sources = SuiteSources()
    sources.manifests = { [folder] path in
      #expect(path == folder.file("m.yaml"))
      return [
        .init(region: "north", database: built),
        .init(region: "south", database: folder.file("south.routing.db")),
      ]
    }
    func read(_ dataset: String) throws -> TuningSuite {
      let text = """
        cairn-suite: 1
        name: test
        datasets: [ \(dataset) ]
        pairs: [ { draw: 3 } ]
        """
      return try TuningSuite(file: try folder.write(text, to: "suite.yaml"), sources)
    }
    let one = try read("{ manifest: m.yaml, region: north }")
    #expect(one.datasets.map(\.id) == ["north"] && one.datasets[0].database == built)
    #expect(try read("{ id: n, manifest: m.yaml, region: north }").datasets.map(\.id) == ["n"])
    let missing = expectError("not-built", .noInput) { try read("{ manifest: m.yaml }") }
    #expect(missing?.hint == "build it: cairn run \(folder.file("m.yaml"))")
    let unknown = expectError(.invalidConfiguration) {
      try read("{ manifest: m.yaml, region: nroth }")
    }
    #expect(unknown?.hint == "did you mean north?")
    expectError(.invalidConfiguration) { try read("{ databse: a.routing.db }") }
    expectError(.invalidConfiguration) {
      try read("{ database: a.routing.db }, { id: a, database: b.routing.db }")
    }
    expectError(.invalidConfiguration) { try read("{ id: x, manifest: m.yaml }") }
    expectError(.invalidConfiguration) { try read("") }
  }
}
