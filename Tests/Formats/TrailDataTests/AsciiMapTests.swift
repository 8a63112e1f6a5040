// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing
import TrailData

@Suite("Maps drawn for tests")
struct AsciiMapTests {
  let map = AsciiMap(
    """
    A---B---C
        |
        D
    """,
    ways: [.init("ABC", id: 7), .init("BD", id: 3, tags: ["highway": "steps", "name": "Weg"])],
    nodeTags: ["B": ["barrier": "gate"]], elevations: ["A": 100, "C": 120.5])

  @Test("a drawing becomes a file with its nodes, ways, tags and elevations")
  func becomesAFile() throws {
    let folder = try TemporaryFolder()
    let file = try map.elevatedFiles(in: folder).open()
    #expect(Array(file.nodeIDs) == [1, 2, 3, 4])
    #expect(Array(file.wayIDs) == [3, 7])
    #expect(file.refs(ofWay: 0).map { file.refs[$0] } == [1, 3])
    #expect(file.refs(ofWay: 1).map { file.refs[$0] } == [0, 1, 2])
    #expect(file.elevations.map { $0.map { $0.isNaN ? -1 : $0 } } == [100, -1, 120.5, -1])
    #expect(Array(file.taggedNodes) == [1])
    let barrier = try #require(file.strings.index(of: "barrier"))
    #expect(file.nodeTags.value(of: barrier, on: 0).map { file.strings[Int($0)] } == "gate")
    let name = try #require(file.strings.index(of: "name"))
    #expect(file.wayTags.value(of: name, on: 0).map { file.strings[Int($0)] } == "Weg")
    #expect(file.wayTags.value(of: name, on: 1) == nil)
  }

  @Test("a character is a cell to the east, a line is a cell to the south")
  func hasItsSizes() throws {
    let (b, c, d) = (
      try map.coordinate("B"), try map.coordinate("C"), try map.coordinate("D")
    )
    #expect(abs(haversineDistance(b, c) - 400) < 0.1)
    #expect(abs(haversineDistance(b, d) - 200) < 0.1)
    #expect(d.latitude < b.latitude)
    #expect(c.longitude > b.longitude)
  }

  @Test("a letter that is missing or appears twice in the drawing fails the test")
  func refusesNonsense() {
    #expect(throws: TestFailure.self) { try AsciiMap("A-B", ways: [.init("ABC")]).trails() }
    #expect(throws: TestFailure.self) { try AsciiMap("A-A", ways: [.init("AA")]).trails() }
  }
}
