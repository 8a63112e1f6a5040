// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels

/// The parameters of the cost of an edge for one way of travelling.
///
/// With ``CostBase/equivalentDistance``
///
///     cost = (distance × factors + gain × climb factor
///          + loss × climb factor × descent(grade)) × weight
///
/// where `factors` is the product of the factors of the way's tags in the tables below, and the
/// grade is that of the whole edge: its loss in the direction of travel divided by its length. With
/// ``CostBase/time``
///
///     cost = seconds by the time model × its speed on the flat × factors × weight
///
/// Costs are metres of flat good path in both cases. Durations are those of ``timeModel``, times
/// ``timeFactor`` and the ``slowdown`` of the way's tags. The weight is what of that counts in costs:
/// 1 + ``slowdownWeight`` × (slowdown − 1).
package struct CostProfile: Equatable, Sendable {
  /// The vehicle whose access rules apply.
  package typealias Vehicle = CairnTagRules.Vehicle

  /// The quantity that the factors of the tags multiply.
  package enum CostBase: String, Sendable, CaseIterable {
    /// The distance; climb and descent are added as equivalent distances.
    case equivalentDistance = "equivalent-distance"
    /// The time of the edge by the time model, as metres of flat path.
    case time
  }

  /// The treatment of grades contradicted by other tags of the way.
  package enum ContradictedGrades: String, Sendable, CaseIterable {
    /// The value of `sac_scale`.
    case asTagged = "as-tagged"
    /// The result of ``TagRules/SACScale/init(judging:)``.
    case judged
  }

  /// Factors of descent by its grade.
  package typealias DescentMultipliers = CairnTravelModels.DescentMultipliers

  /// The factor in a table that makes a way impassable.
  package static let impassable = Double.infinity

  /// The name: letters, digits and hyphens.
  package var name: String
  /// The purpose of the profile in one line; may be empty.
  package var summary = ""
  /// The vehicle whose access rules apply.
  package var vehicle = Vehicle.foot
  /// The quantity that the factors multiply.
  package var costBase = CostBase.equivalentDistance
  /// The model of durations, and also of costs if ``costBase`` is the time.
  package var timeModel = TimeModel.equivalentDistance
  /// The factor of durations, > 0: above 1 for slow groups. Costs do not depend on it.
  package var timeFactor = 1.0
  /// The spread of people's times, ≥ 0: the standard deviation of the logarithm of the time that one
  /// needs over the time of the profile. Costs do not depend on it.
  package var timeSpread = TimeSpread.usual
  /// Flat metres equivalent to a metre of climb, ≥ 0.
  package var climbFactor = 0.0
  /// The share of the ``slowdown`` in costs, 0 … 1: with 1, a way's cost grows as much as its time.
  package var slowdownWeight = 0.0
  /// Factors of descent.
  package var descent = DescentMultipliers.free
  /// Speed on flat ground in km/h, > 0.
  package var speedKilometresPerHour = RoutingCostConfig.hikingSpeedKilometresPerHour

  /// Factors by `surface`, or ``impassable``.
  package var surfaces: [String: Double] = [:]
  /// Factors by `tracktype` if `surface` is missing or not in ``surfaces``.
  package var tracktypes: [String: Double] = [:]
  /// Factors by `highway` if neither table has the way's tag: a road without `surface` is paved, a
  /// path is not.
  package var unknownSurfaces: [String: Double] = [:]
  /// The factor if none of these tables has the way's tag.
  package var unknownSurface = 1.0
  /// Factors by `sac_scale`, or ``impassable``; 1 for other values, as in the tables below.
  package var sacScale: [String: Double] = [:]
  /// Factors by `highway`, and of ferries as `ferry`. Those of `via_ferrata`, `ladder` and
  /// `assisted_trail` apply to every way with such ``TagRules/Equipment``; equipment that is not in
  /// the table is ``impassable``.
  package var highways: [String: Double] = [:]
  /// Factors of ways below the ground: `road` where cars drive, `path` for all others.
  package var tunnels: [String: Double] = [:]
  /// Factors by `trail_visibility`.
  package var trailVisibility: [String: Double] = [:]
  /// Factors by `smoothness`.
  package var smoothness: [String: Double] = [:]
  /// Factors by `mtb:scale`, `0` to `6`; a sign after the digit (`1+`) is ignored.
  package var mtbScale: [String: Double] = [:]
  /// Factors by the `network` of the most important waymarked route along the way, for walkers or
  /// cyclists depending on the vehicle; `any` for a route of another network, `none` for ways without
  /// a route.
  package var routes: [String: Double] = [:]

  /// Factors by ``TagRules/AccessClass``; other classes have their
  /// ``TagRules/AccessClass/usualFactor(for:)`` or are ``impassable``.
  package var access: [String: Double] = [:]

  /// The slowdowns of ways compared with ``timeModel``.
  package var slowdown = Slowdown()

  /// The hardest `sac_scale` that is passable; nil for all.
  package var maximumSACScale: SACScale?
  /// The treatment of contradicted grades, here and in the tables.
  package var contradictedGrades = ContradictedGrades.asTagged
  /// The hardest `mtb:scale` that is passable, 0 to 6; nil for all.
  package var maximumMTBScale: Int?
  /// The steepest edge that is passable, climb or descent over length in percent; nil for all.
  /// It does not apply to edges shorter than ``EdgeFormula/gradeLimitMinimumMetres``.
  package var maximumGradePercent: Double?

  /// Makes a profile in which every edge that its vehicle may use costs its length.
  package init(name: String) { self.name = name }
}

/// The tag values that tables and limits of profiles accept.
package enum ProfileKeys {
  /// `sac_scale` from the easiest to the hardest.
  static let sacScale = SACScale.allCases.map(\.rawValue)
  /// The values of `surface` in use, by OpenStreetMap's wiki and its statistics; more may appear.
  static let surfaces = [
    "acrylic", "artificial_turf", "asphalt", "bare_rock", "boardwalk", "brick", "bricks", "carpet",
    "cement", "chipseal", "clay", "cobblestone", "cobblestone:flattened", "compacted", "concrete",
    "concrete:lanes", "concrete:plates", "crushed_limestone", "dirt", "earth",
    "fibre_reinforced_polymer_grate", "fine_gravel", "forest", "glass", "granite", "grass",
    "grass_paver", "gravel", "ground", "ice", "laterite", "limestone", "metal", "metal_grid", "mud",
    "mulch", "natural", "pavers", "paved", "paving_stones", "paving_stones:lanes", "pebblestone",
    "plastic", "rock", "rocks", "rocky", "rubber", "salt", "sand", "sandstone", "scree", "sett",
    "shells", "snow", "soil", "stepping_stones", "stone", "stones", "tarmac", "tartan", "tiles",
    "trail", "unhewn_cobblestone", "unknown", "unpaved", "wood", "woodchips",
  ]
  /// `tracktype` from the firmest to the softest.
  static let tracktypes = ["grade1", "grade2", "grade3", "grade4", "grade5"]
  /// `trail_visibility` from the best to the worst.
  static let trailVisibility = ["excellent", "good", "intermediate", "bad", "horrible", "no"]
  /// `smoothness` from the best to the worst.
  static let smoothness = [
    "excellent", "good", "intermediate", "bad", "very_bad", "horrible", "very_horrible",
    "impassable",
  ]
  /// `mtb:scale` from the easiest to the hardest.
  static let mtbScale = (0...6).map { "\($0)" }
  /// `network` from the most important to the least, the key for all others, and that for ways
  /// without a route.
  static let routes = ["iwn", "nwn", "rwn", "lwn", "icn", "ncn", "rcn", "lcn", "any", "none"]
  /// Tunnels of roads, and of other ways.
  static let tunnels = ["road", "path"]
  /// The values of `highway` where cars drive.
  package static let roads: Set<String> = [
    "living_street", "primary", "primary_link", "residential", "road", "secondary",
    "secondary_link", "service", "tertiary", "tertiary_link", "trunk", "trunk_link", "unclassified",
  ]
  /// The values of `highway` of ways that are routable by it alone.
  static let ways = TagSelection.routableHighways.sorted()
  /// Classes of access. A closed way is closed for every profile.
  static let access = AccessClass.allCases.filter { $0 != .closed }.map(\.rawValue)
  /// The values of `highway` that a graph may have, and equipment that any way may have.
  static let highways = TagSelection.routableHighways
    .union(TagSelection.connectorHighways)
    .union([TagSelection.ferryRoute])
    .union(Equipment.allCases.map(\.rawValue))
}

extension CostProfile {
  /// The values of `highway` that a graph may have, ferries, and equipment that any way may have.
  package static var knownHighways: Set<String> { ProfileKeys.highways }
  /// The values of `surface` in use; more may appear.
  package static var knownSurfaces: [String] { ProfileKeys.surfaces }
}
