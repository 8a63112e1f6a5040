// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels

extension ComputedRoute {
  /// The same route with the times of a profile: ``timedByLegs(_:)``, and the spread of people's
  /// times.
  func timed(by formula: ProfileFormula) -> ComputedRoute {
    var route = timedByLegs(formula)
    route.timeSpread = formula.timeSpread
    return route
  }

  /// The same route with the times of a model for the totals of a route, such as DIN 33466, applied
  /// to the totals of each leg. With any other model, the route itself.
  ///
  ///     time of a leg = model(totals) × Σ stored times ÷ Σ model(edges)
  ///
  /// The sums are over its edges except ferries, so that other slowdowns of the profile stay in.
  /// All edges of a leg are scaled alike, and their times add up to its time.
  private func timedByLegs(_ formula: ProfileFormula) -> ComputedRoute {
    guard let model = formula.timeModel, model.isForTotals else { return self }
    var route = self
    let bounds = [0] + viaNodes + [edges.count]
    for (start, end) in zip(bounds, bounds.dropFirst()) where start < end && end <= edges.count {
      var (there, back) = (LegSums(), LegSums())
      for edge in edges[start..<end] where edge.highwayType != TagSelection.ferryRoute {
        let up = edge.part?.wholeElevationGain ?? edge.elevationGain
        let down = edge.part?.wholeElevationLoss ?? edge.elevationLoss
        let whole = edge.part?.wholeDistance ?? edge.distance
        func seconds(up: Double, down: Double) -> Double {
          model.seconds(length: whole, up: up, down: down, formula.parameters)
        }
        there.add(
          edge, up: edge.elevationGain, down: edge.elevationLoss, stored: edge.duration,
          model: seconds(up: up, down: down) * (edge.part?.shares.time ?? 1))
        back.add(
          edge, up: edge.elevationLoss, down: edge.elevationGain, stored: edge.reverseDuration,
          model: seconds(up: down, down: up) * (edge.part?.reverseShares.time ?? 1))
      }
      let factor = there.factor(model, formula.parameters)
      let backFactor = back.factor(model, formula.parameters)
      for index in start..<end where edges[index].highwayType != TagSelection.ferryRoute {
        route.edges[index].duration = edges[index].duration.map { $0 * factor }
        route.edges[index].reverseDuration = edges[index].reverseDuration.map { $0 * backFactor }
      }
    }
    route.estimatedDuration = route.edges.reduce(0) { $0 + ($1.duration ?? 0) }
    return route
  }

  /// The totals of a leg in one direction.
  private struct LegSums {
    private var length = 0.0
    private var up = 0.0
    private var down = 0.0
    private var model = 0.0
    private var isKnown = true

    mutating func add(
      _ edge: RoutingEdge, up: Double, down: Double, stored: Double?, model: Double
    ) {
      length += edge.distance
      self.up += up
      self.down += down
      self.model += model
      if stored == nil { isKnown = false }
    }

    /// The factor on the times of its edges; 1 if one of them is unknown or closed.
    func factor(_ model: TimeModel, _ parameters: TimeModel.Parameters) -> Double {
      let total = model.seconds(length: length, up: up, down: down, parameters)
      let factor = total / self.model
      return isKnown && factor.isFinite && factor > 0 ? factor : 1
    }
  }
}
