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

  @Test("the same map as XML has the same objects as PBF")
  func markup() throws {
    let packed = packageRoot + "/sample-data/valley.osm.gz"
    let arguments = ["--json", "--tags", "highway,natural"]
    let inXML = try jsonObject(
      try Executables.succeed("cairn", ["inspect", packed] + arguments).stdout)
    let inPBF = try jsonObject(
      try Executables.succeed("cairn", ["inspect", Self.sample] + arguments).stdout)
    #expect(inXML["kind"] as? String == "osm")
    for key in [
      "nodes", "ways", "relations", "refs", "closedWays", "members", "tagCount", "bounds", "tags",
    ] {
      let values = try [inXML, inPBF].map { try #require($0[key] as? NSObject) }
      #expect(values[0] == values[1], "\(key)")
    }
    let text = try Executables.succeed("cairn", ["inspect", packed]).stdout
    #expect(text.contains("OpenStreetMap extract (XML)"), "\(text)")
    #expect(text.contains("order               by type and id\n"), "\(text)")
  }

  @Test("an answer of Overpass and a file of changes are described")
  func answers() throws {
    let folder = try TemporaryFolder()
    let answer = try folder.write(
      """
      \n<osm version="0.6" generator="Overpass API 0.7"><meta osm_base="2024-05-01T20:59:03Z"/>
      <bounds minlat="42.4" minlon="1.4" maxlat="42.7" maxlon="1.8"/>
      <way id="7" timestamp="2021-02-03T04:05:06Z"><nd ref="1" lat="42.5" lon="1.5"/>
      <nd ref="2" lat="42.6" lon="1.6"/><nd ref="1" lat="42.5" lon="1.5"/>
      <tag k="highway" v="path"/></way>
      <node id="3" timestamp="2020-02-03T04:05:06Z" lat="42.55" lon="1.7"/>
      <remark>runtime error: Query timed out</remark></osm>
      """, to: "answer.osm")
    let text = try Executables.succeed("cairn", ["inspect", answer]).stdout
    for words in [
      "Overpass API 0.7", "data of             2024-05-01T20:59:03Z",
      "declared bounds     1.4,42.4 to 1.8,42.7", "bounds of nodes     1.5,42.5 to 1.7,42.6",
      "2020-02-03T04:05:06Z to 2021-02-03T04:05:06Z", "order               unsorted",
      "Overpass reported an error: “runtime error: Query timed out”",
      "3 refs of ways to nodes (3 with coordinates), 1 closed way",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    let changes = try folder.write(
      """
      <?xml version="1.0"?><osmChange version="0.6"><modify><node id="5" lat="1" lon="2"/></modify>
      <delete><way id="9"/><relation id="4"/></delete></osmChange>
      """, to: "day.osc")
    let object = try jsonObject(
      try Executables.succeed("cairn", ["inspect", changes, "--json"]).stdout)
    #expect(object["kind"] as? String == "osc")
    #expect((object["nodes"] as? [String: Int])?["deleted"] == 0)
    #expect((object["ways"] as? [String: Int])?["deleted"] == 1)
    #expect((object["relations"] as? [String: Int])?["maxID"] == 4)
  }

  @Test("a GPX file is described")
  func gpx() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      <gpx version="1.1" creator="a watch"><metadata><name>Two days</name></metadata>
      <wpt lat="42.4" lon="1.4"/>
      <rte><name>Plan</name><rtept lat="42.5" lon="1.5"/></rte>
      <trk><name>Day 1</name><trkseg><trkpt lat="42.5" lon="1.5"><ele>900</ele>
      <time>2024-05-01T08:00:00Z</time></trkpt><trkpt lat="42.6" lon="1.6"/></trkseg>
      <trkseg><trkpt lat="42.7" lon="1.6"><time>yesterday</time></trkpt></trkseg></trk></gpx>
      """, to: "hike.gpx")
    let text = try Executables.succeed("cairn", ["inspect", path]).stdout
    for words in [
      "GPX, ", "name                Two days", "waypoints           1",
      "bounds              1.4,42.4 to 1.6,42.7", "left out",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    let object = try jsonObject(
      try Executables.succeed("cairn", ["inspect", path, "--json"]).stdout)
    let lines = try #require(object["tracks"] as? [[String: Any]])
    #expect(object["kind"] as? String == "gpx")
    #expect(lines.map { $0["kind"] as? String } == ["route", "track"])
    #expect(lines.map { $0["points"] as? Int } == [1, 3])
    #expect(lines[1]["segments"] as? Int == 2)
    #expect(lines[1]["withElevation"] as? Int == 1)
    #expect(lines[1]["start"] as? String == "2024-05-01T08:00:00.000Z")
    let refused = try Executables.run("cairn", ["inspect", path, "--tags", "highway"])
    #expect(refused.status == 64)
    let piped = try Executables.run("cairn", ["inspect", "-"], stdin: path)
    #expect(piped.stdout == text.replacing(path, with: "stdin"))
  }

  @Test("a file of another kind is refused with a hint")
  func otherKinds() throws {
    let folder = try TemporaryFolder()
    let page = try folder.write(
      "<!DOCTYPE html><html><title>Too many requests</title></html>", to: "page.osm")
    let picture = try folder.write("<svg><path d='M0 0'/></svg>", to: "picture.osm")
    let torn = try folder.write("<osm><node id='1' lat='4", to: "torn.osm")
    let wrong = try folder.write("<osm>\n<node id='1x' lat='4' lon='5'/></osm>", to: "wrong.osm")
    let packed = try folder.write("BZh91AY", to: "map.osm.bz2")
    for (path, status, words) in [
      (packed, 65, "bunzip2"), (page, 65, "Too many requests"), (picture, 65, "<svg>"),
      (torn, 65, "truncated"), (wrong, 65, "wrong.osm:2:32"),
      (packageRoot + "/Makefile", 65, "neither"),
      (packageRoot + "/none.osm.pbf", 66, "no such file"),
    ] as [(String, Int32, String)] {
      let result = try Executables.run("cairn", ["inspect", path])
      #expect(result.status == status, "\(path): \(result)")
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
    let input = try map.elevatedFiles(in: folder).arguments
    for (stage, kind, version, words) in [
      (
        "cairn-collect-places", "waypoints.db", "1",
        ["waypoints           2", "viewpoint", "spring"]
      ),
      (
        "cairn-index-places", "places.db", "3",
        ["places              2", "names               2 of 3"]
      ),
    ] {
      let path = folder.file("map.\(kind)")
      try Executables.succeed(stage, input + ["--output", path, "-q"])
      let text = try Executables.succeed("cairn", ["inspect", path]).stdout
      for word in words + ["with elevation      1", "bounding_box"] {
        #expect(text.contains(word), "\(word): \(text)")
      }
      let object = try jsonObject(
        try Executables.succeed("cairn", ["inspect", path, "--json"]).stdout)
      #expect(object["kind"] as? String == kind)
      #expect(object["rows"] as? Int == 2)
      #expect((object["metadata"] as? [String: String])?["version"] == version)
    }
  }
}
