// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A model of movement and receiver errors along one axis; east and north are alike.
///
/// The velocity is the sum of two Ornstein–Uhlenbeck processes: one remembers the general direction
/// for hundreds of metres, and one forgets within the length of a bend. The receiver's measurement
/// is the sum of the position, an error that decays like a third such process, and white noise.
struct MovementModel {
  /// The variance of the white noise in m².
  var whiteVariance: Double
  /// The variance of the error that lasts, in m².
  var driftVariance: Double
  /// How long that error lasts, in seconds.
  var driftSeconds: Double
  /// The variance of the general velocity in m²/s².
  var courseVariance: Double
  /// How long it lasts, in seconds.
  var courseSeconds: Double
  /// The variance of the velocity that changes from bend to bend, in m²/s².
  var bendVariance: Double
  /// How long it lasts, in seconds.
  var bendSeconds: Double

  /// The root mean square speed in metres a second.
  var speed: Double { (2 * (courseVariance + bendVariance)).squareRoot() }

  /// A model of a receiver and of movement at a speed.
  ///
  /// - Parameters:
  ///   - noise: The error model of the receiver.
  ///   - speed: The root mean square speed, in metres a second, > 0.
  ///   - bends: The share of the squared speed that changes from bend to bend, 0…1.
  ///   - bendMetres: The length of a bend.
  init(
    _ noise: PositionNoise, speed: Double, bends: Double = standardBends,
    bendMetres: Double = standardBendMetres
  ) {
    whiteVariance = noise.whiteMetres * noise.whiteMetres
    driftVariance = noise.driftRate * noise.driftRate * noise.driftSeconds
    driftSeconds = noise.driftSeconds
    courseVariance = speed * speed * (1 - bends) / 2
    courseSeconds = Self.courseMetres / speed
    bendVariance = speed * speed * bends / 2
    bendSeconds = bendMetres / speed
  }

  /// The share of bends on the paths of the Andorran Pyrenees; these three numbers fit their second
  /// differences over 1…256 s.
  static let standardBends = 0.5
  /// The length of bends there, in metres.
  static let standardBendMetres = 43.0
  /// How far the general direction holds there, in metres.
  private static let courseMetres = 600.0

  /// The change of a state over a time in seconds.
  struct Transition {
    /// The metres by which a velocity moves the position.
    var courseGain = 0.0
    var bendGain = 0.0
    /// The shares of the velocities and the error that remain.
    var courseLeft = 0.0
    var bendLeft = 0.0
    var driftLeft: Double
    /// The variances that are added.
    var position = 0.0
    var positionCourse = 0.0
    var positionBend = 0.0
    var course: Double
    var bend: Double
    var drift: Double
  }

  /// The change of a state over a time in seconds, > 0, of movement or rest. During a rest the
  /// position stays, and the velocity after it is unrelated.
  func transition(_ seconds: Double, isRest: Bool) -> Transition {
    let driftLeft = exp(-seconds / driftSeconds)
    var transition = Transition(
      driftLeft: driftLeft, course: courseVariance, bend: bendVariance,
      drift: driftVariance * (1 - driftLeft * driftLeft))
    guard !isRest else { return transition }
    let course = Decay(seconds, courseVariance, courseSeconds)
    let bend = Decay(seconds, bendVariance, bendSeconds)
    transition.courseGain = courseSeconds * (1 - course.left)
    transition.bendGain = bendSeconds * (1 - bend.left)
    (transition.courseLeft, transition.bendLeft) = (course.left, bend.left)
    transition.position = course.position + bend.position
    (transition.positionCourse, transition.positionBend) = (course.covariance, bend.covariance)
    (transition.course, transition.bend) = (course.velocity, bend.velocity)
    return transition
  }

  /// The contribution of bends within a time in seconds to the mean square speed between two known
  /// positions: a path is longer than its chord. In m²/s², of both axes.
  func squaredSpeedWithin(_ seconds: Double) -> Double {
    let share = seconds / bendSeconds
    guard share > 1e-3 else { return 2 * bendVariance * share / 3 }
    return 2 * bendVariance * (1 - 2 * (share - 1 + exp(-share)) / (share * share))
  }

  /// The standard deviation, along one axis, of the difference between the mean of the receiver's
  /// error over the first and over the last third of a time in seconds, with a fix in each interval.
  func deviation(ofThirds seconds: Double, _ interval: Double) -> Double {
    let third = seconds / 3
    let white = whiteVariance * min(1, interval / third)
    let share = driftSeconds / third
    let faded = 1 - exp(-1 / share)
    let drift = driftVariance * (2 * share * (1 - share * faded))
    let common = driftVariance * share * share * faded * faded * (1 - faded)
    return max(0, 2 * (white + drift - common)).squareRoot()
  }

  /// An Ornstein–Uhlenbeck velocity and its integral after some seconds.
  private struct Decay {
    let left: Double
    let position: Double
    let covariance: Double
    let velocity: Double

    init(_ seconds: Double, _ variance: Double, _ memory: Double) {
      let share = seconds / memory
      left = exp(-share)
      velocity = variance * (1 - left * left)
      if share < 0.03 {
        // The differences below would be lost in rounding.
        position = variance * seconds * seconds * share * (2.0 / 3) * (1 - 0.75 * share)
        covariance = variance * seconds * share * (1 - share)
      } else {
        position = variance * memory * memory * (2 * share - 3 + 4 * left - left * left)
        covariance = variance * memory * (1 - left) * (1 - left)
      }
    }
  }
}
