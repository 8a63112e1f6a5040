// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// What closes ways to a profile and may cost a long way round: its limits, which are grades, slopes
/// and impassable entries of tables; and over a few metres also access and barriers. Equipment is
/// neither.
package struct ProfileLimits: Sendable {
  /// The most metres that access or barriers close on a way that is told of.
  package static let mostClosedMetres = 100.0
  /// Each metre of them costs as much as this many of flat good path, so that there are few.
  private static let closedMetre = 5.0

  /// Why an edge is closed.
  package enum Reason: Hashable, Sendable {
    /// A tag, such as `sac_scale` = `mountain_hiking`.
    case tag(key: String, value: String)
    /// It is steeper than this percentage.
    case slope(percent: Double)
    /// A tag of access, a direction or a barrier.
    case access(key: String, value: String)
  }

  /// Whether the profile has limits, so that more than a few metres may be closed by it.
  package let hasLimits: Bool
  private let profile: CostProfile
  private let pricer: EdgePricer
  private let lifted: EdgePricer

  /// Reads the limits of a profile.
  ///
  /// - Parameter date: The day for which access is judged.
  package init(_ profile: CostProfile, on date: CalendarDate?) {
    let open = profile.withoutLimits
    hasLimits = open != profile
    self.profile = profile
    pricer = EdgePricer(profile, on: date)
    lifted = EdgePricer(open, on: date)
  }

  /// The cost of a closed edge in its direction if it were open; infinite if it stays closed, as
  /// ferries and equipment do, and longer ones without access.
  package func cost(_ edge: RoutingEdge, _ tags: EdgeTags) -> Double {
    let terms = lifted.terms(tags)
    guard !terms.factors.isFerry else { return .infinity }
    let cost = lifted.price(
      terms, distance: edge.distance, up: edge.elevationGain, down: edge.elevationLoss,
      isReversed: edge.isReversed
    ).cost
    guard cost.isInfinite, edge.distance <= Self.mostClosedMetres,
      terms.factors.factors.allSatisfy(\.factor.isFinite)
    else { return cost }
    return max(edge.distance, 1) * Self.closedMetre
  }

  /// What closes an edge.
  package func reasons(_ edge: RoutingEdge, _ tags: EdgeTags) -> [Reason] {
    let terms = pricer.terms(tags)
    var reasons: [Reason] = terms.factors.factors.compactMap { factor in
      guard !factor.factor.isFinite, let value = factor.value else { return nil }
      return .tag(key: factor.key, value: value)
    }
    if let most = profile.maximumGradePercent,
      edge.distance >= EdgeFormula.gradeLimitMinimumMetres,
      max(edge.elevationGain, edge.elevationLoss) > edge.distance * (most / 100)
    {
      reasons.append(.slope(percent: most))
    }
    if terms.isBlocked, let barrier = tags.barrier {
      reasons.append(closingTag(barrier, otherwise: "barrier"))
    } else if !terms.factors.factors(isReversed: edge.isReversed).suffix(1)
      .allSatisfy(\.factor.isFinite)
    {
      reasons.append(closingTag(tags.way, otherwise: edge.isReversed ? "oneway" : "highway"))
    }
    return reasons
  }

  /// The tag that most likely closes a way or a barrier.
  private func closingTag(_ tags: [String: String], otherwise last: String) -> Reason {
    let vehicle = profile.vehicle
    let keys = vehicle.ownKeys + ["access"]
    let plain = keys.first { key in
      let access = tags[key].flatMap {
        AccessClass(value: $0, isAccessOnFoot: vehicle == .foot && key == "access")
      }
      return access.map { !profile.passes($0) } ?? false
    }
    let key = plain ?? keys.map { $0 + ":conditional" }.first { tags[$0] != nil } ?? last
    return .access(key: key, value: tags[key] ?? "")
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
