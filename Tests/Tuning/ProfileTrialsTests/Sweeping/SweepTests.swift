// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport
import Testing

@testable import CostModel
@testable import ProfileTrials
@testable import TuningSuites

@Suite("Keys varied over a suite")
struct SweepTests {
  @Test(
    "the values of an axis are read in order",
    arguments: [
      ("climb-factor=4..12:2", [4, 6, 8, 10, 12]), ("climb-factor=4..11:3", [4, 7, 10]),
      ("surfaces.mud=3,1,2", [1, 2, 3]), ("time-factor=0.8..1.2:0.1", [0.8, 0.9, 1, 1.1, 1.2]),
      ("slowdown.sac-scale.T3=1,2", [1, 2]),
    ])
  func axis(text: String, values: [Double]) throws {
    #expect(try SweepAxis(text, option: "--vary").values == values)
  }

  @Test(
    "what is no axis is refused",
    arguments: [
      "climb-factor", "climb-factor=4", "climb-factor=4..12", "climb-factor=12..4:1",
      "climb-factor=4..12:0", "climb-factor=4..12:-1", "climb-factor=0..100:0.01",
      "climb-factor=4..12:x", "climb-factor=", "climb-factor=1,,2", "climb-factor=1,200",
      "nothing=1,2", "=1,2", "climb-factor=1,nan", "climb-factor=0..1e300:1e-300",
    ])
  func refused(text: String) {
    let error = #expect(throws: CairnError.self) { try SweepAxis(text, option: "--vary") }
    #expect(error?.exitCode == .usage)
  }

  @Test("two axes give every combination, the second one changing fastest")
  func combinations() throws {
    let axes = [
      try SweepAxis("climb-factor=4,8", option: "--vary"),
      try SweepAxis("time-factor=1,2,3", option: "--vary"),
    ]
    #expect(
      ProfileSweep.combinations(axes) == [[4, 1], [4, 2], [4, 3], [8, 1], [8, 2], [8, 3]])
  }

  /// From A to B over a hill, or along the valley, which is 1.5 times as far.
  private func suite(_ folder: TemporaryFolder) throws -> TuningSuite {
    let map = AsciiMap(
      """
      A----H----B
      |         |
      C---------D
      """, cellMetres: 100, ways: [.init("AHB"), .init("ACDB")],
      elevations: ["A": 500, "B": 500, "C": 500, "D": 500, "H": 560])
    let database = try map.routingDatabase(in: folder, profiles: ["hiking"])
    var suite = TuningSuite()
    suite.name = "hill"
    let location = Location(file: "hill.yaml", .line(1, column: 1))
    suite.datasets = [.init(id: "hill", database: database, location: location)]
    suite.pairs = [
      .given([
        .init(
          dataset: 0, points: [try map.coordinate("A"), try map.coordinate("B")], location: location
        )
      ])
    ]
    suite.referenceTimes = [
      .init(
        dataset: 0, course: .totals(distanceMetres: 5000, ascentMetres: 0, descentMetres: 0),
        seconds: 7200, location: location)
    ]
    return suite
  }

  @Test(
    "where climbing is dear, the route changes to the valley; where it is as it is, nothing does")
  func sweep() throws {
    let folder = try TemporaryFolder()
    let suite = try suite(folder)
    let axis = try SweepAxis("climb-factor=0,7.92,50", option: "--vary")
    let sweep = try ProfileSweep(
      suite, TriedProfile(label: "hiking", .hiking), axes: [axis], measures: nil, threads: 1)
    #expect(sweep.axes.first?.base == 7.92 && sweep.cells.map(\.values) == [[0], [7.92], [50]])
    let changed = try #require(sweep.measures.firstIndex(of: .changed))
    let outcomes = sweep.cells.map { $0.outcomes[changed] }
    #expect(outcomes[1] == 0)
    #expect(outcomes[0] != outcomes[2])
    #expect(
      sweep.constants.map(\.measure).contains(.timeRMSE)
        && !sweep.measures.contains(.trackAgreement))
    let again = try ProfileSweep(
      suite, TriedProfile(label: "hiking", .hiking), axes: [axis], measures: nil, threads: 2)
    #expect(sweep == again)
  }

  @Test("a measure that no value changes is left out and named, unless it was asked for")
  func constantMeasures() throws {
    let folder = try TemporaryFolder()
    let suite = try suite(folder)
    let axis = try SweepAxis("climb-factor=0,7.92,50", option: "--vary")
    func sweep(_ measures: [SweepMeasure]?) throws -> ProfileSweep {
      try ProfileSweep(
        suite, TriedProfile(label: "hiking", .hiking), axes: [axis], measures: measures, threads: 1)
    }
    let all = try sweep(nil)
    #expect(!all.measures.contains(.unrouted) && !all.measures.contains(.timeRMSE))
    #expect(all.constants.contains(.init(.unrouted, 0)))
    #expect(all.cells.allSatisfy { $0.outcomes.count == all.measures.count })
    let asked = try sweep([.unrouted])
    #expect(asked.measures == [.unrouted] && asked.constants.isEmpty)
  }

  @Test("where nothing changes, everything is shown")
  func nothingChanges() throws {
    let folder = try TemporaryFolder()
    let sweep = try ProfileSweep(
      suite(folder), TriedProfile(label: "hiking", .hiking),
      axes: [try SweepAxis("access.restricted=5,6", option: "--vary")], measures: nil, threads: 1)
    #expect(sweep.measures.contains(.unrouted) && sweep.constants.isEmpty)
  }

  @Test("too many combinations are refused before anything is done")
  func tooMany() throws {
    let axes = [
      try SweepAxis("climb-factor=1..50:1", option: "--vary"),
      try SweepAxis("time-factor=1..2:0.1", option: "--vary"),
    ]
    let error = #expect(throws: CairnError.self) {
      try ProfileSweep(
        TuningSuite(), TriedProfile(label: "hiking", .hiking), axes: axes, measures: nil, threads: 1
      )
    }
    #expect(error?.exitCode == .usage)
  }
}
