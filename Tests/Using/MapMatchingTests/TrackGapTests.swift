// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Gaps of matched tracks")
struct TrackGapTests {
  /// Two switchbacks, 150 m apart, with the bend far to the east.
  private static func switchbacks() throws -> MatchedMap {
    try MatchedMap(
      """
      A---------------B
                      |
      D---------------C
      """, cellMetres: 75, "ABCD")
  }

  @Test("a short cut of 150 m across a meadow is a gap, not the road around")
  func shortCut() throws {
    let map = try Self.switchbacks()
    let points = MatchedMap.points(
      along: [
        try map.map.coordinate("A"), try map.point("A", "B", 0.5), try map.point("D", "C", 0.5),
        try map.map.coordinate("D"),
      ])
    let track = try map.match(points)
    #expect(map.letters(track) == "AD ~ AD")
    let gap = try #require(track.gaps.first)
    #expect(gap.kind == .offNetwork)
    #expect(110...170 ~= gap.lengthMetres, "\(gap.lengthMetres)")
    #expect(abs(track.matchedMetres - 1200) < 60, "\(track.matchedMetres)")
    // Of each leg the half in the west.
    #expect(track.stretches[0].edges[0].toShare < 0.3)
    #expect(track.stretches[1].edges[0].fromShare > 0.7)
  }

  @Test("fixes that come at long intervals do not hide the short cut")
  func sparseShortCut() throws {
    let map = try Self.switchbacks()
    let points = MatchedMap.points(
      along: [
        try map.map.coordinate("A"), try map.point("A", "B", 0.5), try map.point("D", "C", 0.5),
        try map.map.coordinate("D"),
      ], every: 75)
    let track = try map.matcher.match(MatchedMap.fixes(points, every: 60))
    #expect(map.letters(track) == "AD ~ AD")
  }

  @Test("the road around is taken where there was time for it and nothing was recorded")
  func switchedOff() throws {
    let map = try Self.switchbacks()
    let before = try map.points("AB").prefix(61)
    let after = try map.points("CD").suffix(61)
    let fixes = MatchedMap.fixes(Array(before) + after)
    // 1350 m in twenty minutes, where the straight line has 150 m.
    let late = fixes.enumerated().map { index, fix in
      var fix = fix
      if index >= before.count { fix.time? += 1200 }
      return fix
    }
    #expect(map.letters(try map.matcher.match(late)) == "AD")
    let far = Array(fixes.prefix(20)) + fixes.suffix(20)
    let track = try map.matcher.match(far)
    #expect(map.letters(track) == "AD ~ AD")
    #expect(track.gaps.first?.kind == .unrecorded)
  }

  @Test("a tunnel without fixes is bridged along the way")
  func tunnel() throws {
    let map = try MatchedMap("A---------B---------C---------D", "AB", "BC", "CD")
    let fixes = MatchedMap.fixes(try map.points("ABCD")).enumerated()
      .filter { !(60..<240).contains($0.offset) }.map(\.element)
    let track = try map.matcher.match(fixes)
    #expect(map.letters(track) == "AB BC CD")
  }

  @Test("off the network at the beginning and at the end there are gaps, too")
  func ends() throws {
    let map = try MatchedMap("A---------B", "AB")
    let (a, b) = (try map.map.coordinate("A"), try map.map.coordinate("B"))
    let points = MatchedMap.points(
      along: [a.moved(east: 0, north: 300), a, b, b.moved(east: 0, north: -300)])
    let track = try map.match(points)
    #expect(map.letters(track) == "~ AB ~")
    #expect(track.gaps[0].lastFixBefore == nil && track.gaps[1].firstFixAfter == nil)
    #expect(track.gaps.allSatisfy { 260...320 ~= $0.lengthMetres })
    #expect(track.fixes.first == .some(nil))
    let share = try #require(track.matchedShareOfLength)
    #expect(abs(share - 1000 / 1600) < 0.03, "\(share)")
  }

  @Test("a single fix far away is ignored")
  func spike() throws {
    let map = try MatchedMap("A---------B", "AB")
    var points = try map.points("AB")
    points[40] = points[40].moved(east: 100, north: 900)
    let track = try map.match(points)
    #expect(map.letters(track) == "AB")
    #expect(track.ignoredFixes == 1)
    #expect(track.fixes[40] == nil)
  }
}
