// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// The limits by which a profile closes ways to its vehicle: grades, slopes, and impassable entries
/// of tables. Equipment, barriers and access are not limits.
package struct ProfileLimits: Sendable {
  /// Why an edge is closed.
  package enum Reason: Hashable, Sendable {
    /// A tag, such as `sac_scale` = `mountain_hiking`.
    case tag(key: String, value: String)
    /// It is steeper than this percentage.
    case slope(percent: Double)
  }

  private let profile: CostProfile
  private let pricer: EdgePricer
  private let lifted: EdgePricer

  /// Reads the limits of a profile; nil where it has none.
  ///
  /// - Parameter date: The day for which access is judged.
  package init?(_ profile: CostProfile, on date: CalendarDate?) {
    let open = profile.withoutLimits
    guard open != profile else { return nil }
    self.profile = profile
    pricer = EdgePricer(profile, on: date)
    lifted = EdgePricer(open, on: date)
  }

  /// The cost of an edge in its direction without the limits; infinite if something else closes it,
  /// and for ferries.
  package func cost(_ edge: RoutingEdge, _ tags: EdgeTags) -> Double {
    let terms = lifted.terms(tags)
    guard !terms.factors.isFerry else { return .infinity }
    return lifted.price(
      terms, distance: edge.distance, up: edge.elevationGain, down: edge.elevationLoss,
      isReversed: edge.isReversed
    ).cost
  }

  /// The limits that close an edge.
  package func reasons(_ edge: RoutingEdge, _ tags: EdgeTags) -> [Reason] {
    var reasons: [Reason] = pricer.terms(tags).factors.factors.compactMap { factor in
      guard !factor.factor.isFinite, let value = factor.value else { return nil }
      return .tag(key: factor.key, value: value)
    }
    if let most = profile.maximumGradePercent,
      edge.distance >= EdgeFormula.gradeLimitMinimumMetres,
      max(edge.elevationGain, edge.elevationLoss) > edge.distance * (most / 100)
    {
      reasons.append(.slope(percent: most))
    }
    return reasons
  }
}

extension CostProfile {
  /// The same profile without its limits: an impassable entry of a table costs as much as the
  /// dearest other entry.
  fileprivate var withoutLimits: CostProfile {
    var profile = self
    profile.maximumSACScale = nil
    profile.maximumMTBScale = nil
    profile.maximumGradePercent = nil
    for table in [
      \CostProfile.surfaces, \.tracktypes, \.unknownSurfaces, \.sacScale, \.tunnels,
      \.trailVisibility, \.smoothness, \.mtbScale,
    ] { profile[keyPath: table] = Self.opened(profile[keyPath: table]) }
    let equipment = Set(Equipment.allCases.map(\.rawValue))
    profile.highways.merge(
      Self.opened(profile.highways).filter { !equipment.contains($0.key) }
    ) { $1 }
    return profile
  }

  private static func opened(_ table: [String: Double]) -> [String: Double] {
    let dearest = table.values.filter(\.isFinite).reduce(1, max)
    return table.mapValues { $0.isFinite ? $0 : dearest }
  }
}
