// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import OSMInput

@Suite("Osmosis .poly files")
struct PolyFileTests {
  private let text = """
    valley
    1
       1.0E+01  4.7E+01
       12.0     47
       12       49
       10\t49
       10       47
    END
    !hole
       10.5 47.5
       11.5 47.5
       11.5 48.5
       10.5 48.5
    END

    island
       20 47
       21 47
       21 48
    END
    END

    """

  private func contains(_ region: Region, _ longitude: Double, _ latitude: Double) -> Bool {
    region.contains(
      NodeCoordinate(latitude: Int64(latitude * 1e7), longitude: Int64(longitude * 1e7)))
  }

  private func region(_ text: String, name: String = "east.poly") throws -> Region {
    let scratch = try Scratch()
    return try RegionFile.read(try scratch.file(name, text))
  }

  @Test("sections are areas, or holes if they have an exclamation mark", arguments: ["\n", "\r\n"])
  func sections(lineEnd: String) throws {
    let region = try region(text.replacing("\n", with: lineEnd))
    #expect(contains(region, 10.2, 48))
    #expect(!contains(region, 11, 48))
    #expect(contains(region, 20.9, 47.5))
    #expect(!contains(region, 20.1, 47.9))
    #expect(region.name?.hasPrefix("polygon:") == true)
  }

  @Test("the format is recognised by the name or the content")
  func kinds() throws {
    let geoJSON = #" {"type": "Polygon", "coordinates": [[[10,47],[12,47],[12,49],[10,47]]]}"#
    for (name, text) in [("a", text), ("a.txt", text), ("A.POLY", text), ("b", geoJSON)] {
      #expect(contains(try region(text, name: name), 11.9, 47.2), "\(name)")
    }
    #expect(failure { try region(text, name: "a.geojson") }?.code == .badRegion)
    #expect(failure { try region(geoJSON, name: "a.poly") }?.code == .badRegion)
  }

  @Test("overlapping areas are united, and a hole belongs to each")
  func overlaps() throws {
    let region = try region(
      """
      two
      a
      0 0
      4 0
      4 4
      0 4
      END
      b
      2 0
      6 0
      6 4
      2 4
      END
      !c
      2.5 1
      3.5 1
      3.5 2
      2.5 2
      END
      END
      """)
    #expect(contains(region, 3, 3))
    #expect(contains(region, 1, 1))
    #expect(contains(region, 5, 1))
    #expect(!contains(region, 3, 1.5))
  }

  @Test("invalid files are errors with their line")
  func broken() throws {
    let cases: [(String, String, Int?)] = [
      ("", "is empty", nil), ("name\n", "last END is missing", 2),
      ("name\nEND\n", "contains no area", nil),
      ("name\n1\n1 2\n3 4\n", "END of a section", 5),
      ("name\n1\n1 2\n3 4\nEND\nEND", "fewer than three points", 2),
      ("name\n1\n1 2\n3 x\n5 6\nEND\nEND", "“3 x”", 4),
      ("name\n1\n1 2 3\n", "“1 2 3”", 3), ("name\n1\n190 2\n", "not on Earth", 3),
      ("name\n1\n1 nan\n", "not on Earth", 3), ("name\n1\n1 95\n", "not on Earth", 3),
      ("name\n1\n1 2\n3 4\n5 5\nEND\nEND\nmore", "after the last END", 8),
      ("name\n1\n1 2\n3 4\n5 5\nEND\n", "last END is missing", 7),
      ("name\n!1\n1 2\n3 4\n5 5\nEND\nEND\n", "contains no area", nil),
    ]
    for (text, words, line) in cases {
      let error = failure { try region(text) }
      #expect(error?.code == .badRegion, "\(text): \(error as Any)")
      #expect(error?.exitCode == .dataError)
      #expect(error?.description.contains(words) == true, "\(text): \(error as Any)")
      #expect(error?.location?.file.hasSuffix("east.poly") == true)
      if let line {
        #expect(error?.location?.position == .line(line, column: 1), "\(error as Any)")
      }
    }
    let sections = String(repeating: "a\n1 2\n3 4\n5 5\nEND\n", count: 10_001)
    #expect(failure { try region("name\n" + sections + "END") }?.code == .badRegion)
  }
}
