// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn inspect")
struct InspectTests {
  private static let sample = packageRoot + "/sample-data/valley.osm.pbf"

  @Test("an extract as text")
  func text() throws {
    let result = try Executables.succeed("cairn", ["inspect", Self.sample, "--tags", "sac_scale"])
    for words in [
      "written by          cairn sample", "by type and id, as declared", "zlib",
      "mountain_hiking", "members of relations",
    ] {
      #expect(result.stdout.contains(words), "\(result.stdout)")
    }
  }

  @Test("an extract as JSON, the same with any number of threads")
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

  @Test("what is no file for it is named, with what to do")
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
}
