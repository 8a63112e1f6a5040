// SPDX-License-Identifier: Apache-2.0
import RoutingGraph
import TestSupport
import Testing
import TrailData

@Suite("Hazards on edges")
struct HazardRangeTests {
  /// The hazards of a map as EDGE:START-END TYPE/ID TAGS, in decimetres.
  private func hazards(_ map: AsciiMap) throws -> [String] {
    let file = try Graph(map).file
    return (0..<file.hazards.count).map { index in
      let range = file.hazards[index]
      let tags = file.tagSets.texts(of: Int(range.tagSet), in: file.strings)
      let text = tags.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
      return "\(range.edge):\(range.start)-\(range.end) \(range.type)/\(range.id) \(text)"
    }
  }

  @Test("a ford at a node within an edge is a place on it, and cuts nothing")
  func ford() throws {
    let map = AsciiMap(
      "A---B---C", cellMetres: 10, ways: [.init("ABC")], nodeTags: ["B": ["ford": "yes"]])
    #expect(try hazards(map) == ["0:400-400 node/2 ford=yes"])
    #expect(try Graph(map).edges == "AC")
  }

  @Test("one at a junction is at the ends of all edges that meet there")
  func junction() throws {
    let drawing = """
      A-B-C
        D
      """
    let map = AsciiMap(
      drawing, cellMetres: 10, ways: [.init("ABC"), .init("DB")],
      nodeTags: ["B": ["hazard": "rock_slide"]])
    let tags = "node/2 hazard=rock_slide"
    #expect(try hazards(map) == ["0:200-200 \(tags)", "1:0-0 \(tags)", "2:100-100 \(tags)"])
  }

  @Test("one at a barrier keeps its edge where edges of the barrier come between")
  func barrier() throws {
    let map = AsciiMap(
      "A-B-C-D", cellMetres: 10, ways: [.init("ABCD")],
      nodeTags: ["B": ["barrier": "fence"], "C": ["ford": "yes"]])
    #expect(try Graph(map).edges == "AB BB' B'D")
    #expect(try hazards(map) == ["2:200-200 node/3 ford=yes"])
  }

  @Test("one on the outline of an area keeps its edge, beside edges that share a side of a barrier")
  func outline() throws {
    let drawing = """
      A-B-C
      | | |
      D-E-F
      """
    let area = ["highway": "pedestrian", "area": "yes"]
    let map = AsciiMap(
      drawing, cellMetres: 10, ways: [.init("ABEDA", tags: area), .init("BCFEB", tags: area)],
      nodeTags: ["B": ["barrier": "fence"], "D": ["ford": "yes"], "F": ["ford": "yes"]])
    #expect(try Graph(map).edges == "AB BE EA BB' B'E EB'")
    #expect(try hazards(map) == ["2:200-200 node/4 ford=yes", "4:400-400 node/6 ford=yes"])
  }

  @Test("a node without a hazard, and one beside the ways, gives none")
  func none() throws {
    let map = AsciiMap(
      "A-B-C-D", cellMetres: 10, ways: [.init("ABC")],
      nodeTags: [
        "A": ["ford": "no"], "B": ["highway": "crossing"], "C": ["hazard": "children"],
        "D": ["ford": "yes"],
      ])
    #expect(try hazards(map) == [])
  }
}
