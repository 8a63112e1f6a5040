// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import FoundationEssentials
import GPXInput
import TestSupport
import Testing

@testable import CairnTracks

@Suite("Figures of tracks")
struct TrackReportTests {
  private func total(
    _ drawing: TrackDrawing, _ smoothing: ElevationSmoothing = .standard
  ) -> TrackStatistics {
    TrackReport(segments: [drawing.points], smoothing: smoothing).total
  }

  private func isClose(_ value: Double?, _ expected: Double, _ tolerance: Double) -> Bool {
    value.map { abs($0 - expected) <= tolerance } ?? false
  }

  @Test(
    "length, time and climb are those of other tools",
    .enabled(if: sharedData("gpx/Mojstrovka.gpx") != nil),
    arguments: [
      ("Mojstrovka", 2700.6, nil, nil, nil), ("cerknicko-jezero", 4580.1, 4239.0, nil, nil),
      ("andorra-map-matching", 676.2, nil, 42.3, 25.0),
    ] as [(String, Double, Double?, Double?, Double?)])
  func referenceFigures(
    _ name: String, _ metres: Double, _ seconds: Double?, _ up: Double?, _ down: Double?
  ) throws {
    let file = try GPXFile(try #require(sharedData("gpx/\(name).gpx"))) { _ in }
    let segments = file.tracks.flatMap(\.segments)
    let plain = TrackReport(segments: segments, smoothing: .none).total
    // They measure with another radius of the Earth.
    let measured = plain.plainMetres * 6_378_137 / earthRadiusMetres
    #expect(isClose(measured, metres, metres / 1000), "\(measured) m")
    // None of them proves that it is noisy.
    #expect(isClose(plain.distanceMetres, plain.plainMetres, 0.1))
    #expect(plain.recordedSeconds == seconds)
    if let up { #expect(isClose(plain.ascentMetres, up, up / 1000)) }
    if let down { #expect(isClose(plain.descentMetres, down, down / 1000)) }
    let report = TrackReport(segments: segments)
    #expect(isClose(report.splits.map(\.distanceMetres).reduce(0, +), plain.distanceMetres, 0.1))
    #expect(report.segments.count == segments.count)
    if let moving = report.total.movingSeconds { #expect(moving <= seconds ?? 0) }
  }

  @Test(
    "a recording along a road is as long as what it is matched to",
    .enabled(if: sharedData("gpx/andorra-map-matching.gpx") != nil))
  func matchedLength() throws {
    let file = try GPXFile(try #require(sharedData("gpx/andorra-map-matching.gpx"))) { _ in }
    let total = TrackReport(segments: file.tracks.flatMap(\.segments)).total
    // 671.9 m by `cairn track match`.
    #expect(isClose(total.distanceMetres, 671.9, 0.03 * 671.9))
  }

  @Test("walking without rests is movement all the time")
  func walking() {
    var drawing = TrackDrawing()
    drawing.walk(1200, speed: 1.25)
    let total = total(drawing)
    #expect(isClose(total.distanceMetres, 1500, 1))
    #expect(total.recordedSeconds == 1200 && total.restingSeconds == 0)
    #expect(isClose(total.maximumSpeed, 1.25, 0.01) && isClose(total.averageSpeed, 1.25, 0.01))
    #expect(total.start == TrackDrawing.epoch)
    #expect(total.ascentMetres == nil && isClose(total.unknownClimbMetres, 1500, 1))
  }

  @Test("a receiver that shakes at rest does not walk", arguments: [0.0, 2, 5])
  func restWithNoise(_ noise: Double) {
    var drawing = TrackDrawing()
    drawing.noiseMetres = noise
    drawing.walk(900, speed: 1.2)
    drawing.rest(1200)
    drawing.walk(900, speed: 1.2, north: true)
    let total = total(drawing)
    #expect(isClose(total.restingSeconds, 1200, 60), "\(total.restingSeconds ?? -1)")
    #expect(isClose(total.maximumSpeed, 1.2, 0.1 + noise / 4), "\(total.maximumSpeed ?? -1)")
  }

  @Test(
    "slow walkers move, and short stops are part of walking", arguments: [0.35, 0.6])
  func slow(_ speed: Double) {
    var drawing = TrackDrawing()
    drawing.walk(600, speed: speed)
    drawing.rest(10)
    drawing.walk(600, speed: speed)
    #expect(total(drawing).restingSeconds == 0)
  }

  @Test("a recorder that stops writing at rest has rested, one that lost the signal has moved")
  func gaps() {
    var paused = TrackDrawing()
    paused.walk(300, speed: 1.2)
    paused.jump(1800, metres: 12)
    paused.walk(300, speed: 1.2)
    #expect(isClose(total(paused).restingSeconds, 1800, 30))
    var lost = TrackDrawing()
    lost.walk(300, speed: 1.2)
    lost.jump(1800, metres: 2000)
    lost.walk(300, speed: 1.2)
    #expect(total(lost).restingSeconds == 0)
    #expect(isClose(total(lost).recordedSeconds, 2400, 0.1))
  }

  @Test("rests are found with a fix every 10 s and every 30 s, too", arguments: [10.0, 30])
  func sparse(_ step: Double) {
    var drawing = TrackDrawing()
    drawing.noiseMetres = 2
    drawing.walk(900, speed: 1.2, every: step)
    drawing.rest(900, every: step)
    drawing.walk(900, speed: 1.2, every: step)
    #expect(isClose(total(drawing).restingSeconds, 900, 60))
  }

  @Test("a single position far away changes neither length, top speed nor moving time")
  func spike() {
    var drawing = TrackDrawing()
    drawing.walk(600, speed: 1.2, every: 5)
    drawing.rest(600, every: 5)
    drawing.walk(600, speed: 1.2, every: 5)
    let clean = total(drawing)
    drawing.edit {
      $0[30].coordinate.latitude += 0.01
      $0[180].coordinate.latitude += 0.01
    }
    let spiked = total(drawing)
    #expect(spiked.plainMetres > clean.plainMetres + 4000)
    #expect(isClose(spiked.distanceMetres, clean.distanceMetres, 5))
    #expect(isClose(spiked.maximumSpeed, 1.2, 0.1), "\(spiked.maximumSpeed ?? -1)")
    #expect(isClose(spiked.restingSeconds, clean.restingSeconds ?? 0, 120))
  }

  @Test("wrong times cost themselves alone, equal times are no time")
  func wrongTimes() {
    var drawing = TrackDrawing()
    drawing.walk(600, speed: 1.2)
    drawing.edit {
      $0[100].time = TrackDrawing.epoch.addingTimeInterval(1e9)
      $0[101].time = TrackDrawing.epoch.addingTimeInterval(1e9 + 1)
      $0[200].time = TrackDrawing.epoch.addingTimeInterval(-50)
      $0[300].time = nil
    }
    let total = total(drawing)
    #expect(total.recordedSeconds == 600 && total.restingSeconds == 0)
    #expect(total.untimelyPoints == 3)
    drawing.edit { for index in $0.indices { $0[index].time = TrackDrawing.epoch } }
    let untimed = self.total(drawing)
    #expect(untimed.recordedSeconds == nil && untimed.averageSpeed == nil)
    #expect(untimed.start == nil && untimed.movingMetres == nil)
  }

  @Test("climb is counted without noise, and not at rest")
  func climb() {
    var drawing = TrackDrawing()
    drawing.elevation = 1000
    drawing.walk(1000, speed: 1, climbing: 200)
    drawing.rest(600)
    drawing.walk(1000, speed: 1, climbing: -120)
    var shaking = drawing
    shaking.edit {
      // 3 m up and down, and a drift of 20 m while resting.
      for index in $0.indices { $0[index].elevation? += index % 2 == 0 ? 3 : 0 }
      for index in 1001...1600 {
        $0[index].elevation? +=
          20 * (index < 1300 ? Double(index - 1000) : Double(1600 - index)) / 300
      }
    }
    for track in [drawing, shaking] {
      let total = total(track)
      #expect(isClose(total.ascentMetres, 200, 8), "\(total.ascentMetres ?? -1)")
      #expect(isClose(total.descentMetres, 120, 8), "\(total.descentMetres ?? -1)")
      #expect(isClose(total.highestMetres, 1200, 12))
    }
    #expect(total(shaking, .none).ascentMetres ?? 0 > 2000)
  }

  @Test("a barometer's small rises count, those of a receiver do not")
  func barometric() {
    var drawing = TrackDrawing()
    drawing.elevation = 500
    for _ in 0..<10 {
      drawing.walk(100, speed: 1, climbing: 4)
      drawing.walk(100, speed: 1, climbing: -4)
    }
    #expect(total(drawing).ascentMetres ?? 99 < 5)
    #expect(isClose(total(drawing, .barometric).ascentMetres, 40, 8))
  }

  @Test("splits add up to the total, and have a kilometre each")
  func splits() {
    var drawing = TrackDrawing()
    drawing.elevation = 700
    drawing.walk(1000, speed: 1.5, climbing: 100)
    drawing.rest(300)
    drawing.walk(1000, speed: 1, climbing: -50)
    let report = TrackReport(segments: [drawing.points])
    let lengths = report.splits.map { $0.distanceMetres.rounded() }
    #expect(lengths == [1000, 1000, 500])
    let recorded = report.splits.compactMap(\.recordedSeconds).reduce(0, +)
    let moving = report.splits.compactMap(\.movingSeconds).reduce(0, +)
    let ascent = report.splits.compactMap(\.ascentMetres).reduce(0, +)
    #expect(isClose(recorded, 2300, 0.01))
    #expect(isClose(moving, report.total.movingSeconds ?? -1, 0.01))
    #expect(isClose(ascent, report.total.ascentMetres ?? -1, 0.01))
    #expect(isClose(report.splits[0].movingSpeed, 1.5, 0.01))
    // One step over many splits, and a length that makes too many.
    let far = [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 90, longitude: 0)]
    let long = [far.map { GPXFile.Point(coordinate: $0) }]
    let many = TrackReport(segments: long, splitMetres: 1)
    #expect(many.splits.count == TrackReport.maximumSplits)
    #expect(isClose(many.splits.map(\.distanceMetres).reduce(0, +), many.total.distanceMetres, 1))
    #expect(TrackReport(segments: long, splitMetres: nil).splits.isEmpty)
  }

  @Test("segments are measured one by one; what is between them counts for nothing")
  func segments() {
    var first = TrackDrawing()
    first.walk(100, speed: 1)
    var second = TrackDrawing()
    second.jump(5000, metres: 5000)
    second.walk(100, speed: 2)
    let parts = [first.points, Array(second.points.dropFirst()), [], [first.points[0]]]
    let report = TrackReport(segments: parts)
    #expect(report.segments.count == 4)
    #expect(isClose(report.total.distanceMetres, 300, 1))
    #expect(report.total.recordedSeconds == 200)
    #expect(report.total.end == second.points.last?.time)
    #expect(report.total.pointCount == 203)
    #expect(TrackReport(segments: []).total == TrackStatistics())
  }

  @Test("a recorded route has the same figures as its track, and bad numbers trap nowhere")
  func recordedRoute() {
    let fixes = (0..<100).map { index in
      LocationFix(
        latitude: 42.5 + Double(index) * 1e-4, longitude: 1.5, altitude: 1000,
        timestamp: TrackDrawing.epoch.addingTimeInterval(Double(index) * 10))
    }
    let route = RecordedRoute(segments: [fixes])
    #expect(
      TrackReport(route) == TrackReport(segments: route.track().segments))
    let odd: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, 0]
    for value in odd {
      let points = odd.map { other in
        GPXFile.Point(
          coordinate: Coordinate(latitude: value, longitude: other), elevation: other,
          time: Date(timeIntervalSince1970: other))
      }
      let report = TrackReport(segments: [points, points], splitMetres: .nan)
      #expect(report.total.pointCount == 12)
    }
  }
}
