// SPDX-License-Identifier: Apache-2.0
import Elevation
import Foundation
import TestSupport
import Testing

@testable import MapChecks
@testable import OSMInput

@Suite(
  "The findings that were judged", .enabled(if: sharedData("hgt") != nil, "needs ../shared/data"))
struct PrecisionTests {
  /// The ids of docs/lint.md under a heading.
  private func judged(_ heading: String) throws -> [String] {
    let page = try String(contentsOfFile: packageRoot + "/docs/lint.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
    let rows = (section.components(separatedBy: "\n#").first ?? "").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    return rows.flatMap { row in
      let words = row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map(
        \.element)
      return words.dropFirst().map { "\(words[0])/\($0)" }
    }
  }

  @Test(
    "docs/lint.md lists all that is found in the extracts",
    arguments: [
      ("Andorra", "andorra.osm.pbf"), ("Munich", "munich.osm.pbf"),
      ("Andorra 2013", "andorra-2013.osm.pbf"), ("Krems", "krems-josm.osm.gz"),
    ])
  func findings(heading: String, file: String) throws {
    let tiles = try ElevationDataManager(folders: [try #require(sharedData("hgt"))])
    let extract = try MappedExtract(try #require(sharedData(file)), threads: 2)
    let elevations = file.hasPrefix("andorra") ? tiles : nil
    let found = try MapCheck.findings(extract, elevations: elevations).map(\.id)
    #expect(Set(found) == Set(try judged(heading)))
    #expect(!found.isEmpty)
  }

  @Test("the same file gives the same findings, whatever the threads and the format")
  func determinism() throws {
    let file = try #require(sharedData("andorra-2013.osm.pbf"))
    let texts = try [1, 3].map { threads in
      let extract = try MappedExtract(file, threads: threads)
      return try FindingReport(try MapCheck.findings(extract)).text(.geojson)
    }
    #expect(texts[0] == texts[1])
  }
}
