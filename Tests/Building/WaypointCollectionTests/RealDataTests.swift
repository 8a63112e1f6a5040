// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import Elevation
import OSMInput
import TestSupport
import Testing
import TrailData

@testable import WaypointCollection

@Suite("Places of real data")
struct RealDataTests {
  @Test(
    "Andorra's places by category",
    .enabled(if: sharedData("andorra.osm.pbf") != nil, "needs the shared data"))
  func andorra() throws {
    let folder = try TemporaryFolder()
    let data = try #require(sharedData("andorra.osm.pbf"))
    let tiles = try #require(sharedData("hgt"))
    let files = ElevatedFiles(in: folder, name: "a")
    try runStage(DecodePBFCommand.self, ["--input", data, "--output", files.trails])
    try runStage(
      SampleElevationCommand.self,
      ["--input", files.trails, "--hgt", tiles, "--output", files.elevated])
    let places = WaypointCollector(try files.open())
    var counts: [String: Int] = [:]
    for row in places.rows { counts[row.kind.category.rawValue, default: 0] += 1 }
    #expect(
      counts == [
        "campsite": 10, "custom": 516, "food": 316, "parking": 236, "shelter": 191,
        "trailMarker": 112, "viewpoint": 441, "waterSource": 54,
      ])
    #expect(places.rows.allSatisfy { $0.altitude != nil })
    let peak = try #require(places.rows.first { $0.label == "Alt de Comapedrosa" })
    #expect(peak.kind == .peak)
    #expect(peak.altitude.map { (2900...2950).contains($0) } == true)
    let hut = try #require(places.rows.first { $0.label == "Refugi de Comapedrosa" })
    #expect(hut.kind.category == .shelter)
  }
}
