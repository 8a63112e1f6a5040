// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Tracks of strangers")
struct BadTrackTests {
  private let map: MatchedMap

  init() throws {
    map = try MatchedMap("A---------B---------C", "AB", "BC")
  }

  @Test("a track without points, or with invalid ones only, is an error that says so")
  func noFixes() throws {
    #expect(throws: MapMatchingError.noFixes) { try map.matcher.match([]) }
    let invalid = [Double.nan, .infinity, 91, -1000].map {
      MatchingFix(coordinate: Coordinate(latitude: $0, longitude: 10))
    }
    #expect(throws: MapMatchingError.noFixes) { try map.matcher.match(invalid) }
    #expect(MapMatchingError.noFixes.description == "the track has no points")
  }

  @Test("a track where there is no way is an error that says how far one was looked for")
  func noWay() throws {
    let far = [(0.0, 0.0), (47, 11), (89.99, -180), (-90, 180)].map {
      MatchingFix(coordinate: Coordinate(latitude: $0.0, longitude: $0.1))
    }
    #expect(throws: MapMatchingError.noWayNearby(radiusMetres: 30)) { try map.matcher.match(far) }
  }

  @Test("times that are missing, equal, out of order or absurd change nothing on a plain track")
  func times() throws {
    let points = try map.points("ABC")
    let plain = map.letters(try map.match(points))
    #expect(plain == "AB BC")
    let dates: [(Int) -> Date?] = [
      { _ in nil }, { _ in Date(timeIntervalSince1970: 0) },
      { Date(timeIntervalSince1970: Double(1_000_000 - $0)) },
      { Date(timeIntervalSince1970: $0 % 2 == 0 ? .nan : .infinity) },
      { Date(timeIntervalSince1970: $0 % 2 == 0 ? 1e300 : -1e300) },
      { $0 % 3 == 0 ? nil : Date(timeIntervalSince1970: Double($0)) },
    ]
    for (number, date) in dates.enumerated() {
      let fixes = points.enumerated().map { MatchingFix(coordinate: $1, time: date($0)) }
      #expect(map.letters(try map.matcher.match(fixes)) == plain, "times \(number)")
    }
  }

  @Test(
    "accuracies that are absurd are as good as none",
    arguments: [0, -1, .nan, .infinity, 1e-300, 1e300])
  func accuracies(accuracy: Double) throws {
    let fixes = try map.points("ABC").map {
      MatchingFix(coordinate: $0, horizontalAccuracy: accuracy)
    }
    let track = try map.matcher.match(fixes, accuracyMetres: accuracy)
    #expect(track.fixes.count == fixes.count)
    #expect(map.letters(track) == "AB BC")
  }

  @Test("a single point is matched without length")
  func onePoint() throws {
    let track = try map.match([try map.point("A", "B", 0.5)])
    #expect(track.stretches.count == 1 && track.matchedMetres == 0)
    #expect(track.matchedShareOfLength == nil && track.matchedShareOfFixes == 1)
    #expect(track.fixes[0].map { abs($0.share - 0.5) < 0.01 } == true)
  }

  @Test("a jump over an ocean and back is a gap")
  func ocean() throws {
    let points = try map.points("ABC")
    let island = (0..<20).map { Coordinate(latitude: -20, longitude: -150 + Double($0) * 1e-4) }
    let track = try map.match(Array(points[..<50]) + island + Array(points[50...]))
    #expect(map.letters(track) == "AB ~ AB BC")
    #expect(track.gaps[0].lengthMetres > 1e7)
  }

  @Test("many points at one place, or to and fro between two, take no time to speak of")
  func manyPoints() throws {
    let point = try map.point("A", "B", 0.5)
    let still = (0..<50_000).map { _ in MatchingFix(coordinate: point) }
    #expect(try map.matcher.match(still).matchedShareOfFixes == 1)
    for metres in [9.0, 40, 900] {
      let jumping = (0..<10_000).map {
        MatchingFix(
          coordinate: point.moved(east: $0 % 2 == 0 ? 0 : metres, north: 0),
          time: Date(timeIntervalSince1970: 5))
      }
      #expect(try map.matcher.match(jumping).fixes.count == jumping.count)
    }
  }
}
