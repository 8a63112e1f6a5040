// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Ways in order")
struct CourseOrderTests {
  /// Segments of ways that are written as the letters of their nodes, each edge 100 m: `AB` in either
  /// direction, `AB>` forward and `AB<` backward only. A way that is listed again has the same edges.
  private func segments(_ ways: [String]) -> [CourseSegment] {
    var edge: Int64 = 0
    var known: [[Int64]: [CourseStep]] = [:]
    return ways.enumerated().map { index, text in
      let letters = text.unicodeScalars.filter { $0 != ">" && $0 != "<" }.map { Int64($0.value) }
      let direction: CourseWay.Direction =
        text.hasSuffix(">") ? .forward : text.hasSuffix("<") ? .backward : .both
      var segment = CourseSegment(way: index, nodes: letters, direction: direction)
      segment.steps =
        known[letters]
        ?? letters.dropFirst().map { _ in
          edge += 1
          return CourseStep(edge: edge)
        }
      known[letters] = segment.steps
      segment.metres = segment.steps.map { _ in 100 }
      return segment
    }
  }

  private func order(_ ways: String...) throws -> CourseOrder { try order(of: ways) }

  private func order(of ways: [String]) throws -> CourseOrder {
    // Nodes lie on a line, in the order of letters.
    try CourseOrder(segments(ways)) { Double(abs($0 - $1)) }
  }

  /// The nodes of a chain, each once where segments meet.
  private func letters(_ chain: CourseChain) -> String {
    var nodes: [Int64] = []
    for link in chain.links {
      // What follows each other joins.
      if let last = nodes.last { #expect(last == link.start) }
      #expect(link.nodes.count == link.steps.count + 1 && link.lengths.count == link.steps.count)
      nodes += nodes.isEmpty ? link.nodes[...] : link.nodes.dropFirst()
    }
    return String(String.UnicodeScalarView(nodes.compactMap { Unicode.Scalar(UInt32($0)) }))
  }

  private func pieces(_ order: CourseOrder) -> [String] { order.pieces.map(letters) }
  private func branches(_ order: CourseOrder) -> [String] { order.branches.map(letters) }

  @Test("ways that join are followed as they are listed, whichever way each is drawn")
  func listed() throws {
    let found = try order("AB", "CB", "CDE", "FE")
    #expect(pieces(found) == ["ABCDEF"] && branches(found).isEmpty)
    #expect(found.pieces[0].steps.map(\.isReversed) == [false, true, false, false, true])
    // The first way is turned so that the second one joins it.
    #expect(pieces(try order("BA", "BC")) == ["ABC"])
    #expect(pieces(try order("AB")) == ["AB"])
    #expect(pieces(try order()).isEmpty)
  }

  @Test(
    "a spur that is listed twice is followed there and back, wherever it is listed and however drawn",
    arguments: [
      (["AB", "AB", "BC", "CD"], "BABCD"), (["BA", "BA", "BC", "CD"], "BABCD"),
      (["AB", "BA"], "ABA"), (["AB", "AB", "CB", "CD"], "BABCD"),
      (["BC", "CD", "XD", "XD"], "BCDXD"),
      (["BC", "CD", "DX", "DX"], "BCDXD"), (["BC", "CD", "AB", "AB"], "BABCD"),
      (["BC", "CX", "CX", "CD"], "BCXCD"), (["BC", "XC", "XC", "CD"], "BCXCD"),
      (["BC", "CD", "XC", "XC"], "BCXCD"),
      // Spurs of several ways.
      (["JB", "BD", "BD", "JB", "JC"], "JBDBJC"), (["BJ", "DB", "DB", "BJ", "CJ"], "JBDBJC"),
      (["JB", "BD", "JB", "BD", "JC"], "JBDBJC"), (["JB", "JB", "BD", "BD", "JC"], "JBDBJC"),
      (["BJ", "BJ", "BD", "BD", "JC"], "JBDBJC"), (["JC", "BD", "BD", "JB", "JB"], "JBDBJC"),
      (["ABC", "ABC", "CD"], "CBABCD"),
    ] as [([String], String)])
  func spurs(ways: [String], expected: String) throws {
    let found = try order(of: ways)
    #expect(
      pieces(found).map { Set([$0, String($0.reversed())]) } == [
        [expected, String(expected.reversed())]
      ])
    #expect(branches(found).isEmpty && found.opposite.isEmpty)
  }

  @Test("very many spurs are joined in bounded time")
  func manySpurs() throws {
    let ways = (0..<5000).flatMap { index -> [CourseSegment] in
      let way = CourseSegment(
        way: index, steps: [CourseStep(edge: Int64(index))],
        nodes: [Int64(index * 2), Int64(index * 2 + 1)], metres: [1], direction: .both)
      return [way, way]
    }
    let found = try CourseOrder(ways) { Double(abs($0 - $1)) }
    #expect(found.pieces.count == 5000)
  }

  @Test("ways in a wrong order are joined at their ends, in the direction of the list")
  func unordered() throws {
    #expect(pieces(try order("AB", "CD", "BC", "DE")) == ["ABCDE"])
    #expect(pieces(try order("AB", "BC", "ED", "EF", "CD")) == ["ABCDEF"])
    #expect(pieces(try order("CD", "AB", "BC", "DE", "EF")) == ["ABCDEF"])
  }

  @Test("a gap parts two pieces, which lead on from each other")
  func gaps() throws {
    #expect(pieces(try order("AB", "BC", "GF", "FE")) == ["ABC", "EFG"])
    #expect(pieces(try order("BA", "FE", "FG")) == ["AB", "EFG"])
  }

  @Test("a way that leaves the others is a branch, also one listed between them")
  func branch() throws {
    let found = try order("AB", "BX", "BC", "CD", "DE")
    #expect(pieces(found) == ["BCDE"] || pieces(found) == ["ABCDE"])
    let later = try order("AB", "BC", "CD", "BX")
    #expect(pieces(later) == ["ABCD"] && branches(later) == ["BX"])
  }

  @Test("of ways for one direction those of the other are set aside, in whatever order they come")
  func directions() throws {
    // From B to E there by P and Q, back by R and S.
    for ways in [
      ["AB", "BP>", "PE>", "ER>", "RB>", "EF"], ["AB", "BP>", "PE>", "RB>", "ER>", "EF"],
      ["AB", "RB>", "ER>", "BP>", "PE>", "EF"], ["AB", "PB<", "EP<", "BR<", "RE<", "EF"],
    ] {
      let found = try order(of: ways)
      #expect(pieces(found) == ["ABPEF"], "\(ways)")
      #expect(branches(found).isEmpty, "\(ways)")
      #expect(found.opposite.count == 2, "\(ways)")
    }
  }

  @Test("a ring is left on the shorter side, or in its direction; a route that is one is all of it")
  func rings() throws {
    #expect(pieces(try order("AB", "BCDEFB", "DG")) == ["ABCDG"])
    #expect(pieces(try order("AB", "CDEFBC", "FG")) == ["ABFG"])
    #expect(pieces(try order("AB", "BCDEFB>", "FG")) == ["ABCDEFG"])
    #expect(pieces(try order("BCDEB")) == ["BCDEB"])
    #expect(pieces(try order("AB", "BC", "CD", "DA")) == ["ABCDA"])
    // A stick and a loop, either first.
    #expect(pieces(try order("AB", "BCDB")) == ["ABCDB"])
    #expect(pieces(try order("CDBC", "BA")) == ["BCDBA"])
  }

  @Test("a ring that is listed elsewhere joins the ways that meet it")
  func ringBetween() throws {
    #expect(pieces(try order("AR", "MN", "RSTUVR", "OP", "TG")).contains("ARSTG"))
  }

  @Test("a way that leads a little beyond the next one is cut there, and the rest is a branch")
  func beyond() throws {
    let found = try order("ABCDE", "DX", "XY", "YZ")
    #expect(pieces(found) == ["ABCDXYZ"] && branches(found) == ["DE"])
    let before = try order("WX", "EDCBA", "XD")
    #expect(pieces(before) == ["WXDCBA"] && branches(before) == ["ED"])
  }

  @Test("two thousand pieces in any order are one route")
  func shuffled() throws {
    var random = SplitMix64(seed: 5)
    var ways = (0..<2000).map { index in
      let ends = [Int64(index), Int64(index + 1)]
      let isTurned = random.nextShare() < 0.5
      return CourseSegment(
        way: index, steps: [CourseStep(edge: Int64(index))],
        nodes: isTurned ? ends.reversed() : ends,
        metres: [10], direction: .both)
    }
    let ordered = try CourseOrder(ways) { Double(abs($0 - $1)) }
    #expect(ordered.pieces.count == 1 && ordered.pieces[0].links.count == 2000)
    ways.sort { _, _ in random.nextShare() < 0.5 }
    let found = try CourseOrder(ways) { Double(abs($0 - $1)) }
    #expect(found.pieces.count == 1 && found.branches.isEmpty)
    #expect(Set([found.pieces[0].head, found.pieces[0].tail]) == [0, 2000])
  }

  @Test("stars, repeated ways and rings in great numbers end soon, and lose nothing")
  func hostile() throws {
    let count = 5000
    func segment(_ index: Int, _ nodes: [Int64], _ direction: CourseWay.Direction = .both)
      -> CourseSegment
    {
      CourseSegment(
        way: index,
        steps: nodes.indices.dropFirst().map { CourseStep(edge: Int64(index * 10 + $0)) },
        nodes: nodes, metres: Array(repeating: 1, count: nodes.count - 1), direction: direction)
    }
    let star = (0..<count).map { segment($0, [0, Int64($0 + 1)], $0 % 2 == 0 ? .forward : .both) }
    let same = (0..<count).map { segment($0, [1, 2]) }
    let rings = (0..<count).map { segment($0, [0, Int64(2 * $0 + 1), Int64(2 * $0 + 2), 0]) }
    let away = (0..<count).map { segment($0, [Int64($0 + 1), 0], .forward) }
    for ways in [star, same, rings, away] {
      let found = try CourseOrder(ways) { _, _ in 1 }
      let kept = (found.pieces + found.branches).flatMap(\.links).map(\.segment)
      #expect((kept + found.opposite).sorted() == Array(0..<count))
    }
  }
}
