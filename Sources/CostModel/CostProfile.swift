// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import RoutingDatabase
import StageKit
import SystemIO
import TravelRules

/// The numbers by which the cost of an edge is worked out for one way of travelling.
///
///     cost     = distance × surface × SAC × highway
///              + gain × climb factor
///              + loss × climb factor × descent(grade)
///     duration = (distance + gain × climb factor) / speed
///
/// Costs are metres of flat good path. The grade is that of the whole edge: its loss in the
/// direction of travel over its length. The duration is Naismith's rule in the form that Scarf
/// (2007) gave it: climb as an equivalent distance.
public struct CostProfile: Equatable, Sendable {
  /// Whose rules of access hold.
  public typealias Vehicle = TravelRules.Vehicle

  /// Factors of descent by its grade in percent.
  public struct DescentMultipliers: Equatable, Sendable {
    /// Below 10 %.
    public var below10: Double
    /// From 10 % to below 20 %.
    public var from10: Double
    /// From 20 % to 30 %.
    public var from20: Double
    /// Above 30 %.
    public var above30: Double

    /// The factor of a grade.
    @inline(__always)
    public func callAsFunction(gradePercent: Double) -> Double {
      if gradePercent < 10 { return below10 }
      if gradePercent < 20 { return from10 }
      return gradePercent <= 30 ? from20 : above30
    }

    static let standard = DescentMultipliers(
      below10: RoutingCostConfig.descentMultiplier(gradePercent: 0),
      from10: RoutingCostConfig.descentMultiplier(gradePercent: 10),
      from20: RoutingCostConfig.descentMultiplier(gradePercent: 20),
      above30: RoutingCostConfig.descentMultiplier(gradePercent: 31))
  }

  /// The factor in a table that makes a way impassable.
  public static let impassable = Double.infinity

  /// The name: letters, digits and hyphens.
  public var name: String
  /// Whose rules of access hold.
  public var vehicle: Vehicle
  /// Flat metres that a metre of climb is worth, ≥ 0.
  public var climbFactor: Double
  /// Factors of descent.
  public var descent: DescentMultipliers
  /// Factors of the distance by `surface`, or ``impassable``.
  public var surfaces: [String: Double]
  /// The factor where `surface` is missing or not in ``surfaces``.
  public var unknownSurface: Double
  /// Factors of the distance by `sac_scale`, or ``impassable``; 1 for what is not in it.
  public var sacScale: [String: Double]
  /// Factors of the distance by `highway`, or ``impassable``; 1 for what is not in it. Those
  /// of `via_ferrata`, `ladder` and `assisted_trail` hold for every way with that ``Equipment``,
  /// and it is impassable where they are missing.
  public var highways: [String: Double]
  /// Speed on flat ground in km/h, > 0.
  public var speedKilometresPerHour: Double

  /// Walking, by the numbers of ``RoutingCostConfig``.
  public static let hiking = CostProfile(
    name: RoutingMode.hiking.rawValue, vehicle: .foot,
    climbFactor: RoutingCostConfig.hikingClimbFactor, descent: .standard,
    surfaces: RoutingCostConfig.hikingSurfaceMultipliers,
    unknownSurface: RoutingCostConfig.hikingUnknownSurfaceMultiplier,
    sacScale: RoutingCostConfig.sacScaleMultipliers,
    highways: ["via_ferrata": impassable, "ladder": impassable, "steps": 1.0],
    speedKilometresPerHour: RoutingCostConfig.hikingSpeedKilometresPerHour)

  /// Cycling, by the numbers of ``RoutingCostConfig``.
  public static let cycling = CostProfile(
    name: RoutingMode.cycling.rawValue, vehicle: .bicycle,
    climbFactor: RoutingCostConfig.cyclingClimbFactor, descent: .standard,
    surfaces: RoutingCostConfig.cyclingSurfaceMultipliers,
    unknownSurface: RoutingCostConfig.cyclingUnknownSurfaceMultiplier,
    sacScale: RoutingCostConfig.sacScaleMultipliers.merging([
      "alpine_hiking": impassable, "demanding_alpine_hiking": impassable,
      "difficult_alpine_hiking": impassable,
    ]) { $1 },
    highways: [
      "via_ferrata": impassable, "ladder": impassable, "steps": impassable,
      "corridor": impassable,
    ],
    speedKilometresPerHour: RoutingCostConfig.cyclingSpeedKilometresPerHour)

  /// The profiles that need no file.
  public static let builtIn = [hiking, cycling]

  /// The profile as JSON in one fixed form: equal profiles have equal text, whatever their files
  /// looked like.
  public func canonicalText() throws(CairnError) -> String {
    func table(_ factors: [String: Double]) -> JSONValue {
      .object(factors.mapValues { $0 == Self.impassable ? .text("impassable") : .number($0) })
    }
    let value = JSONValue.object([
      "cairn-profile": 1,
      "name": .text(name),
      "vehicle": .text(vehicle.rawValue),
      "climb-factor": .number(climbFactor),
      "descent": .object([
        "below-10": .number(descent.below10), "from-10": .number(descent.from10),
        "from-20": .number(descent.from20), "above-30": .number(descent.above30),
      ]),
      "surfaces": table(surfaces.merging(["unknown": unknownSurface]) { $1 }),
      "sac-scale": table(sacScale),
      "highways": table(highways),
      "speed-kmh": .number(speedKilometresPerHour),
    ])
    return String(decoding: try encodeJSON(value, pretty: false).dropLast(), as: UTF8.self)
  }

  /// The SHA-256 of ``canonicalText()``.
  public func fingerprint() throws(CairnError) -> String {
    try SHA256Digest.ofText(try canonicalText())
  }
}
