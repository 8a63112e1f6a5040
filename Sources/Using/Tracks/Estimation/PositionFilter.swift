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

/// A Kalman filter for a ``MovementModel``: the position, both velocities and the lasting error,
/// with their covariances, which east and north share.
///
/// The arithmetic is written out, since it runs some hundred times over thousands of fixes.
struct PositionFilter {
  /// Position, general velocity, velocity from bend to bend, and lasting error along one axis.
  struct State {
    var position: Double
    var course = 0.0
    var bend = 0.0
    var drift = 0.0
  }

  /// A symmetric matrix over the same four quantities, in their order.
  struct Matrix {
    var pp = 0.0
    var pc = 0.0
    var pb = 0.0
    var pd = 0.0
    var cc = 0.0
    var cb = 0.0
    var cd = 0.0
    var bb = 0.0
    var bd = 0.0
    var dd = 0.0
  }

  /// The change caused by a fix.
  struct Innovation {
    /// Metres by which the fix differs from the prediction.
    var east: Double
    var north: Double
    /// The variance of each, in m²; larger than the model's for a stray fix.
    var variance: Double
    /// The change of each quantity per metre of the difference.
    var gain: State
    /// The log probability density of the fix, up to a constant.
    var logLikelihood: Double
  }

  private(set) var east: State
  private(set) var north: State
  private(set) var covariance = Matrix()
  private let whiteVariance: Double

  /// Errors of more than √16 = 4 deviations happen to one fix in three thousand. Beyond that, the
  /// weight of a fix falls with its distance.
  private static let farSquare = 16.0

  /// Begins at a fix, in metres east and north of somewhere.
  init(east: Double, north: Double, _ model: MovementModel) {
    self.east = State(position: east)
    self.north = State(position: north)
    whiteVariance = model.whiteVariance
    covariance.pp = 4 * (model.whiteVariance + model.driftVariance + 1)
    covariance.cc = model.courseVariance
    covariance.bb = model.bendVariance
    covariance.dd = model.driftVariance
  }

  /// Advances in time.
  mutating func predict(_ step: MovementModel.Transition) {
    Self.predict(&east, step)
    Self.predict(&north, step)
    let old = covariance
    let (f, g) = (step.courseGain, step.bendGain)
    let (c, b, d) = (step.courseLeft, step.bendLeft, step.driftLeft)
    let pp = old.pp + f * old.pc + g * old.pb
    let pc = old.pc + f * old.cc + g * old.cb
    let pb = old.pb + f * old.cb + g * old.bb
    let pd = old.pd + f * old.cd + g * old.bd
    covariance.pp = pp + f * pc + g * pb + step.position
    covariance.pc = c * pc + step.positionCourse
    covariance.pb = b * pb + step.positionBend
    covariance.pd = d * pd
    covariance.cc = c * c * old.cc + step.course
    covariance.cb = c * b * old.cb
    covariance.cd = c * d * old.cd
    covariance.bb = b * b * old.bb + step.bend
    covariance.bd = b * d * old.bd
    covariance.dd = d * d * old.dd + step.drift
  }

  private static func predict(_ state: inout State, _ step: MovementModel.Transition) {
    state.position += step.courseGain * state.course + step.bendGain * state.bend
    state.course *= step.courseLeft
    state.bend *= step.bendLeft
    state.drift *= step.driftLeft
  }

  /// The change that a fix would cause.
  func innovation(east x: Double, north y: Double) -> Innovation {
    let p = covariance
    var gain = State(
      position: p.pp + p.pd, course: p.pc + p.cd, bend: p.pb + p.bd, drift: p.pd + p.dd)
    var variance = gain.position + gain.drift + whiteVariance
    let (dx, dy) = (x - east.position - east.drift, y - north.position - north.drift)
    let square = (dx * dx + dy * dy) / variance
    let far = Self.farSquare
    let loss = square < far ? square : far * (1 + log(square / far))
    let likelihood = -log(variance) - loss / 2
    if square > far { variance *= square / far }
    gain.position /= variance
    gain.course /= variance
    gain.bend /= variance
    gain.drift /= variance
    return Innovation(
      east: dx, north: dy, variance: variance, gain: gain, logLikelihood: likelihood)
  }

  /// Learns from a fix.
  mutating func learn(_ innovation: Innovation) {
    let k = innovation.gain
    Self.learn(&east, k, innovation.east)
    Self.learn(&north, k, innovation.north)
    let (p, c, b, d) = (
      k.position * innovation.variance, k.course * innovation.variance,
      k.bend * innovation.variance, k.drift * innovation.variance
    )
    covariance.pp -= k.position * p
    covariance.pc -= k.position * c
    covariance.pb -= k.position * b
    covariance.pd -= k.position * d
    covariance.cc -= k.course * c
    covariance.cb -= k.course * b
    covariance.cd -= k.course * d
    covariance.bb -= k.bend * b
    covariance.bd -= k.bend * d
    covariance.dd -= k.drift * d
  }

  private static func learn(_ state: inout State, _ gain: State, _ error: Double) {
    state.position += gain.position * error
    state.course += gain.course * error
    state.bend += gain.bend * error
    state.drift += gain.drift * error
  }
}
