// SPDX-License-Identifier: Apache-2.0

/// The formulas of a profile for one edge, as plain numbers: nothing in them is looked up by name.
///
/// ```swift
/// let formula = EdgeFormula(profile)
/// let tags = TagFactors(["highway": "path", "surface": "gravel"], profile)
/// let cost = formula.cost(tags.forward, distance: 1200, up: 80, down: 15)
/// ```
package struct EdgeFormula: Sendable {
  /// The least cost of an edge. It only counts where two nodes lie on the same spot: a cost of 0
  /// would make a circle that costs nothing.
  package static let leastCost = 0.001
  /// The length in metres from which on a limit of grade holds: a metre of error in the elevation
  /// would close most of the shorter edges.
  package static let gradeLimitMinimumMetres = 50.0

  private let costBase: CostProfile.CostBase
  private let timeModel: TimeModel
  private let timeFactor: Double
  private let parameters: TimeModel.Parameters
  private let descent: CostProfile.DescentMultipliers
  private let flatSpeed: Double
  private let maximumGradePercent: Double

  /// Takes the numbers out of a profile.
  package init(_ profile: CostProfile) {
    costBase = profile.costBase
    timeModel = profile.timeModel
    timeFactor = profile.timeFactor
    parameters = .init(
      climbFactor: profile.climbFactor, speedKilometresPerHour: profile.speedKilometresPerHour)
    descent = profile.descent
    flatSpeed = profile.timeModel.speed(slope: 0, parameters)
    maximumGradePercent = profile.maximumGradePercent ?? .infinity
  }

  /// The cost of an edge in one direction, in metres of flat good path; infinite where it is
  /// steeper than the profile allows.
  ///
  /// - Parameters:
  ///   - multiplier: The product of the factors of its tags in this direction, such as
  ///     ``TagFactors/forward``; infinite where it is closed.
  ///   - distance: Metres.
  ///   - up: Metres climbed in this direction.
  ///   - down: Metres descended in this direction.
  @inline(__always)
  package func cost(_ multiplier: Double, distance: Double, up: Double, down: Double) -> Double {
    if multiplier == .infinity || isTooSteep(distance, up, down) { return .infinity }
    let cost: Double
    switch costBase {
    case .equivalentDistance:
      let gradePercent = distance > 0 ? down / distance * 100 : 0
      cost =
        distance * multiplier + up * parameters.climbFactor
        + down * parameters.climbFactor * descent(gradePercent: gradePercent)
    case .time:
      cost =
        timeModel.seconds(length: distance, up: up, down: down, parameters) * flatSpeed * multiplier
    }
    return max(cost, Self.leastCost)
  }

  /// The seconds of an edge in one direction.
  @inline(__always)
  package func seconds(distance: Double, up: Double, down: Double) -> Double {
    timeModel.seconds(length: distance, up: up, down: down, parameters) * timeFactor
  }

  /// The cost of an edge of a ferry: what its time is worth on the flat, but never less than its
  /// length, times its factors.
  ///
  /// - Parameters:
  ///   - multiplier: The product of its factors.
  ///   - distance: Metres.
  ///   - seconds: How long it takes.
  package func ferryCost(_ multiplier: Double, distance: Double, seconds: Double) -> Double {
    max(distance, seconds * flatSpeed, Self.leastCost) * multiplier
  }

  @inline(__always)
  private func isTooSteep(_ distance: Double, _ up: Double, _ down: Double) -> Bool {
    distance >= Self.gradeLimitMinimumMetres
      && max(up, down) > distance * (maximumGradePercent / 100)
  }

  /// What a cost is made of; the sum of the three parts is the cost, but for rounding.
  package struct Parts: Equatable, Sendable {
    /// What the length would cost without climb and descent.
    package var distance: Double
    /// What the climb adds.
    package var climb: Double
    /// What the descent adds to that; below 0 where going downhill is faster than on the flat.
    package var descent: Double

    /// Nothing.
    package static let zero = Parts(distance: 0, climb: 0, descent: 0)

    /// Adds the parts of another edge.
    package static func += (sum: inout Parts, other: Parts) {
      sum.distance += other.distance
      sum.climb += other.climb
      sum.descent += other.descent
    }
  }

  /// Takes a finite cost apart.
  package func parts(_ multiplier: Double, distance: Double, up: Double, down: Double) -> Parts {
    let flat = cost(multiplier, distance: distance, up: 0, down: 0)
    let climbed = cost(multiplier, distance: distance, up: up, down: 0)
    let whole = cost(multiplier, distance: distance, up: up, down: down)
    return Parts(distance: flat, climb: climbed - flat, descent: whole - climbed)
  }
}
