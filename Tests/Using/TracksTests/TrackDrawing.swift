// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import Foundation
import TestSupport

/// Recordings drawn step by step: metres east and north of a point in Andorra, and seconds.
struct TrackDrawing {
  static let metresPerDegree = 6_371_000 * Double.pi / 180
  static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

  private(set) var points: [GPXFile.Point] = []
  private(set) var x = 0.0
  private(set) var y = 0.0
  private(set) var seconds = 0.0
  var elevation: Double?
  /// The standard deviation of the receiver's error in each direction, in metres.
  var noiseMetres = 0.0
  /// How long it lasts, in seconds (an Ornstein–Uhlenbeck process); 0 for white noise.
  var noiseSeconds = 0.0
  /// The standard deviation of the height, in metres.
  var heightNoiseMetres = 0.0
  private var random = SeededGenerator(seed: 7)
  private var error: (east: Double, north: Double) = (0, 0)

  init() { record() }

  static func coordinate(_ x: Double, _ y: Double) -> Coordinate {
    let latitude = 42.5 + y / metresPerDegree
    let longitude = 1.5 + x / metresPerDegree / 0.737277336810124
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private mutating func gauss() -> Double {
    // The sum of twelve uniform numbers has a variance of 1.
    (0..<12).reduce(-6) { sum, _ in sum + random.nextShare() }
  }

  private mutating func record() {
    if noiseMetres > 0 {
      let now = Self.epoch.addingTimeInterval(seconds)
      let since = points.last?.time.map { now.timeIntervalSince($0) }
      let left = noiseSeconds > 0 ? since.map { exp(-$0 / noiseSeconds) } ?? 0 : 0
      let fresh = noiseMetres * (1 - left * left).squareRoot()
      error = (left * error.east + fresh * gauss(), left * error.north + fresh * gauss())
    }
    let height = elevation.map { heightNoiseMetres > 0 ? $0 + heightNoiseMetres * gauss() : $0 }
    points.append(
      GPXFile.Point(
        coordinate: Self.coordinate(x + error.east, y + error.north), elevation: height,
        time: Self.epoch.addingTimeInterval(seconds)))
  }

  /// Walks for some seconds with one fix after each of `every` seconds.
  mutating func walk(
    _ duration: Double, speed: Double, north: Bool = false, climbing rise: Double = 0,
    every step: Double = 1
  ) {
    let end = seconds + duration
    while seconds + step <= end {
      seconds += step
      if north { y += speed * step } else { x += speed * step }
      elevation = elevation.map { $0 + rise * step / duration }
      record()
    }
  }

  mutating func rest(_ duration: Double, every step: Double = 1) {
    walk(duration, speed: 0, every: step)
  }

  /// Goes somewhere without a fix on the way.
  mutating func jump(_ duration: Double, metres: Double) {
    seconds += duration
    x += metres
    record()
  }

  mutating func edit(_ body: (inout [GPXFile.Point]) -> Void) { body(&points) }
}
