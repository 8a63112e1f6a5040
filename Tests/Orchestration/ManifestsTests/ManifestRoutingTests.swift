// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import RunSupport
import TestSupport
import Testing

@testable import Manifests

@Suite("Routing and its ways in manifests")
struct ManifestRoutingTests {
  private func load(_ text: String) throws -> Manifest { try FullManifest().load(text) }

  private func problems(_ text: String) throws -> [String] { try FullManifest().problems(text) }

  @Test("a region has routing unless it, its features or the defaults say otherwise")
  func routing() throws {
    let good = ManifestTests.good
    #expect(try load(good).regions.allSatisfy(\.hasRouting))
    let none = good.replacing("source: valley,", with: "source: valley, routing: false,")
    #expect(try load(none).regions.map(\.hasRouting) == [false, false])
    let one = none.replacing("source: plain\n", with: "source: plain\n    routing: true\n")
    #expect(try load(one).regions.map(\.hasRouting) == [false, true])
    let features = FullManifest.good.replacing(
      "title, checks", with: "title, routing: false, checks")
    #expect(try load(features).regions.allSatisfy { !$0.hasRouting })
  }

  @Test("a region without routing has no variants, and must have something else")
  func refused() throws {
    let good = ManifestTests.good
    let variants = good.replacing(
      "source: plain\n",
      with: "source: plain\n    routing: false\n"
        + "    variants: [{ name: bike, profiles: [cycling] }]\n")
    #expect(try problems(variants).first?.contains("need a region with routing") == true)
    let empty =
      good.replacing("source: plain\n", with: "source: plain\n    routing: false\n")
      + "\nwaypoints: false\nsearch: false\n"
    #expect(try problems(empty).count == 1)
    #expect(try problems(empty).first?.contains("“east” has neither routing nor") == true)
    #expect(try problems(empty + "tiles: [trails]\n") == [])
    #expect(
      try problems(good.replacing("defaults: {", with: "defaults: { routing: maybe,")).count == 1)
  }

  @Test("the values of highway count by what they are, in any order, and all of them as none")
  func highways() throws {
    func highways(_ list: String) throws -> [String]? {
      try load(ManifestTests.good + "\nroutable-highways: [\(list)]\n").routableHighways
    }
    #expect(try load(ManifestTests.good).routableHighways == nil)
    #expect(try highways("track, path") == ["path", "track"])
    #expect(try highways(TagSelection.routableHighways.joined(separator: ", ")) == nil)
    let manifest = try load(ManifestTests.good + "\nroutable-highways: [path]\n")
    let box = BoundingBox(west: 1.4, south: 42.42, east: 1.79, north: 42.66)
    let query = try OverpassQuery(box, highways: manifest.routableHighways)
    #expect(query.text.contains("way[\"highway\"=\"path\"]("))
    #expect(try query.digest(url: "u") != OverpassQuery(box).digest(url: "u"))
  }

  @Test(
    "values that are not routable, twice there or none are refused",
    arguments: ["motorway", "path, path", "", "[path]", "pathh"])
  func badHighways(_ list: String) throws {
    #expect(try problems(ManifestTests.good + "\nroutable-highways: [\(list)]\n").count == 1)
  }
}
