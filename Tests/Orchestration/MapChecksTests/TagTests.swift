// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Elevation
import Foundation
import TestSupport
import Testing

@testable import MapChecks
@testable import OSMInput

@Suite("Tags")
struct TagTests {
  private func map(_ tags: DrawnMap.Tags, point: DrawnMap.Tags = [:]) -> DrawnMap {
    var map = DrawnMap()
    map.line([(0, 0), (100, 0)], tags)
    map.node(50, 50, point)
    return map
  }

  @Test("a grade for hands is doubted on a track, and where bicycles ride with ease")
  func grades() throws {
    let doubted: [DrawnMap.Tags] = [
      ["sac_scale": "alpine_hiking", "highway": "track"],
      ["sac_scale": "alpine_hiking", "mtb:scale": "1"],
      ["sac_scale": "demanding_alpine_hiking", "mtb:scale": "2+"],
    ]
    for tags in doubted { #expect(try map(tags).ids(.hardGrade) == ["hard-grade/w100"], "\(tags)") }
    let credible: [DrawnMap.Tags] = [
      ["sac_scale": "demanding_mountain_hiking", "highway": "track"],
      ["sac_scale": "alpine_hiking", "mtb:scale": "2"],
      ["sac_scale": "alpine_hiking", "mtb:scale": "4"], ["sac_scale": "alpine_hiking"],
    ]
    for tags in credible { #expect(try map(tags).ids(.hardGrade).isEmpty, "\(tags)") }
  }

  @Test("conditions that nobody can read are found on ways and points")
  func conditions() throws {
    let way = map(["foot:conditional": "no @ sometimes"])
    #expect(try way.ids(.condition) == ["condition/w100"])
    let hut = map([:], point: ["tourism": "alpine_hut", "opening_hours": "15 Jun-15 Sep"])
    #expect(try hut.ids(.condition) == ["condition/n3"])
    let clear = map(["access:conditional": "no @ (Nov-Apr)"], point: ["opening_hours": "24/7"])
    #expect(try clear.ids(.condition).isEmpty)
  }

  @Test("a rare word that is like a common one may be misspelt, others may not")
  func spelling() throws {
    var map = DrawnMap()
    for index in 0..<25 {
      let tags = ["surface": "asphalt", "tracktype": "grade3", "oneway": "no"]
      map.line([(0, Double(index) * 20), (100, Double(index) * 20)], tags)
    }
    map.line([(0, -20), (100, -20)], ["surface": "ashpalt", "tracktype": "grade4"])
    map.line([(0, -40), (100, -40)], ["onway": "yes", "note": "oneways"])
    map.line([(0, -60), (100, -60)], ["lanes": "2", "surface": "sand"])
    let found = try map.findings().filter { $0.kind == .spelling }
    #expect(
      found.map(\.text) == [
        "surface=ashpalt: is asphalt meant?", "onway=yes: is oneway meant?",
      ])
    #expect(found.map(\.id) == ["spelling/w125", "spelling/w126"])
  }

  @Test("elevations are compared with the terrain: summits with more patience than bars")
  func elevations() throws {
    let folder = try TemporaryFolder()
    let posts = [UInt8](repeating: 0, count: 1201 * 1201 * 2).enumerated().map { index, _ in
      UInt8(truncatingIfNeeded: index % 2 == 0 ? 1484 >> 8 : 1484 & 255)
    }
    try Data(posts).write(to: URL(fileURLWithPath: folder.file("N47E010.hgt")))
    var map = DrawnMap()
    map.line([(0, 0), (100, 0)])
    let bar = map.node(0, 50, ["amenity": "bar", "name": "360", "ele": "146"])
    map.node(0, 60, ["amenity": "bar", "ele": "1500 m"])
    map.node(0, 70, ["natural": "peak", "ele": "1550"])
    let peak = map.node(0, 80, ["natural": "peak", "ele": "1560"])
    let low = map.node(0, 90, ["natural": "peak", "ele": "1440"])
    map.node(0, 99, ["natural": "peak", "ele": "4869 ft"])
    let extract = try MappedExtract(try folder.write(map.xml(), to: "map.osm"), threads: 1)
    let tiles = try ElevationDataManager(folders: [folder.path])
    let found = try MapCheck.findings(extract, isWhole: true, elevations: tiles)
      .filter { $0.kind == .elevation }
    #expect(found.map(\.id) == [bar, peak, low].map { "elevation/n\($0)" })
    #expect(
      found.first?.text == "360 has ele=146, and the terrain around it is 1484 to 1484 m high")
  }
}
