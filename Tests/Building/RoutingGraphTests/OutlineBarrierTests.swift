// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TrailData

@Suite("What is closed on the outline of a walked area")
struct OutlineBarrierTests {
  private let gate = ["barrier": "gate", "access": "private"]
  private let area = ["highway": "pedestrian", "area": "yes"]
  private let member = ["highway": "service", "type": "multipolygon"]
  private let square = """
    A-B-C-F
      | |
      D-E-G
    """

  private func edges(
    _ drawing: String, _ ways: [AsciiMap.Way], gates: String, tags: [String: String]? = nil
  ) throws -> String {
    let nodeTags = Dictionary(uniqueKeysWithValues: gates.map { ($0, tags ?? gate) })
    return try Graph(AsciiMap(drawing, ways: ways, nodeTags: nodeTags)).edges
  }

  @Test("a gate closes the way that leaves there, not the edge of the area")
  func leavingWay() throws {
    let ways: [AsciiMap.Way] = [.init("AB"), .init("BCEDB", tags: area), .init("CF")]
    #expect(try edges(square, ways, gates: "C") == "AB BC CB CC' C'F")
    // Whatever the order of the ways.
    #expect(
      try edges(square, [.init("FC"), .init("BCEDB", tags: area)], gates: "C")
        == "FC' C'C BC CB")
  }

  @Test("each of several ways that leave at a gate is closed for itself")
  func severalLeavingWays() throws {
    let ways: [AsciiMap.Way] = [.init("BCEDB", tags: area), .init("CF"), .init("GC")]
    #expect(try edges(square, ways, gates: "C") == "BC CB CC' C'F GC'' C''C")
  }

  @Test("a gate where no way leaves closes nothing, nor does one where the outline begins")
  func nothingLeaves() throws {
    #expect(try edges(square, [.init("BCEDB", tags: area)], gates: "C") == "BC CB")
    #expect(try edges(square, [.init("BCEDB", tags: area)], gates: "B") == "BB")
    let ways: [AsciiMap.Way] = [.init("AB"), .init("BCEDB", tags: area)]
    #expect(try edges(square, ways, gates: "B") == "AB' B'B BB")
  }

  @Test("a gate between two areas parts them, and neither edge")
  func twoAreas() throws {
    let drawing = """
      A-B-C
      | | |
      D-E-F
      """
    let touching: [AsciiMap.Way] = [.init("ABDA", tags: area), .init("BCFB", tags: area)]
    #expect(try edges(drawing, touching, gates: "B") == "AB BA BB' B'B'")
    // Both have the side BE, with a gate at one end of it.
    let neighbours: [AsciiMap.Way] = [.init("ABEDA", tags: area), .init("BCFEB", tags: area)]
    #expect(try edges(drawing, neighbours, gates: "B") == "AB BE EA BB' B'E EB'")
  }

  @Test("a way along the outline is closed, the outline beside it is not")
  func wayAlongOutline() throws {
    let ways: [AsciiMap.Way] = [.init("ABCF"), .init("BCEDB", tags: area)]
    #expect(try edges(square, ways, gates: "C") == "AB BC' C'C CC'' C''F BC CB")
  }

  @Test("an outline that passes a gate twice is one side of it")
  func passedTwice() throws {
    let ways: [AsciiMap.Way] = [.init("BCEDCFB", tags: area), .init("AB"), .init("GC")]
    #expect(try edges(square, ways, gates: "C") == "BC CC CB AB GC' C'C")
  }

  @Test("a round walk is no area: only area=yes, platforms, piers and lifts are")
  func rounds() throws {
    let through = "AB BC CB CC' C'F"
    let kinds: [([String: String], Bool)] = [
      (["highway": "pedestrian"], false), (["highway": "footway"], false),
      (["highway": "pedestrian", "area": "no"], false),
      (["highway": "platform"], true), (["highway": "pier"], true), (["highway": "elevator"], true),
      (["highway": "platform", "area": "no"], false), (["highway": "track", "area": "yes"], true),
      (member, true),
    ]
    for (tags, isArea) in kinds {
      let ways: [AsciiMap.Way] = [.init("AB"), .init("BCEDB", tags: tags), .init("CF")]
      #expect((try edges(square, ways, gates: "C") == through) == isArea, "\(tags)")
    }
  }

  @Test("an open way is no area by a tag of its own")
  func openWay() throws {
    #expect(
      try edges(square, [.init("BCED", tags: area), .init("CF")], gates: "C")
        == "BC CC' C'D CC'' C''F")
  }

  @Test("the parts of a ring go on at a gate, in a third one that another area shares, too")
  func parts() throws {
    let two: [AsciiMap.Way] = [
      .init("ABC", tags: member), .init("CED", tags: member), .init("CF"),
    ]
    #expect(try edges(square, two, gates: "C") == "AC CD CC' C'F")
    // Within a part, too.
    #expect(try edges(square, two, gates: "B") == "AB BC CD CF")
    let three: [AsciiMap.Way] = [
      .init("ABC", tags: member), .init("CED", tags: member), .init("CF", tags: member),
      .init("GC"),
    ]
    #expect(try edges(square, three, gates: "C") == "AC CD CF GC' C'C")
  }

  @Test("nothing goes on at a gate between rings of which nobody knows the parts")
  func unclearParts() throws {
    let ways: [AsciiMap.Way] = [
      .init("ABC", tags: member), .init("CED", tags: member), .init("CF", tags: member),
      .init("GC", tags: member),
    ]
    #expect(try edges(square, ways, gates: "C") == "AC CC' C'D CC'' C''F GC''' C'''C")
    #expect(
      try edges(square, [.init("BC", tags: member), .init("CF")], gates: "C") == "BC CC' C'F")
  }

  @Test("all that may close goes on: walls, locks, conditions, what stops cyclists alone")
  func kinds() throws {
    let ways: [AsciiMap.Way] = [.init("AB"), .init("BCEDB", tags: area), .init("CF")]
    let kinds = [
      ["barrier": "wall"], ["barrier": "gate", "locked": "yes"], ["barrier": "stile"],
      ["barrier": "gate", "access:conditional": "no @ (18:00-06:00)"], ["access": "no"],
      ["barrier": "gate", "bicycle": "no"], ["barrier": "fence"],
    ]
    for tags in kinds {
      #expect(try edges(square, ways, gates: "C", tags: tags) == "AB BC CB CC' C'F", "\(tags)")
    }
  }

  @Test("a square with 100,000 corners and 1,000 gates is walked round")
  func largeSquare() throws {
    let folder = try TemporaryFolder()
    var content = TrailsContent()
    // Sorted: access, area, barrier, gate, highway, path, pedestrian, private, yes
    content.strings = [
      "access", "area", "barrier", "gate", "highway", "path", "pedestrian", "private", "yes",
    ].map { Array($0.utf8) }
    let (corners, gates) = (100_000, 1000)
    for node in 0..<corners + gates {
      let angle = Double(node) / Double(corners) * 2 * .pi
      content.nodeIDs.append(Int64(node + 1))
      content.latitudes.append(470_000_000 + Int32(100_000 * sin(angle)))
      content.longitudes.append(100_000_000 + Int32(100_000 * cos(angle)))
    }
    for gate in 0..<gates {
      content.taggedNodes.append(UInt32(gate * 100 + 50))
      content.nodeTags.add(key: 0, value: 7)
      content.nodeTags.add(key: 2, value: 3)
      content.nodeTags.endObject()
      content.wayIDs.append(Int64(gate + 1))
      content.refs += [UInt32(gate * 100 + 50), UInt32(corners + gate)]
      content.refOffsets.append(UInt32(content.refs.count))
      content.wayTags.add(key: 4, value: 5)
      content.wayTags.endObject()
    }
    content.wayIDs.append(2000)
    content.refs += (0..<UInt32(corners)).map { $0 } + [0]
    content.refOffsets.append(UInt32(content.refs.count))
    content.wayTags.add(key: 1, value: 8)
    content.wayTags.add(key: 4, value: 6)
    content.wayTags.endObject()
    let elevations = [Float](repeating: 500, count: content.nodeIDs.count)
    let file = try Graph(content, elevations: elevations, in: folder).file
    // A way and its gate, and between each two gates an edge; the outline begins between two gates.
    #expect(file.from.count == 3 * gates + 1 && file.barrierEdges.count == gates)
    let outline = (2 * gates)..<file.from.count
    #expect(outline.dropLast().allSatisfy { file.to[$0] == file.from[$0 + 1] })
    #expect(file.to[outline.upperBound - 1] == file.from[outline.lowerBound])
  }
}
