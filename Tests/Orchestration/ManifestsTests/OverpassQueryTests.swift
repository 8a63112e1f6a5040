// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import TestSupport
import Testing

@testable import Manifests

@Suite("Queries for Overpass APIs")
struct OverpassQueryTests {
  private let box = BoundingBox(west: 1.4, south: 42.42, east: 1.79, north: 42.66)

  @Test("the box is south, west, north, east, in each selection but that of routes of routes")
  func boxes() throws {
    let lines = try OverpassQuery(box).text.split(separator: "\n")
    #expect(lines.first == "[out:xml][timeout:300][maxsize:1073741824];")
    let words = ["node", "way", "relation"]
    let selections = lines.filter { line in
      words.contains { line.trimmingPrefix("  ").hasPrefix($0 + "[") }
    }
    #expect(selections.count > 20)
    #expect(selections.allSatisfy { $0.hasSuffix("](42.42,1.4,42.66,1.79);") })
    #expect(lines.contains("(._;rel(br)[\"type\"=\"superroute\"];);"))
    let rest = lines.dropFirst().filter { !selections.contains($0) }
    #expect(Set(rest) == ["(", ");", "(._;>;);", "out body;", lines[lines.count - 2]])
    let small = BoundingBox(west: -0.000001, south: 0, east: 0.000001, north: 0.000001)
    #expect(try OverpassQuery(small).text.contains("(0,-0.000001,0.000001,0.000001);"))
  }

  @Test("everything that the stages keep is asked for")
  func asksForAll() throws {
    let text = try OverpassQuery(box).text
    for highway in TagSelection.routableHighways {
      #expect(text.contains("(\(highway)|") || text.contains("|\(highway)"), "\(highway)")
    }
    for walkway in TagSelection.walkways {
      #expect(text.contains("way[\"\(walkway.key)\"=\"\(walkway.value)\"]("))
    }
    for (key, values) in TagSelection.pointsOfInterest {
      #expect(text.contains("node[\"\(key)\"") && text.contains("way[\"\(key)\""))
      for value in values { #expect(text.contains(value)) }
    }
    for kind in TagSelection.routeKinds { #expect(text.contains(kind)) }
    #expect(text.contains("\n(._;>;);\nout body;\n"))
    #expect(text.hasSuffix("out body;\n"))
  }

  @Test("brackets and quotes come in pairs, and statements end")
  func isWellFormed() throws {
    let text = try OverpassQuery(box).text
    for (open, close) in [("(", ")"), ("[", "]")] as [(Character, Character)] {
      #expect(text.count { $0 == open } == text.count { $0 == close })
    }
    #expect(text.count { $0 == "\"" } % 2 == 0)
    for line in text.split(separator: "\n") { #expect(line.hasSuffix(";") || line == "(") }
  }

  @Test("the same box gives the same question, another box or URL another one")
  func digests() throws {
    let query = try OverpassQuery(box)
    #expect(try query.digest(url: "http://a/i") == OverpassQuery(box).digest(url: "http://a/i"))
    #expect(query.digest(url: "http://a/i") != query.digest(url: "http://b/i"))
    var other = box
    other.north += 0.01
    #expect(try query.digest(url: "http://a/i") != OverpassQuery(other).digest(url: "http://a/i"))
  }

  @Test(
    "what is too large for a shared server is refused with its size",
    arguments: [
      (BoundingBox(west: 1, south: 42, east: 1.5, north: 43), "is 41 × 111 km large"),
      (BoundingBox(west: 1, south: 0, east: 2, north: 0.5), "is 111 × 56 km large"),
      (BoundingBox.world, "is 40030 × 20015 km large"),
    ])
  func refusesLargeBoxes(box: BoundingBox, message: String) {
    let error = expectError(.unfitForOverpass, .configuration) { _ = try OverpassQuery(box) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    #expect(error?.hint?.contains("PBF extract") == true)
  }

  @Test("so is a box across the antimeridian; a wide one near a pole is narrow")
  func refusesTheAntimeridian() throws {
    expectError(.unfitForOverpass, .configuration) {
      _ = try OverpassQuery(BoundingBox(west: 179.9, south: 0, east: -179.9, north: 0.1))
    }
    _ = try OverpassQuery(BoundingBox(west: 10, south: 80, east: 15, north: 80.5))
  }
}
