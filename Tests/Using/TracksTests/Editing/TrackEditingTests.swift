// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import FoundationEssentials
import TestSupport
import Testing

@Suite("Dividing and joining tracks")
struct TrackEditingTests {
  private var outing: TrackDrawing {
    var drawing = TrackDrawing()
    drawing.walk(600, speed: 1)
    drawing.jump(4000, metres: 3000)
    drawing.walk(600, speed: 1)
    drawing.rest(1200)
    drawing.walk(600, speed: 1)
    return drawing
  }

  @Test(
    "no point is lost and none is changed, however a track is divided",
    arguments: [
      (TrackDivision.gaps(seconds: 1800), 2), (.rests(seconds: 600), 2), (.rests(seconds: 1e6), 1),
      (.days(secondsEastOfUTC: 0), 2), (.days(secondsEastOfUTC: -7200), 1),
    ])
  func lossless(_ division: TrackDivision, _ count: Int) {
    let points = outing.points
    let bounds = [0, 100, 100, 1500, points.count]
    let segments = zip(bounds, bounds.dropFirst()).map { Array(points[$0..<$1]) }
    for track in [[points], segments] {
      let parts = division.parts(of: track)
      #expect(parts.flatMap { $0.flatMap { $0 } } == points)
      #expect(parts.allSatisfy { $0.allSatisfy { !$0.isEmpty } })
    }
    #expect(division.parts(of: [points]).count == count)
  }

  @Test("parts by distance meet at their ends")
  func distance() throws {
    var drawing = TrackDrawing()
    drawing.walk(3500, speed: 1)
    let parts = TrackDivision.distance(metres: 1000).parts(of: [drawing.points])
    #expect(parts.count == 4)
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect(part.last?.last == next.first?.first)
    }
    let lengths = parts.map { TrackReport(segments: $0).total.distanceMetres.rounded() }
    #expect(lengths.dropLast().allSatisfy { abs($0 - 1000) <= 1 })
    #expect(abs(lengths.reduce(0, +) - 3500) <= 3)
  }

  @Test("without times there are no gaps, rests or days")
  func untimed() {
    var drawing = outing
    drawing.edit { for index in $0.indices { $0[index].time = nil } }
    let divisions: [TrackDivision] = [
      .gaps(seconds: 0), .rests(seconds: 0), .days(secondsEastOfUTC: 0),
    ]
    for division in divisions {
      #expect(division.parts(of: [drawing.points]) == [[drawing.points]])
      #expect(division.parts(of: []).isEmpty)
    }
  }

  @Test("tracks are joined in the order of their times, and overlaps are named")
  func merging() {
    let points = outing.points
    let (early, late) = (Array(points[..<500]), Array(points[500...]))
    let merge = TrackMerge([late, [], early])
    #expect(merge.segments == [early, late])
    #expect(merge.isSorted && merge.overlaps.isEmpty)
    let kept = TrackMerge([late, early], sorting: false)
    #expect(kept.segments == [late, early])
    let twice = TrackMerge([late, early, Array(points[400..<600])])
    #expect(twice.segments.map(\.count) == [500, 200, points.count - 500])
    #expect(twice.overlaps.map(\.segments) == [0...1, 1...2])
    #expect(twice.overlaps.first?.seconds == 99)
    let untimed = [GPXFile.Point(coordinate: Coordinate(latitude: 1, longitude: 1))]
    #expect(TrackMerge([late, untimed, early]).segments == [late, untimed, early])
    #expect(!TrackMerge([late, untimed]).isSorted)
  }
}
