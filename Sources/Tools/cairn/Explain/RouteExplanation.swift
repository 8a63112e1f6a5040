// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import Routing
import RoutingDatabase
import TagRules

/// Why a route costs what it costs: its stretches with the factors of their costs, recomputed from
/// the profile and the tags in the database.
struct RouteExplanation {
  /// Consecutive edges with the same name, factors and slowdown, from one way or several.
  struct Stretch {
    /// The distinct ways, in the order of travel.
    var wayIDs: [Int64] = []
    var name: String?
    var factors: [CostFactor]
    var multiplier: Double
    /// How much longer it takes than the time model says, by its tags.
    var slowdown: Double
    /// The distance from the start at which it begins, in metres.
    var startMetres: Double
    var edgeIDs: [Int64] = []
    var distance = 0.0
    var gain = 0.0
    var loss = 0.0
    /// Whether the climb of any of its edges is known.
    var isClimbKnown = false
    var seconds = 0.0
    var parts = EdgeFormula.Parts.zero
    /// The cost stored in the database.
    var cost = 0.0
    /// The cost of the route to the end of the stretch.
    var totalCost = 0.0

    var endMetres: Double { startMetres + distance }
  }

  /// An edge whose stored cost differs from the one computed from its profile.
  struct Mismatch {
    var edge: Int64
    var stored: Double
    var computed: Double
  }

  /// The relative difference of two costs that rounding explains: that of the cost, and of the time
  /// of a ferry, which its cost is worked out from.
  private static let tolerance = 2 * CostBlock.precision

  let profile: CostProfile
  let route: ComputedRoute
  private(set) var stretches: [Stretch] = []
  private(set) var mismatches: [Mismatch] = []

  /// Takes a route apart.
  ///
  /// - Parameters:
  ///   - tags: The tags of its edges, in order.
  ///   - date: The date for which access was evaluated.
  init(_ route: ComputedRoute, _ profile: CostProfile, tags: [EdgeTags], on date: CalendarDate?) {
    self.route = route
    self.profile = profile
    let pricer = EdgePricer(profile, on: date)
    var (metres, cost) = (0.0, 0.0)
    for (index, (edge, tags)) in zip(route.edges, tags).enumerated() {
      let terms = pricer.terms(tags)
      // A part of an edge costs its share of the whole edge.
      let share = edge.part?.shares.cost ?? 1
      let (distance, up, down) = (
        edge.part?.wholeDistance ?? edge.distance,
        edge.part?.wholeElevationGain ?? edge.elevationGain,
        edge.part?.wholeElevationLoss ?? edge.elevationLoss
      )
      let computed =
        share
        * pricer.price(
          terms, distance: distance, up: up, down: down, isReversed: edge.isReversed,
          ferrySeconds: (edge.duration ?? 0) / (edge.part?.shares.time ?? 1)
        ).cost
      if !(abs(computed - edge.cost) <= Self.tolerance * edge.cost) {
        mismatches.append(Mismatch(edge: edge.id, stored: edge.cost, computed: computed))
      }
      begin(edge, terms.factors, at: metres)
      metres += edge.distance
      cost += edge.cost
      add(edge, total: cost)
      if edge.distance > 0, route.isClimbKnown(ofEdge: index) {
        stretches[stretches.count - 1].isClimbKnown = true
      }
      guard computed.isFinite else { continue }
      let parts = pricer.parts(
        terms, distance: distance, up: up, down: down, isReversed: edge.isReversed,
        ferrySeconds: (edge.duration ?? 0) / (edge.part?.shares.time ?? 1))
      stretches[stretches.count - 1].parts += parts.ofPart(edge, cost: computed)
    }
  }

  /// Begins a stretch unless the edge continues the last one.
  private mutating func begin(_ edge: RoutingEdge, _ tags: TagFactors, at metres: Double) {
    let factors = tags.factors(isReversed: edge.isReversed)
    let slowdown = tags.slowdown(isReversed: edge.isReversed)
    if let last = stretches.last, last.name == edge.name, last.factors == factors,
      last.slowdown == slowdown
    {
      return
    }
    stretches.append(
      Stretch(
        name: edge.name, factors: factors, multiplier: tags.multiplier(isReversed: edge.isReversed),
        slowdown: slowdown, startMetres: metres))
  }

  /// Adds an edge to the last stretch; `total` is the cost of the route so far.
  private mutating func add(_ edge: RoutingEdge, total: Double) {
    let last = stretches.count - 1
    stretches[last].edgeIDs.append(edge.id)
    if let way = edge.osmWayID, !stretches[last].wayIDs.contains(way) {
      stretches[last].wayIDs.append(way)
    }
    stretches[last].distance += edge.distance
    stretches[last].gain += edge.elevationGain
    stretches[last].loss += edge.elevationLoss
    stretches[last].seconds += edge.duration ?? 0
    stretches[last].cost += edge.cost
    stretches[last].totalCost = total
  }
}

/// The best route that avoids a stretch of another route.
struct RouteAlternative {
  /// The stretch; several where the best route without each of them is the same.
  var avoided: [RouteExplanation.Stretch]
  /// The best route without it; nil if there is none.
  var route: ComputedRoute?
  /// Where it leaves the original route and where it finally rejoins it, in metres along that route.
  var leavesAtMetres = 0.0
  var returnsAtMetres = 0.0

  /// How many stretches are avoided in turn, the most expensive ones first.
  static let limit = 3

  init(
    avoiding stretch: RouteExplanation.Stretch, of route: ComputedRoute, by other: ComputedRoute?
  ) {
    avoided = [stretch]
    self.route = other
    guard let other else { return }
    let (ids, others) = (route.edges.map(\.id), other.edges.map(\.id))
    let common = zip(ids, others).prefix { $0 == $1 }.count
    let rest = min(ids.count, others.count) - common
    let tail = zip(ids.reversed(), others.reversed()).prefix(rest).prefix { $0 == $1 }.count
    leavesAtMetres = route.edges.prefix(common).reduce(0) { $0 + $1.distance }
    returnsAtMetres = route.edges.dropLast(tail).reduce(0) { $0 + $1.distance }
  }
}
