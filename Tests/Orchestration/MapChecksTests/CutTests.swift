// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import TestSupport
import Testing

@testable import MapChecks
@testable import OSMInput

private let andorra = sharedData("andorra.osm.pbf")

@Suite("Maps that were cut")
struct CutTests {
  /// A town of blocks of 100 m with one-way streets, courtyards and benches to rest on, and a route
  /// around it.
  private static let town: DrawnMap = {
    var map = DrawnMap()
    let size = 40
    let corners = (0...size).map { row in
      (0...size).map { column in map.node(Double(column) * 100, Double(row) * 100) }
    }
    var streets: [Int] = []
    for row in 0...size {
      for column in stride(from: 0, to: size, by: 4) {
        let tags = ["highway": "residential", "oneway": row % 2 == 0 ? "yes" : "-1"]
        streets.append(map.way(Array(corners[row][column...column + 4]), tags))
        let lane = ["highway": "residential", "oneway": row % 2 == 1 ? "yes" : "-1"]
        map.way(corners[column...column + 4].map { $0[row] }, lane)
        for block in column..<column + 4 where row < size {
          let yard = map.node(Double(block) * 100 + 50, Double(row) * 100 + 50)
          map.way([corners[row][block], yard], ["highway": "footway"])
          // A lane that is less than 4 m from the street behind it, and joined to it beyond a block.
          let lane = map.node(Double(block) * 100 + 60, Double(row) * 100 + 97)
          map.way([corners[row][block], lane, corners[row + 1][block + 1]], ["highway": "footway"])
        }
      }
    }
    map.route(streets.prefix(size / 4).map { "\($0)" })
    return map
  }()

  @Test("nothing is reported at the cut, whatever the cut kept", arguments: DrawnMap.Cut.allCases)
  func border(cut: DrawnMap.Cut) throws {
    for box in [330.0...3670, 1650...2350] {
      // Where ways lack nodes, the reader knows of the cut; where they are whole, only the area tells.
      let all = try Self.town.findings(cut, at: box, isWhole: true)
      #expect(cut == .nodesInside || all.contains { $0.kind == .onewayEnd })
      let found = try Self.town.findings(cut, at: box)
      #expect(found.isEmpty, "\(box): \(found.map(\.id))")
    }
  }

  @Test("what is wrong in the middle of a cut map is reported all the same")
  func middle() throws {
    var map = Self.town
    map.line([(2010, 2010), (2010, 2090)], ["highway": "steps"])
    for cut in DrawnMap.Cut.allCases {
      #expect(try map.findings(cut, at: 330...3670).contains { $0.kind == .island })
    }
  }

  @Test(
    "of Andorra, cut to its middle in three ways, nothing is found that is not in the whole",
    .enabled(
      if: andorra != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/osmium"),
      "needs ../shared/data and osmium"))
  func realCuts() throws {
    let extract = try #require(andorra)
    let whole = Set(try findings(extract, isWhole: true).map(\.id))
    let folder = try TemporaryFolder()
    for strategy in ["simple", "complete_ways", "smart"] {
      let cut = folder.file("\(strategy).osm.pbf")
      let osmium = try Process.run(
        URL(fileURLWithPath: "/usr/bin/osmium"),
        arguments: [
          "extract", "-b", "1.48,42.48,1.62,42.58", "-s", strategy, extract, "-o", cut,
        ])
      osmium.waitUntilExit()
      let found = Set(try findings(cut, isWhole: false).map(\.id))
      #expect(found.count > 10 && found.isSubset(of: whole), "\(found.subtracting(whole))")
    }
  }

  private func findings(_ path: String, isWhole: Bool) throws -> [MapFinding] {
    try MapCheck.findings(try MappedExtract(path, threads: 2), isWhole: isWhole)
  }
}
