// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CommandLineKit
import CostModel

/// An explanation as JSON, in metres and seconds; costs are equivalent metres of flat, good path.
package struct ExplanationRecord: Encodable {
  fileprivate struct Factor: Encodable {
    var key: String
    var value: String?
    /// Nil if it makes the way impassable, which only happens in a defective database.
    var factor: Double?
  }

  fileprivate struct Stretch: Encodable {
    var ways: [Int64]
    var name: String?
    var edges: [Int64]
    var start: Double
    var distance: Double
    var gain: Nullable<Double>
    var loss: Nullable<Double>
    var duration: Double
    var factors: [Factor]
    var multiplier: Double?
    /// The slowdown of the stretch compared with the time model.
    var slowdown: Double
    var flatCost: Double
    var climbCost: Double
    var descentCost: Double
    var cost: Double
    var totalCost: Double
  }

  fileprivate struct Totals: Encodable {
    var distance: Double
    var gain: Nullable<Double>
    var loss: Nullable<Double>
    var duration: Double
    var durationWithoutClimb: Bool
    var durationRange: Nullable<DurationRange>
    var cost: Double
    var nodes: [Int64]
  }

  fileprivate struct Alternative: Encodable {
    /// The edges of all stretches that this route avoids; it is the best route without any of them.
    var avoidedEdges: [Int64]
    /// Nil if there is no other route.
    var route: Totals?
    var extraCost: Double?
    var leavesAt: Double?
    var returnsAt: Double?
  }

  fileprivate struct Mismatch: Encodable {
    var edge: Int64
    var storedCost: Double
    /// Nil if the edge is impassable for the profile.
    var computedCost: Double?
  }

  private var profile: String
  private var route: Totals
  private var stretches: [Stretch]
  private var alternatives: [Alternative]
  private var mismatches: [Mismatch]
  private var offNetwork: [FoundRoute.OffNetwork]
  private var accessDate: Nullable<String>
  private var departure: Nullable<String>
  private var rules: Nullable<RuleTally>

  /// Writes out an explanation.
  package init(_ explanation: RouteExplanation) {
    offNetwork = explanation.offNetwork
    accessDate = Nullable(explanation.day.accessDate)
    departure = Nullable(explanation.day.departure)
    rules = Nullable(explanation.rules)
    profile = explanation.costs.profile.name
    route = Totals(explanation.route)
    stretches = explanation.costs.stretches.map(Stretch.init)
    alternatives = explanation.detours.map { Alternative($0, of: explanation) }
    mismatches = explanation.costs.mismatches.map {
      Mismatch(
        edge: $0.edge, storedCost: $0.stored, computedCost: $0.computed.isFinite ? $0.computed : nil
      )
    }
  }
}

extension ExplanationRecord.Totals {
  fileprivate init(_ route: ComputedRoute) {
    distance = route.totalDistance
    gain = Nullable(route.isClimbKnown ? route.elevationGain : nil)
    loss = Nullable(route.isClimbKnown ? route.elevationLoss : nil)
    duration = route.estimatedDuration
    durationWithoutClimb = route.unknownClimbMetres > 0
    durationRange = Nullable(route.durationRange)
    cost = route.totalCost
    nodes = route.nodes.map(\.id)
  }
}

extension ExplanationRecord.Stretch {
  fileprivate init(_ stretch: CostExplanation.Stretch) {
    ways = stretch.wayIDs
    name = stretch.name
    edges = stretch.edgeIDs
    start = stretch.startMetres
    distance = stretch.distance
    gain = Nullable(stretch.isClimbKnown ? stretch.gain : nil)
    loss = Nullable(stretch.isClimbKnown ? stretch.loss : nil)
    duration = stretch.seconds
    factors = stretch.factors.map { factor in
      .init(
        key: factor.key, value: factor.value,
        factor: factor.factor.isFinite ? factor.factor : nil)
    }
    multiplier = stretch.multiplier.isFinite ? stretch.multiplier : nil
    slowdown = stretch.slowdown
    flatCost = stretch.parts.distance
    climbCost = stretch.parts.climb
    descentCost = stretch.parts.descent
    cost = stretch.cost
    totalCost = stretch.totalCost
  }
}

extension ExplanationRecord.Alternative {
  fileprivate init(_ detour: RouteDetour, of explanation: RouteExplanation) {
    avoidedEdges = explanation.avoided(by: detour).flatMap(\.edgeIDs)
    guard let other = detour.route else { return }
    route = .init(other)
    extraCost = other.totalCost - explanation.route.totalCost
    leavesAt = detour.leavesAtMetres
    returnsAt = detour.returnsAtMetres
  }
}
