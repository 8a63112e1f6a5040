// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocationProviders
import CairnMapMatching
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Map matching in bursts of multipath")
struct MatchedBurstTests {
  /// A straight way of 1.2 km, with another one 50 m beside it that is joined to it at the ends.
  private let map: MatchedMap
  /// One fix a second along the straight one, at 1.25 m/s, each off by up to 2 m.
  private let fixes: [MatchingFix]

  init() throws {
    map = try MatchedMap(
      """
      A-----------B-----------C
      D-----------E-----------F
      """, cellMetres: 50, "ABC", "DEF", "AD", "CF")
    var random = SeededGenerator(seed: 4)
    let points = try map.points("ABC", every: 1.25).map {
      $0.moved(
        east: Double.random(in: -2...2, using: &random),
        north: Double.random(in: -2...2, using: &random))
    }
    fixes = MatchedMap.fixes(points, every: 1)
  }

  /// The fixes with some of them put aside, in metres to the east and the north.
  private func putAside(_ range: Range<Int>, _ east: Double, _ north: Double) -> [MatchingFix] {
    fixes.enumerated().map { index, fix in
      guard range.contains(index) else { return fix }
      var fix = fix
      fix.coordinate = fix.coordinate.moved(east: east, north: north)
      return fix
    }
  }

  private func keepsToTheWay(_ track: MatchedTrack) -> Bool {
    track.gaps.isEmpty && abs(track.matchedMetres - 1200) < 15
      && !map.letters(track).contains { "DE".contains($0) }
  }

  @Test(
    "fixes that jump aside and back are ignored, and the way goes on, also where another one is there",
    arguments: [(0.0, 45.0), (0, -50), (30, 30), (-25, -25)], [15, 40])
  func bridged(_ offset: (Double, Double), _ seconds: Int) throws {
    let track = try map.matcher.match(putAside(300..<300 + seconds, offset.0, offset.1))
    #expect(keepsToTheWay(track), "\(map.letters(track))")
    var plain = map.matcher
    plain.parameters.jump = .infinity
    #expect(!keepsToTheWay(try plain.match(putAside(300..<300 + seconds, offset.0, offset.1))))
    // Those of the burst, and a few around it.
    #expect((seconds...seconds + 12).contains(track.ignoredFixes), "\(track.ignoredFixes)")
    #expect(track.fixes[302] == nil && track.fixes[200] != nil)
  }

  @Test("fixes aside for minutes, or aside for good, are where somebody was")
  func lasting() throws {
    let long = try map.matcher.match(putAside(300..<450, 0, 45))
    #expect(long.ignoredFixes == 0 && !long.gaps.isEmpty)
    let forGood = try map.matcher.match(putAside(300..<fixes.count, 0, -50))
    #expect(forGood.ignoredFixes == 0)
  }

  @Test("who walks away from a way and back, is off it")
  func walkedAway() throws {
    // 40 m to the north and back, at walking pace.
    let points = try map.points("AB", every: 1.25)
    let away = MatchedMap.points(
      along: [points[300], points[300].moved(east: 20, north: 40), points[332]], every: 1.25)
    let walk = Array(points[..<300]) + away + Array(points[333...])
    let track = try map.matcher.match(MatchedMap.fixes(walk, every: 1))
    #expect(track.ignoredFixes == 0)
  }

  @Test("without times nothing is a jump, and times of nonsense change nothing")
  func nonsense() throws {
    let burst = putAside(300..<330, 0, 45)
    func track(_ time: (Int) -> Date?) throws -> MatchedTrack {
      try map.matcher.match(
        burst.enumerated().map { index, fix in
          MatchingFix(coordinate: fix.coordinate, time: time(index))
        })
    }
    let epoch = Date(timeIntervalSince1970: 1_750_000_000)
    #expect(try track { _ in nil }.ignoredFixes == 0)
    #expect(try track { _ in epoch }.ignoredFixes == 0)
    #expect(try track { epoch - Double($0) }.ignoredFixes == 0)
    _ = try track { $0 % 2 == 0 ? nil : epoch + Double($0) }
    _ = try track { epoch + Double($0 % 7) * 1e9 }
    _ = try track { epoch + Double($0 % 12) * 5 }
  }

  @Test("simulated walks with bursts keep to their ways")
  func simulated() throws {
    let path = try WalkedPath(
      RoutingEngine(graphs: [map.graph]).findRoute(
        from: map.map.coordinate("A"), to: map.map.coordinate("C"), profile: "hiking"))
    for seed in 1...10 as ClosedRange<UInt64> {
      var bursts = ReceiverNoise.Bursts()
      bursts.everySeconds = 200
      let walk = SimulatedWalk(path, deviation: 3, interval: 1, bursts: bursts, seed: seed)
      let score = MatchingScore(walk, try map.matcher.match(walk.fixes))
      #expect(score.rightMetres / score.trueMetres > 0.9, "\(seed)")
    }
  }
}
