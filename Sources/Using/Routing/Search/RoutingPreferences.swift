// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// What somebody wants of a route besides what the profile says.
///
/// A preference multiplies the stored cost of the edges that it speaks against by a factor that is
/// never below 1. So the least cost of a metre stays a bound, and a route is still a cheapest one.
/// Nothing is forbidden: where there is no other way, the route leads there all the same.
public struct RoutingPreferences: Hashable, Sendable {
  /// Keep off steps.
  public var avoidsSteps = false
  /// Keep off ways above this grade of the SAC scale; ways without a grade count as easy.
  public var maximumSACGrade: SACGrade?
  /// Prefer the waymarked routes for walkers or for cyclists.
  public var preferredRoutes: RoutingMode?
  /// Prefer paved ways.
  public var prefersPaved = false
  /// Keep off ways with a steeper stretch, up or down, in percent.
  public var maximumSlopePercent: Double?

  /// The factor of the cost of steps, where they are avoided.
  public static let stepsFactor = 5.0
  /// The factor of the cost of a way for each grade above the wanted one.
  public static let gradeFactor = 4.0
  /// The factor of the cost of what is no waymarked route, where those are preferred.
  public static let unmarkedFactor = 1.8
  /// The factor of the cost of unpaved ways, where paved ones are preferred.
  public static let unpavedFactor = 2.5
  /// The factor of the cost of a way steeper than wanted.
  public static let slopeFactor = 4.0

  /// Wants nothing.
  public init() {}

  /// What the cost of an edge is multiplied by, at least 1.
  package func factor(_ traits: EdgeTraits) -> Double {
    var factor = 1.0
    if avoidsSteps, traits.isSteps { factor *= Self.stepsFactor }
    if let maximumSACGrade, let grade = traits.sacGrade, grade > maximumSACGrade {
      for _ in maximumSACGrade.rawValue..<grade.rawValue { factor *= Self.gradeFactor }
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
    return factor
  }
}

/// What one search makes of the costs.
struct SearchRules {
  var preferences = RoutingPreferences()
  /// A cyclist in a database that does not know cyclists.
  var forbidsSteps = false
  /// Edges that must not be used.
  var avoidedEdges: Set<Int64> = []
  /// What the costs of single edges, by their rows, are multiplied by besides: at least 1.
  var edgeFactors: [Int64: Double] = [:]

  /// Whether traits beyond steps matter.
  var needsTraits: Bool { preferences != RoutingPreferences() }
  /// Whether all costs stay as they are.
  var isPlain: Bool { !needsTraits && !forbidsSteps && avoidedEdges.isEmpty && edgeFactors.isEmpty }

  /// What the cost of an edge is multiplied by; infinite where it must not be used.
  func factor(_ traits: EdgeTraits) -> Double {
    forbidsSteps && traits.isSteps ? .infinity : preferences.factor(traits)
  }

  /// What the cost of one edge is multiplied by; infinite where it must not be used.
  func factor(_ traits: EdgeTraits, edge: Int64) -> Double {
    edgeFactors.isEmpty ? factor(traits) : factor(traits) * (edgeFactors[edge] ?? 1)
  }
}
