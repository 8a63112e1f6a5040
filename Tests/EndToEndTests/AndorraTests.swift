// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

private let andorra = sharedData("andorra.osm.pbf")
private let tiles = sharedData("hgt")

@Suite(
  "Andorra, from a real extract",
  .enabled(if: andorra != nil && tiles != nil, "needs ../shared/data"))
struct AndorraTests {
  /// Edges that Valhalla and GraphHopper make of the same file.
  static let edgesOfOthers = [8_111.0, 8_290.0]

  @Test("the chain builds a database that validates, and every pair gets a route or a reason")
  func wholeChain() throws {
    let chain = try Chain()
    let database = try chain.build(try #require(andorra), hgt: try #require(tiles))
    let validation = try Executables.run("cairn-validate", ["--input", database, "--json", "-q"])
    #expect(validation.status == 0, "\(validation.stdout)")
    let report = try jsonObject(validation.stdout)
    #expect(report["valid"] as? Bool == true)
    #expect(try #require(report["elevationCoverage"] as? Double) > 0.99)
    #expect(try chain.counts("decode.json", "input")["nodes"] == 235_550)
    #expect(try chain.counts("decode.json", "input")["ways"] == 11_871)
    #expect(try chain.counts("decode.json", "input")["relations"] == 262)

    let pairs = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    var found = 0
    for line in pairs.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 4)
      let result = try Executables.run(
        "cairn",
        [
          "route", database, "--from", "\(numbers[1]),\(numbers[0])", "--to",
          "\(numbers[3]),\(numbers[2])", "--format", "json",
        ])
      if result.status == 0 {
        found += 1
        #expect(try #require(try jsonObject(result.stdout)["totalDistance"] as? Double) >= 0)
      } else {
        #expect(result.status == 1, "\(line): \(result.stderr)")
        #expect(
          result.stderr.contains("no route") || result.stderr.contains("path or road lies within"),
          "\(line): \(result.stderr)")
      }
    }
    #expect(found >= 150, "only \(found) of 200 pairs have a route")
  }
}
