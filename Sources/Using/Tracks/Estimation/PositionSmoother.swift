// SPDX-License-Identifier: Apache-2.0

/// The most likely positions of all fixes, given all of them, by the smoother of A. E. Bryson and
/// M. Frazier, which needs no inverse matrix.
///
/// The filter's states are kept for one block of fixes at a time and recomputed for each on the way
/// back.
struct PositionSmoother {
  /// Metres east and north.
  private(set) var east: [Double]
  private(set) var north: [Double]
  /// The variance of the way from the previous fix to each, along one axis, in m²: how much longer
  /// it may have been than the distance between the smoothed positions.
  private(set) var stepVariances: [Double]

  /// After this many seconds without a fix, the way is unknown, and smoothing starts anew.
  static let longestStep = 600.0
  private static let blockSize = 512

  private typealias State = PositionFilter.State
  private typealias Matrix = PositionFilter.Matrix

  /// The state of the filter before a fix, and the innovation of that fix.
  private struct Stage {
    let prior: PositionFilter
    let innovation: PositionFilter.Innovation
    /// The transition to the prior state; nil where smoothing starts.
    let transition: MovementModel.Transition?
  }

  private let fixes: PlaneFixes
  private let model: MovementModel
  private let isRest: [Bool]

  /// Smooths fixes.
  ///
  /// - Parameters:
  ///   - fixes: At least one fix.
  ///   - isRest: For each fix, whether the walker rested since the previous one.
  init(_ fixes: PlaneFixes, _ model: MovementModel, isRest: [Bool]) {
    self.fixes = fixes
    self.model = model
    self.isRest = isRest
    (east, north) = (fixes.east, fixes.north)
    stepVariances = [Double](repeating: 0, count: fixes.count)
    smooth()
  }

  private mutating func smooth() {
    var starts: [PositionFilter?] = []
    var filter: PositionFilter?
    var start = 0
    while start < fixes.count {
      starts.append(filter)
      let end = min(start + Self.blockSize, fixes.count)
      _ = stages(start..<end, &filter)
      start = end
    }
    var adjoint = Adjoint()
    for block in starts.indices.reversed() {
      var filter = starts[block]
      let first = block * Self.blockSize
      let stages = stages(first..<min(first + Self.blockSize, fixes.count), &filter)
      for index in stages.indices.reversed() { look(back: stages[index], first + index, &adjoint) }
    }
  }

  /// The states of the filter before each of some fixes; afterwards the filter is past the last
  /// one.
  private func stages(_ range: Range<Int>, _ filter: inout PositionFilter?) -> [Stage] {
    var stages: [Stage] = []
    stages.reserveCapacity(range.count)
    for index in range {
      let (x, y) = (fixes.east[index], fixes.north[index])
      let step = index > 0 ? fixes.seconds[index] - fixes.seconds[index - 1] : .infinity
      var transition: MovementModel.Transition?
      var prior = PositionFilter(east: x, north: y, model)
      if let before = filter, step <= Self.longestStep {
        let led = model.transition(step, isRest: isRest[index])
        prior = before
        prior.predict(led)
        transition = led
      }
      let innovation = prior.innovation(east: x, north: y)
      stages.append(Stage(prior: prior, innovation: innovation, transition: transition))
      prior.learn(innovation)
      filter = prior
    }
    return stages
  }

  /// The information about a state from all later fixes.
  private struct Adjoint {
    var east = State(position: 0)
    var north = State(position: 0)
    var matrix = Matrix()
    /// The covariance of the filter's state at the earlier fix with the position at the later one,
    /// and that position's variance.
    var later: (link: State, variance: Double)?
  }

  private mutating func look(back stage: Stage, _ index: Int, _ adjoint: inout Adjoint) {
    let (gain, variance) = (stage.innovation.gain, stage.innovation.variance)
    adjoint.east.learn(gain, stage.innovation.east, variance)
    adjoint.north.learn(gain, stage.innovation.north, variance)
    adjoint.matrix.learn(gain, variance)
    let prior = stage.prior.covariance
    let row = State(position: prior.pp, course: prior.pc, bend: prior.pb, drift: prior.pd)
    east[index] = stage.prior.east.position - row.dot(adjoint.east)
    north[index] = stage.prior.north.position - row.dot(adjoint.north)
    let change = adjoint.matrix.times(row)
    let here = prior.pp - row.dot(change)
    if let later = adjoint.later {
      let known = row.minus(gain, gain.position * variance)
      stepVariances[index + 1] = max(0, later.variance + here - 2 * known.dot(later.link))
    }
    guard let transition = stage.transition else {
      adjoint = Adjoint()
      return
    }
    var link = State(
      position: 1 - change.position, course: -change.course, bend: -change.bend,
      drift: -change.drift)
    link.goBack(transition)
    adjoint.later = (link, here)
    adjoint.east.goBack(transition)
    adjoint.north.goBack(transition)
    adjoint.matrix.goBack(transition)
  }
}

extension PositionFilter.State {
  fileprivate func dot(_ other: Self) -> Double {
    position * other.position + course * other.course + bend * other.bend + drift * other.drift
  }

  fileprivate func minus(_ other: Self, _ factor: Double) -> Self {
    Self(
      position: position - factor * other.position, course: course - factor * other.course,
      bend: bend - factor * other.bend, drift: drift - factor * other.drift)
  }

  /// Goes back over a fix: (I − hkᵀ) of this less h times error over variance, where h is 1 for the
  /// position and the drift, whose sum a fix measures.
  fileprivate mutating func learn(_ gain: Self, _ error: Double, _ variance: Double) {
    let change = dot(gain) + error / variance
    position -= change
    drift -= change
  }

  /// Back in time: the transposed transition.
  fileprivate mutating func goBack(_ step: MovementModel.Transition) {
    course = step.courseGain * position + step.courseLeft * course
    bend = step.bendGain * position + step.bendLeft * bend
    drift *= step.driftLeft
  }
}

extension PositionFilter.Matrix {
  fileprivate func times(_ s: PositionFilter.State) -> PositionFilter.State {
    PositionFilter.State(
      position: pp * s.position + pc * s.course + pb * s.bend + pd * s.drift,
      course: pc * s.position + cc * s.course + cb * s.bend + cd * s.drift,
      bend: pb * s.position + cb * s.course + bb * s.bend + bd * s.drift,
      drift: pd * s.position + cd * s.course + bd * s.bend + dd * s.drift)
  }

  /// Back over a fix: (I − hkᵀ) · this · (I − khᵀ) + hhᵀ over the variance.
  fileprivate mutating func learn(_ gain: PositionFilter.State, _ variance: Double) {
    let change = times(gain)
    let square = change.dot(gain) + 1 / variance
    pp += square - 2 * change.position
    pc -= change.course
    pb -= change.bend
    pd += square - change.position - change.drift
    cd -= change.course
    bd -= change.bend
    dd += square - 2 * change.drift
  }

  /// Back in time: transposed transition · this · transition.
  fileprivate mutating func goBack(_ step: MovementModel.Transition) {
    let (f, g) = (step.courseGain, step.bendGain)
    let (c, b, d) = (step.courseLeft, step.bendLeft, step.driftLeft)
    let (fpc, gpb) = (f * pp + c * pc, g * pp + b * pb)
    cc = f * fpc + c * (f * pc + c * cc)
    cb = f * gpb + c * (g * pc + b * cb)
    cd = d * (f * pd + c * cd)
    bb = g * gpb + b * (g * pb + b * bb)
    bd = d * (g * pd + b * bd)
    (pc, pb, pd) = (fpc, gpb, d * pd)
    dd *= d * d
  }
}
