// SPDX-License-Identifier: Apache-2.0
import CairnTravelModels

/// The formulas of a profile for one edge, with its parameters as plain numbers instead of tables.
///
/// ```swift
/// let formula = EdgeFormula(profile)
/// let tags = TagFactors(["highway": "path", "surface": "gravel"], profile)
/// let cost = formula.cost(tags.forward, distance: 1200, up: 80, down: 15)
/// ```
package struct EdgeFormula: Sendable {
  /// The minimum cost of an edge. It only matters if two nodes have the same coordinate: a cost of
  /// 0 would make a cycle without cost.
  package static let leastCost = 0.001
  /// The minimum length in metres of edges that a grade limit applies to: an elevation error of a
  /// metre would close most shorter edges.
  package static let gradeLimitMinimumMetres = 50.0

  private let costBase: CostProfile.CostBase
  private let timeModel: TimeModel
  private let timeFactor: Double
  private let parameters: TimeModel.Parameters
  private let descent: CostProfile.DescentMultipliers
  private let slowdownWeight: Double
  private let flatSpeed: Double
  private let maximumGradePercent: Double

  /// Takes the parameters from a profile.
  package init(_ profile: CostProfile) {
    costBase = profile.costBase
    timeModel = profile.timeModel
    timeFactor = profile.timeFactor
    parameters = .init(
      climbFactor: profile.climbFactor, speedKilometresPerHour: profile.speedKilometresPerHour)
    descent = profile.descent
    slowdownWeight = profile.slowdownWeight
    // Costs that are distances do not depend on the time model, not even those of ferries.
    let flatModel = costBase == .time ? timeModel : .equivalentDistance
    flatSpeed = flatModel.speed(slope: 0, parameters)
    maximumGradePercent = profile.maximumGradePercent ?? .infinity
  }

  /// The cost of an edge in one direction, in metres of flat good path; infinite if it is steeper
  /// than the profile allows.
  ///
  /// - Parameters:
  ///   - multiplier: The product of the factors of its tags in this direction, such as
  ///     ``TagFactors/forward``; infinite if it is closed.
  ///   - slowdown: That of its tags, such as ``TagFactors/forwardSlowdown``.
  ///   - distance: Metres.
  ///   - up: Metres climbed in this direction.
  ///   - down: Metres descended in this direction.
  @inline(__always)
  package func cost(
    _ multiplier: Double, slowdown: Double = 1, distance: Double, up: Double, down: Double
  ) -> Double {
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
    return max(cost * weight(slowdown), Self.leastCost)
  }

  /// The factor of a slowdown on costs; exactly 1 if it does not count.
  @inline(__always)
  private func weight(_ slowdown: Double) -> Double { 1 + slowdownWeight * (slowdown - 1) }

  /// The seconds of an edge in one direction.
  ///
  /// - Parameter slowdown: That of its tags, such as ``TagFactors/forwardSlowdown``.
  @inline(__always)
  package func seconds(_ slowdown: Double = 1, distance: Double, up: Double, down: Double) -> Double
  {
    timeModel.seconds(length: distance, up: up, down: down, parameters) * (timeFactor * slowdown)
  }

  /// Cost and seconds of an edge in one direction, as ``cost(_:slowdown:distance:up:down:)`` and
  /// ``seconds(_:distance:up:down:)`` give them; both infinite if it is closed.
  @inline(__always)
  func price(_ multiplier: Double, slowdown: Double, distance: Double, up: Double, down: Double)
    -> (cost: Double, seconds: Double)
  {
    if multiplier == .infinity || isTooSteep(distance, up, down) { return (.infinity, .infinity) }
    let seconds = timeModel.seconds(length: distance, up: up, down: down, parameters)
    let cost =
      costBase == .time
      ? max(seconds * flatSpeed * multiplier * weight(slowdown), Self.leastCost)
      : self.cost(multiplier, slowdown: slowdown, distance: distance, up: up, down: down)
    return cost.isFinite ? (cost, seconds * (timeFactor * slowdown)) : (cost, .infinity)
  }

  /// The cost of a ferry edge: the distance that its time is worth on the flat, but at least its
  /// length, times its factors.
  ///
  /// - Parameters:
  ///   - multiplier: The product of its factors.
  ///   - distance: Metres.
  ///   - seconds: Its duration.
  package func ferryCost(_ multiplier: Double, distance: Double, seconds: Double) -> Double {
    max(distance, seconds * flatSpeed, Self.leastCost) * multiplier
  }

  /// Cost and seconds of a ferry edge; both infinite if one of them is.
  func ferryPrice(_ multiplier: Double, distance: Double, seconds: Double) -> EdgePricer.Price {
    guard seconds.isFinite, multiplier.isFinite else { return .impassable }
    return .init(
      cost: ferryCost(multiplier, distance: distance, seconds: seconds), seconds: seconds)
  }

  @inline(__always)
  private func isTooSteep(_ distance: Double, _ up: Double, _ down: Double) -> Bool {
    distance >= Self.gradeLimitMinimumMetres
      && max(up, down) > distance * (maximumGradePercent / 100)
  }

  /// The parts of a cost, which add up to it except for rounding.
  package struct Parts: Equatable, Sendable {
    /// The cost of the length without climb and descent.
    package var distance: Double
    /// The cost that the climb adds.
    package var climb: Double
    /// The cost that the descent adds; below 0 if going downhill is faster than on the flat.
    package var descent: Double

    /// No cost.
    package static let zero = Parts(distance: 0, climb: 0, descent: 0)

    /// Adds the parts of another edge.
    package static func += (sum: inout Parts, other: Parts) {
      sum.distance += other.distance
      sum.climb += other.climb
      sum.descent += other.descent
    }
  }

  /// The parts of a finite cost.
  package func parts(
    _ multiplier: Double, slowdown: Double = 1, distance: Double, up: Double, down: Double
  ) -> Parts {
    let flat = cost(multiplier, slowdown: slowdown, distance: distance, up: 0, down: 0)
    let climbed = cost(multiplier, slowdown: slowdown, distance: distance, up: up, down: 0)
    let whole = cost(multiplier, slowdown: slowdown, distance: distance, up: up, down: down)
    return Parts(distance: flat, climb: climbed - flat, descent: whole - climbed)
  }
}
