// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Shapes of regions in a run")
struct RegionShapeTests {
  private static func feature(_ id: String, _ east: Double) -> String {
    #"{"type": "Feature", "properties": {"id": "\#(id)"}, "geometry": {"type": "Polygon", "#
      + #""coordinates": [[[10, 47], [\#(east), 47], [\#(east), 48]]]}}"#
  }

  @Test("each feature is a region, and a change of one does not affect the others")
  func features() throws {
    let world = try World()
    let text = try world.text("m.yaml").split(separator: "regions:")[0]
    try world.folder.write(text + "regions-from: parks.geojson\n", to: "m.yaml")
    func write(_ east: Double, _ comment: String = "") throws {
      let list = [Self.feature("a", 11), Self.feature("b", east)].joined(separator: ",\n")
      try world.folder.write(
        "{\(comment)\"type\": \"FeatureCollection\", \"features\": [\(list)]}", to: "parks.geojson")
    }
    try write(12)
    #expect(try world.run().regions.map(\.id) == ["a", "b"])
    #expect(try world.text("bin/calls").contains("parks.geojson#2"))
    let region = try jsonText(world.text("out/b/region.json"))
    #expect(
      region["boundingBox"] as? [String: Double]
        == ["west": 10, "south": 47, "east": 12, "north": 48])
    try write(12, "\"name\": \"other\", ")
    #expect(try world.orchestrator().forecast() == ["a: up to date", "b: up to date"])
    try write(13)
    #expect(
      try world.orchestrator().forecast().prefix(2) == [
        "a: up to date", "b: would decode-pbf: polygon changed",
      ])
  }

  @Test("a region depends on the corners of its polygon and not on the bytes of the file")
  func polygons() throws {
    let world = try World()
    try world.change("bbox: [10.00, 47.00, 10.10, 47.10]", to: "polygon: w.geojson")
    try world.folder.write(Self.feature("a", 11), to: "w.geojson")
    try world.run(regions: ["west"])
    try world.folder.write(
      Self.feature("a", 11).replacing(" ", with: "\n").replacing("47]", with: "47.0]"),
      to: "w.geojson")
    #expect(try world.orchestrator(regions: ["west"]).forecast() == ["west: up to date"])
    try world.folder.write(Self.feature("a", 11.5), to: "w.geojson")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would decode-pbf: polygon changed")
  }
}
