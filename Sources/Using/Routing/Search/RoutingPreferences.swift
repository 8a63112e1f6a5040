// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// Preferences on top of a profile's costs.
///
/// A preference multiplies the stored cost of the edges that violate it by a factor that is never
/// below 1, so the least cost per metre stays a lower bound. Nothing is forbidden unless
/// ``isStrict`` is set: if there is no other way, the route uses such edges anyway, and
/// ``unmet(on:in:)`` lists them.
public struct RoutingPreferences: Hashable, Sendable {
  /// Avoid steps.
  public var avoidsSteps = false
  /// Avoid ways above this grade of the SAC scale. Ways without a grade count as easy, those whose grade
  /// cannot be read as a grade above it.
  public var maximumSACGrade: SACScale?
  /// Prefer the waymarked routes of this mode: hiking or cycling routes.
  public var preferredRoutes: RoutingMode?
  /// Prefer paved ways.
  public var prefersPaved = false
  /// Avoid edges with a steeper stretch than this, up or down, in percent.
  public var maximumSlopePercent: Double?
  /// Whether preferences are binding: if there is no other way, there is no route.
  public var isStrict = false

  /// The factor for steps, if they are avoided.
  public static let stepsFactor = 5.0
  /// The factor for each grade above the maximum.
  public static let gradeFactor = 4.0
  /// The factor for edges off waymarked routes, if those are preferred.
  public static let unmarkedFactor = 1.8
  /// The factor for unpaved ways, if paved ones are preferred.
  public static let unpavedFactor = 2.5
  /// The factor for edges above the maximum slope.
  public static let slopeFactor = 4.0

  /// No preferences.
  public init() {}

  /// The factor on the cost of an edge, at least 1; infinite if it is forbidden.
  package func factor(_ traits: EdgeTraits) -> Double {
    var factor = 1.0
    if avoidsSteps, traits.isSteps { factor *= Self.stepsFactor }
    if let maximumSACGrade {
      if let grade = traits.sacScale, grade > maximumSACGrade {
        for _ in maximumSACGrade.number..<grade.number { factor *= Self.gradeFactor }
      }
      if traits.hasUnreadableGrade, maximumSACGrade < .t6 { factor *= Self.gradeFactor }
    }
    switch preferredRoutes {
    case .hiking: if !traits.isHikingRoute { factor *= Self.unmarkedFactor }
    case .cycling: if !traits.isCyclingRoute { factor *= Self.unmarkedFactor }
    case nil: break
    }
    if prefersPaved, !traits.isPaved { factor *= Self.unpavedFactor }
    // Slopes are known in whole percent, rounded up.
    if let maximumSlopePercent, traits.slopePercent > max(0, maximumSlopePercent.rounded(.up)) {
      factor *= Self.slopeFactor
    }
    return isStrict && factor > 1 ? .infinity : factor
  }
}

/// The changes of one search to the costs of edges.
struct SearchRules {
  var preferences = RoutingPreferences()
  /// For cycling in a database without a cycling profile.
  var forbidsSteps = false
  /// Edges that must not be used.
  var avoidedEdges: Set<Int64> = []
  /// Further factors for single edges, by their ids: at least 1.
  var edgeFactors: [Int64: Double] = [:]

  /// Whether traits beyond steps matter.
  var needsTraits: Bool { preferences != RoutingPreferences() }
  /// Whether all costs stay unchanged.
  var isPlain: Bool { !needsTraits && !forbidsSteps && avoidedEdges.isEmpty && edgeFactors.isEmpty }

  /// The factor on the cost of an edge; infinite if it must not be used.
  func factor(_ traits: EdgeTraits) -> Double {
    forbidsSteps && traits.isSteps ? .infinity : preferences.factor(traits)
  }

  /// The same with the factor of this edge.
  func factor(_ traits: EdgeTraits, edge: Int64) -> Double {
    edgeFactors.isEmpty ? factor(traits) : factor(traits) * (edgeFactors[edge] ?? 1)
  }
}
