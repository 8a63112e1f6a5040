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

/// How somebody moves and how a receiver errs, each along one axis; east and north are alike.
///
/// The velocity is the sum of two Ornstein–Uhlenbeck processes: one that remembers the general
/// direction for hundreds of metres, and one that forgets within the length of a bend. What the
/// receiver says is the position, an error that decays like a third such process, and white noise.
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

  /// A model of a receiver and of somebody who moves at a speed.
  ///
  /// - Parameters:
  ///   - noise: How the receiver errs.
  ///   - speed: The root of the mean of the squares of the speeds, in metres a second, > 0.
  ///   - bends: What of the speed's square changes from bend to bend, 0…1.
  ///   - bendMetres: How long a bend is.
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

  /// The share of bends on the paths of the Andorran Pyrenees, whose second differences over 1…256 s
  /// these three numbers fit.
  static let standardBends = 0.5
  /// The length of bends there, in metres.
  static let standardBendMetres = 43.0
  /// How far the general direction holds there, in metres.
  private static let courseMetres = 600.0

  /// What becomes of a state within some seconds.
  struct Transition {
    /// By how many metres a velocity moves.
    var courseGain = 0.0
    var bendGain = 0.0
    /// What is left of velocities and of the error, as shares.
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

  /// What becomes of a state within some seconds, > 0, of movement or of a rest. During a rest the
  /// position stays, and the velocity after it is another one.
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

  /// What the bends add, within so many seconds, to the mean square of the speed between two positions
  /// that are known: a path is longer than the chord. In m²/s², of both axes.
  func squaredSpeedWithin(_ seconds: Double) -> Double {
    let share = seconds / bendSeconds
    guard share > 1e-3 else { return 2 * bendVariance * share / 3 }
    return 2 * bendVariance * (1 - 2 * (share - 1 + exp(-share)) / (share * share))
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
