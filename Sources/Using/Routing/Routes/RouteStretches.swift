// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules

/// A difficult stretch of a route.
public struct RouteStretch: Equatable, Sendable {
  /// Metres from the start of the route at which it begins.
  public var startMetres: Double
  /// Its length in metres.
  public var lengthMetres: Double
  /// The hardest grade of the SAC scale on it; nil if no edge has one.
  public var grade: SACScale?
  /// The first `sac_scale` on it that cannot be read, so that the grade of the stretch is unknown; nil if
  /// there is none.
  public var unreadableGrade: String?
  /// The slope of its steepest stretch in whole percent; nil unless it is about a slope.
  public var slopePercent: Double?

  /// Metres from the start of the route at which it ends.
  public var endMetres: Double { startMetres + lengthMetres }
}

/// A single preference, by the name of its option on the command line.
public enum RoutePreference: String, Sendable, CaseIterable {
  /// ``RoutingPreferences/avoidsSteps``.
  case avoidSteps = "avoid-steps"
  /// ``RoutingPreferences/maximumSACGrade``.
  case maximumSACGrade = "max-sac"
  /// ``RoutingPreferences/preferredRoutes``.
  case preferWaymarked = "prefer-waymarked"
  /// ``RoutingPreferences/prefersPaved``.
  case preferPaved = "prefer-paved"
  /// ``RoutingPreferences/maximumSlopePercent``.
  case maximumSlope = "max-slope"
}

/// A stretch of a route that violates a preference.
public struct UnmetPreference: Equatable, Sendable {
  /// The preference.
  public var preference: RoutePreference
  /// The stretch that violates the preference throughout.
  public var stretch: RouteStretch
}

extension RoutingPreferences {
  /// The stretches of a route that violate these preferences, one preference after another, each in
  /// the order of travel.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - store: The open database in which the route was found.
  public func unmet(on route: ComputedRoute, in store: RoutingStore) throws(RoutingError)
    -> [UnmetPreference]
  {
    var unmet: [UnmetPreference] = []
    let single = single
    guard !single.isEmpty else { return [] }
    let traits = try route.edges.map { edge throws(RoutingError) in
      try store.traits(ofEdge: edge.id)
    }
    for (preference, rules) in single {
      let stretches = route.stretches { rules.factor(traits[$0]) > 1 }
      for (var stretch, edges) in stretches {
        if preference == .maximumSlope {
          stretch.slopePercent = traits[edges].map(\.slopePercent).max()
        }
        unmet.append(UnmetPreference(preference: preference, stretch: stretch))
      }
    }
    return unmet
  }

  /// Each preference on its own.
  private var single: [(RoutePreference, RoutingPreferences)] {
    RoutePreference.allCases.compactMap { preference in
      var one = RoutingPreferences()
      switch preference {
      case .avoidSteps: one.avoidsSteps = avoidsSteps
      case .maximumSACGrade: one.maximumSACGrade = maximumSACGrade
      case .preferWaymarked: one.preferredRoutes = preferredRoutes
      case .preferPaved: one.prefersPaved = prefersPaved
      case .maximumSlope: one.maximumSlopePercent = maximumSlopePercent
      }
      return one == RoutingPreferences() ? nil : (preference, one)
    }
  }
}

extension ComputedRoute {
  /// The longest stretch with the hardest grade of the SAC scale on the route, the first of
  /// several; nil if no edge has a grade.
  ///
  /// A grade that cannot be read may be any, so it counts as the hardest one below T6.
  public var hardestStretch: RouteStretch? {
    let grades = edges.map { edge -> GradeReading in
      edge.distance > 0 ? edge.sacScale.map { GradeReading($0) } ?? .none : .none
    }
    let known = grades.compactMap { if case .grade(let grade) = $0 { grade } else { nil } }.max()
    guard
      let hardest = grades.contains(.unreadable) && known != .t6
        ? .unreadable : known.map(GradeReading.grade)
    else { return nil }
    var longest: RouteStretch?
    for (stretch, _) in stretches(where: { grades[$0] == hardest })
    where stretch.lengthMetres > longest?.lengthMetres ?? 0 {
      longest = stretch
    }
    return longest
  }

  /// Metres of the route with unknown climb, which its totals and its time leave out.
  public var unknownClimbMetres: Double {
    edges.indices.reduce(0) { $0 + (isClimbKnown(ofEdge: $1) ? 0 : edges[$1].distance) }
  }

  /// Whether the climb of any edge is known; otherwise ``elevationGain`` and ``elevationLoss`` are
  /// 0.
  public var isClimbKnown: Bool {
    edges.isEmpty
      ? nodes.first?.elevation != nil
      : edges.indices.contains { edges[$0].distance > 0 && isClimbKnown(ofEdge: $0) }
  }

  /// Whether the climb of an edge is known, by its index in ``edges``.
  public func isClimbKnown(ofEdge index: Int) -> Bool {
    let edge = edges[index]
    if edge.elevationGain > 0 || edge.elevationLoss > 0 { return true }
    guard nodes.indices.contains(index + 1) else { return false }
    return nodes[index].elevation != nil && nodes[index + 1].elevation != nil
  }

  /// Consecutive edges that fulfil a condition, with the range of their indices. Barrier edges,
  /// which have no length, belong to the stretch around them.
  fileprivate func stretches(where isPart: (Int) -> Bool) -> [(RouteStretch, Range<Int>)] {
    var found: [(stretch: RouteStretch, edges: Range<Int>)] = []
    var travelled = 0.0
    var isOpen = false
    for (index, edge) in edges.enumerated() where edge.distance > 0 {
      defer { travelled += edge.distance }
      guard isPart(index) else {
        isOpen = false
        continue
      }
      if !isOpen {
        found.append((RouteStretch(startMetres: travelled, lengthMetres: 0), index..<index))
      }
      isOpen = true
      let last = found.count - 1
      found[last].stretch.lengthMetres += edge.distance
      found[last].edges = found[last].edges.lowerBound..<index + 1
      switch edge.sacScale.map({ GradeReading($0) }) {
      case .grade(let grade)?:
        found[last].stretch.grade = max(found[last].stretch.grade ?? grade, grade)
      case .unreadable?:
        found[last].stretch.unreadableGrade = found[last].stretch.unreadableGrade ?? edge.sacScale
      case GradeReading.none?, nil: break
      }
    }
    return found.map { ($0.stretch, $0.edges) }
  }
}
