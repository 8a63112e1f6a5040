// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import Routing
import RoutingDatabase
import TagRules

/// Why a route costs what it costs: its stretches with the factors of their costs, worked out anew
/// from the profile and the tags that the database holds.
struct RouteExplanation {
  /// Consecutive edges of one name, of one way or several, that have the same factors.
  struct Stretch {
    /// The ways, each once, in the order of travel.
    var wayIDs: [Int64] = []
    var name: String?
    var factors: [CostFactor]
    var multiplier: Double
    /// Where it begins, in metres from the start.
    var startMetres: Double
    var edgeIDs: [Int64] = []
    var distance = 0.0
    var gain = 0.0
    var loss = 0.0
    var seconds = 0.0
    var parts = EdgeFormula.Parts.zero
    /// The cost that the database has.
    var cost = 0.0
    /// The cost of the route to the end of the stretch.
    var totalCost = 0.0

    var endMetres: Double { startMetres + distance }
  }

  /// An edge whose stored cost is not the one that its profile gives.
  struct Mismatch {
    var edge: Int64
    var stored: Double
    var computed: Double
  }

  /// What two costs of an edge may differ by: what rounding does, and no more.
  private static let tolerance = 1e-9

  let profile: CostProfile
  let route: ComputedRoute
  private(set) var stretches: [Stretch] = []
  private(set) var mismatches: [Mismatch] = []

  /// Takes a route apart.
  ///
  /// - Parameters:
  ///   - tags: Those of its edges, in their order.
  ///   - date: The day for which access was read.
  init(_ route: ComputedRoute, _ profile: CostProfile, tags: [EdgeTags], on date: CalendarDate?) {
    self.route = route
    self.profile = profile
    let pricer = EdgePricer(profile, on: date)
    var (metres, cost) = (0.0, 0.0)
    for (edge, tags) in zip(route.edges, tags) {
      let terms = pricer.terms(tags)
      // A part of an edge costs its share of the whole.
      let share = edge.part?.share ?? 1
      let (distance, up, down) = (
        edge.part?.wholeDistance ?? edge.distance,
        edge.part?.wholeElevationGain ?? edge.elevationGain,
        edge.part?.wholeElevationLoss ?? edge.elevationLoss
      )
      let computed =
        share
        * pricer.price(
          terms, distance: distance, up: up, down: down, isReversed: edge.isReversed,
          ferrySeconds: (edge.duration ?? 0) / share
        ).cost
      if !(abs(computed - edge.cost) <= Self.tolerance * edge.cost) {
        mismatches.append(Mismatch(edge: edge.id, stored: edge.cost, computed: computed))
      }
      begin(edge, terms.factors, at: metres)
      metres += edge.distance
      cost += edge.cost
      add(edge, total: cost)
      guard computed.isFinite else { continue }
      stretches[stretches.count - 1].parts += pricer.parts(
        terms, distance: distance * share, up: up * share, down: down * share,
        isReversed: edge.isReversed, ferrySeconds: edge.duration ?? 0)
    }
  }

  /// Begins a stretch where an edge does not continue the last one.
  private mutating func begin(_ edge: RoutingEdge, _ tags: TagFactors, at metres: Double) {
    let factors = tags.factors(isReversed: edge.isReversed)
    if let last = stretches.last, last.name == edge.name, last.factors == factors { return }
    stretches.append(
      Stretch(
        name: edge.name, factors: factors, multiplier: tags.multiplier(isReversed: edge.isReversed),
        startMetres: metres))
  }

  /// Adds the columns of an edge to the last stretch; `total` is the cost of the route so far.
  private mutating func add(_ edge: RoutingEdge, total: Double) {
    let place = stretches.count - 1
    stretches[place].edgeIDs.append(edge.id)
    if let way = edge.osmWayID, !stretches[place].wayIDs.contains(way) {
      stretches[place].wayIDs.append(way)
    }
    stretches[place].distance += edge.distance
    stretches[place].gain += edge.elevationGain
    stretches[place].loss += edge.elevationLoss
    stretches[place].seconds += edge.duration ?? 0
    stretches[place].cost += edge.cost
    stretches[place].totalCost = total
  }
}

/// What a route would be without one of its stretches.
struct RouteAlternative {
  /// The stretch that it does without.
  var avoided: RouteExplanation.Stretch
  /// The best route without it; nil where there is none.
  var route: ComputedRoute?
  /// Where it leaves the route, and where it is back for good, in metres along the route.
  var leavesAtMetres = 0.0
  var returnsAtMetres = 0.0

  /// How many stretches are tried: the most expensive ones.
  static let limit = 3

  init(
    avoiding stretch: RouteExplanation.Stretch, of route: ComputedRoute, by other: ComputedRoute?
  ) {
    avoided = stretch
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
