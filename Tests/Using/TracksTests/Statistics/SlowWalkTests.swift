// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import Testing

@Suite("Slow walks and rests")
struct SlowWalkTests {
  /// A walk of a kilometre, or what is done within it.
  struct Walk: Sendable, CustomTestStringConvertible {
    /// km/h.
    var speed = 0.5
    /// The deviation of positions in metres.
    var noise = 0.0
    /// How long the error of positions lasts, in seconds; 0 for white noise.
    var lasting = 0.0
    /// Seconds between fixes.
    var every = 1.0
    /// The deviation of heights in metres; nil for none.
    var heights: Double? = 0
    /// Metres up in a kilometre.
    var climb = 400.0

    var testDescription: String {
      "\(speed) km/h, \(noise) m for \(lasting) s, every \(every) s, heights \(heights ?? -1)"
        + ", +\(climb) m"
    }

    var drawing: TrackDrawing {
      var drawing = TrackDrawing()
      drawing.noiseMetres = noise
      drawing.noiseSeconds = lasting
      drawing.elevation = heights.map { _ in 1000 }
      drawing.heightNoiseMetres = heights ?? 0
      return drawing
    }

    func walk(_ metres: Double, _ drawing: inout TrackDrawing, north: Bool = false) {
      let seconds = (metres / speed * 3.6 / every).rounded() * every
      drawing.walk(
        seconds, speed: speed / 3.6, north: north, climbing: climb * metres / 1000, every: every)
    }
  }

  private func total(
    _ drawing: TrackDrawing, _ smoothing: ElevationSmoothing = .standard
  ) -> TrackStatistics {
    TrackReport(segments: [drawing.points], smoothing: smoothing).total
  }

  private func isClose(_ value: Double?, _ expected: Double, within share: Double) -> Bool {
    value.map { abs($0 - expected) <= share * expected } ?? false
  }

  private static let exactWalks = [0.5, 0.6, 0.8, 1, 2, 4].map { Walk(speed: $0, every: 5) }
  private static let noisyWalks = [
    Walk(noise: 1), Walk(noise: 1, every: 5, heights: nil), Walk(noise: 3, every: 5, climb: 0),
    Walk(noise: 3, every: 10, heights: 4), Walk(speed: 0.6, noise: 3, every: 5, heights: 3),
    Walk(speed: 0.6, noise: 1, every: 10), Walk(speed: 0.8, noise: 3, every: 10, heights: 5),
    Walk(speed: 0.8, noise: 1, every: 5), Walk(speed: 1, noise: 3, every: 10, heights: nil),
    Walk(speed: 1, noise: 1, every: 5, climb: 0), Walk(speed: 2, noise: 3, every: 5, heights: 4),
    Walk(speed: 4, noise: 3, every: 1), Walk(every: 120), Walk(noise: 3, every: 90),
  ]

  @Test(
    "a slow walk has its whole length and climb, and no rest", arguments: exactWalks + noisyWalks)
  func slowWalk(_ walk: Walk) {
    var drawing = walk.drawing
    walk.walk(1000, &drawing)
    let total = total(drawing)
    #expect(isClose(total.distanceMetres, 1000, within: 0.05), "\(total.distanceMetres)")
    if walk.heights != nil, walk.climb > 0 {
      #expect(isClose(total.ascentMetres, walk.climb, within: 0.05), "\(total.ascentMetres ?? -1)")
    }
    let resting = total.restingSeconds ?? .infinity
    #expect(resting <= 0.02 * (total.recordedSeconds ?? 0), "\(resting)")
    let top = (total.maximumSpeed ?? .infinity) * 3.6
    #expect(top < 1.2 * walk.speed, "\(top)")
  }

  @Test(
    "positions rounded to a centimetre are exact, not noisy", arguments: [0.58, 0.72])
  func rounded(_ speed: Double) {
    var drawing = TrackDrawing()
    drawing.walk(3000, speed: speed / 3.6)
    drawing.rest(300)
    drawing.walk(2000, speed: speed / 3.6, north: true)
    drawing.edit {
      for index in $0.indices {
        let place = $0[index].coordinate
        $0[index].coordinate = Coordinate(
          latitude: (place.latitude * 1e7).rounded() / 1e7,
          longitude: (place.longitude * 1e7).rounded() / 1e7)
      }
    }
    let total = total(drawing)
    #expect(total.distanceMetres == total.plainMetres)
    #expect(isClose(total.restingSeconds, 300, within: 0.2), "\(total.restingSeconds ?? -1)")
    #expect((total.maximumSpeed ?? 9) * 3.6 < speed + 0.05)
  }

  @Test(
    "hairpins are no rests",
    arguments: [Walk(noise: 0, every: 5), Walk(noise: 1, every: 10), Walk(noise: 2, every: 1)])
  func hairpins(_ walk: Walk) {
    var drawing = walk.drawing
    for leg in 0..<10 {
      drawing.walk(360, speed: leg % 2 == 0 ? 0.14 : -0.14, every: walk.every)
      drawing.walk(30, speed: 0.14, north: true, every: walk.every)
    }
    let total = total(drawing)
    #expect(isClose(total.distanceMetres, 546, within: 0.06), "\(total.distanceMetres)")
    #expect(total.restingSeconds ?? .infinity < 300, "\(total.restingSeconds ?? -1)")
  }

  @Test(
    "rests within walks are found, however long and however fast the walk",
    arguments: [
      Walk(speed: 0.6), Walk(speed: 1, every: 5), Walk(speed: 2, noise: 1, every: 5),
      Walk(speed: 2, noise: 3, every: 5), Walk(speed: 4, noise: 1, every: 10),
      Walk(speed: 4, noise: 3, every: 5), Walk(speed: 4, noise: 5, lasting: 10, every: 5),
    ], [120.0, 300, 1800])
  func restsWithin(_ walk: Walk, _ seconds: Double) {
    var drawing = walk.drawing
    walk.walk(500, &drawing)
    drawing.rest(seconds, every: walk.every)
    walk.walk(500, &drawing, north: true)
    drawing.rest(seconds, every: walk.every)
    walk.walk(500, &drawing)
    let total = total(drawing)
    #expect(isClose(total.distanceMetres, 1500, within: 0.05), "\(total.distanceMetres)")
    #expect(isClose(total.ascentMetres, 600, within: 0.05), "\(total.ascentMetres ?? -1)")
    let resting = total.restingSeconds
    // Ten seconds at either end of two minutes are lost in the noise.
    let share = seconds < 300 && walk.noise >= 3 ? 0.25 : 0.2
    #expect(isClose(resting, 2 * seconds, within: share), "\(resting ?? -1)")
  }

  @Test(
    "hours of rest are no way and no climb, whatever the receiver does",
    arguments: [
      Walk(noise: 0), Walk(noise: 1, every: 10), Walk(noise: 8, every: 10, heights: 4),
      Walk(noise: 3, every: 5), Walk(noise: 5, lasting: 10, every: 10),
      Walk(noise: 8, lasting: 30, every: 10, heights: 5), Walk(noise: 8, lasting: 60, every: 10),
    ])
  func resting(_ walk: Walk) {
    var drawing = walk.drawing
    drawing.rest(8 * 3600, every: walk.every)
    drawing.edit {
      // A barometer that drifts by 30 m in four hours.
      for index in $0.indices {
        let share = Double(index) / Double($0.count)
        $0[index].elevation? += 30 * (share < 0.5 ? share : 1 - share) * 2
      }
    }
    let total = total(drawing)
    #expect(total.distanceMetres < 1 && total.ascentMetres ?? 99 == 0, "\(total.distanceMetres)")
    #expect(isClose(total.restingSeconds, 8 * 3600, within: 0.01))
  }

  @Test(
    "who climbs a wall does not rest",
    arguments: [
      Walk(noise: 0, every: 5), Walk(noise: 1, every: 10), Walk(noise: 3, every: 5),
      Walk(noise: 3, every: 10, heights: 4),
    ])
  func wall(_ walk: Walk) {
    var drawing = walk.drawing
    drawing.walk(2400, speed: 0.1 / 3.6, climbing: 200, every: walk.every)
    let alone = total(drawing, .barometric)
    #expect(isClose(alone.ascentMetres, 200, within: 0.1), "\(alone.ascentMetres ?? -1)")
    #expect(isClose(alone.distanceMetres, 67, within: 0.1), "\(alone.distanceMetres)")
    #expect(alone.restingSeconds == 0)
    drawing.rest(600, every: walk.every)
    drawing.walk(900, speed: 1.1, climbing: -200, every: walk.every)
    let total = total(drawing)
    #expect(isClose(total.ascentMetres, 200, within: 0.1), "\(total.ascentMetres ?? -1)")
    #expect(isClose(total.distanceMetres, 1057, within: 0.05), "\(total.distanceMetres)")
    #expect(isClose(total.restingSeconds, 600, within: 0.25), "\(total.restingSeconds ?? -1)")
  }
}
