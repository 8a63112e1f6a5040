// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn inspect")
struct InspectTests {
  private static let sample = packageRoot + "/sample-data/valley.osm.pbf"

  @Test("an extract is described as text")
  func text() throws {
    let result = try Executables.succeed("cairn", ["inspect", Self.sample, "--tags", "sac_scale"])
    for words in [
      "written by          cairn sample", "by type and id, as declared", "zlib",
      "mountain_hiking", "members of relations",
    ] {
      #expect(result.stdout.contains(words), "\(result.stdout)")
    }
  }

  @Test("an extract is described as JSON, the same with any number of threads")
  func json() throws {
    let arguments = ["inspect", Self.sample, "--json", "--tags", "highway,natural"]
    let result = try Executables.succeed("cairn", arguments)
    let other = try Executables.succeed("cairn", arguments + ["--threads", "3"])
    #expect(result.stdout == other.stdout)
    let object = try jsonObject(result.stdout)
    let nodes = try #require(object["nodes"] as? [String: Any])
    let tags = try #require(object["tags"] as? [String: [String: Any]])
    #expect(object["kind"] as? String == "osm.pbf")
    #expect(nodes["count"] as? Int ?? 0 > 1000)
    #expect(tags["highway"]?["count"] as? Int ?? 0 > 10)
    #expect((object["bounds"] as? [Double])?.count == 4)
    #expect((object["order"] as? [String: Bool])?["isSorted"] == true)
  }

  @Test("a file of another kind is refused with a hint")
  func otherKinds() throws {
    let packed = packageRoot + "/sample-data/valley.osm.gz"
    for (path, status, words) in [
      (packed, 65, "osmium cat"), (packageRoot + "/Makefile", 65, "neither"),
      (packageRoot + "/none.osm.pbf", 66, "no such file"),
    ] as [(String, Int32, String)] {
      let result = try Executables.run("cairn", ["inspect", path])
      #expect(result.status == status)
      #expect(result.stderr.contains(words), "\(result.stderr)")
    }
  }

  @Test("a database is described as text and as JSON, with figures for each profile")
  func database() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap(
      """
      A-B-C   F-G
        D-E
      """,
      ways: [
        .init("ABC", tags: ["highway": "track"]), .init("FG", tags: ["highway": "footway"]),
        .init("DE", tags: ["route": "ferry", "foot": "yes", "bicycle": "no"]),
      ], nodeTags: ["B": ["barrier": "stile"]])
    let path = try map.routingDatabase(in: folder)
    let text = try Executables.succeed("cairn", ["inspect", path]).stdout
    for words in [
      "edges               5, 0.8 km", "edges of barriers   1", "edges of ferries    1",
      "profile cycling", "metadata", "island_threshold",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    let object = try jsonObject(
      try Executables.succeed("cairn", ["inspect", path, "--json"]).stdout)
    let profiles = try #require(object["profiles"] as? [[String: Any]])
    #expect(object["kind"] as? String == "routing.db")
    #expect(object["barrierEdges"] as? Int == 1)
    #expect(profiles.map { $0["name"] as? String } == ["hiking", "cycling"])
    #expect(profiles.map { $0["passableEdges"] as? Int } == [5, 2])
    #expect(profiles.map { $0["impassableEdges"] as? Int } == [0, 3])
    #expect(profiles.map { $0["closedBarriers"] as? Int } == [0, 1])
    #expect(profiles.map { $0["components"] as? Int } == [3, 2])
    #expect(profiles.map { $0["islands"] as? Int } == [2, 1])
    #expect(abs(try #require(profiles[0]["largestComponentShare"] as? Double) - 0.5) < 0.001)
  }

  @Test("a database without profiles is described, and one without routing tables is refused")
  func plainDatabases() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        "INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.001, 10, 810)",
        """
        INSERT INTO routing_edges(from_node, to_node, distance, cost, reverse_cost, is_oneway)
        VALUES (1, 2, 111.2, 190, 150, 1), (2, 1, 200, 9e999, 9e999, 0), (1, 2, 'x', 5, 5, 0)
        """,
      ])
    let object = try jsonObject(
      try Executables.succeed("cairn", ["inspect", path, "--json"]).stdout)
    let profile = try #require((object["profiles"] as? [[String: Any]])?.first)
    #expect(profile["name"] as? String == "routing_edges")
    #expect(profile["passableEdges"] as? Int == 2)
    #expect(profile["onewayEdges"] as? Int == 1)
    #expect(profile["impassableEdges"] as? Int == 1)
    #expect(profile["components"] == nil)
    let other = folder.file("other.db")
    try changeDatabase(other, ["CREATE TABLE t(a)"])
    let result = try Executables.run("cairn", ["inspect", other])
    #expect(result.status == 65)
    #expect(result.stderr.contains("has no table routing_edges"))
  }

  @Test("databases of waypoints and of places are described")
  func companions() throws {
    let folder = try TemporaryFolder()
    let map = PointMap([
      .init(1, ["natural": "peak", "name": "Pic"], at: 42.6, 1.4, terrain: 2930),
      .init(2, ["natural": "spring", "name": "Font Freda"], at: 42.4, 1.6),
    ])
    let input = try map.elevatedFile(in: folder)
    for (stage, kind, words) in [
      ("cairn-collect-places", "waypoints.db", ["waypoints           2", "viewpoint", "spring"]),
      ("cairn-index-places", "places.db", ["places              2", "names               2 of 3"]),
    ] {
      let path = folder.file("map.\(kind)")
      try Executables.succeed(stage, ["--input", input, "--output", path, "-q"])
      let text = try Executables.succeed("cairn", ["inspect", path]).stdout
      for word in words + ["with elevation      1", "bounding_box"] {
        #expect(text.contains(word), "\(word): \(text)")
      }
      let object = try jsonObject(
        try Executables.succeed("cairn", ["inspect", path, "--json"]).stdout)
      #expect(object["kind"] as? String == kind)
      #expect(object["rows"] as? Int == 2)
      #expect((object["metadata"] as? [String: String])?["version"] == "1")
    }
  }
}
