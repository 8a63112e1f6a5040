// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

// The built-in profiles. `cairn profile show NAME` prints one as a file.

extension CostProfile {
  /// The built-in profiles, the default ones first.
  package static let builtIn =
    defaults + [
      hiking, shortest, hikingFast, mountainHiking, family, cycling, mountainBiking,
    ]

  /// The profiles of a manifest that does not name any. Their costs are never below the length: readers of
  /// the core tables rely on that.
  package static let defaults = [trailHiking, bikeTouring]

  /// Hiking on waymarked paths, away from traffic.
  package static let trailHiking = {
    var profile = onFoot(
      "trail-hiking", "on foot, waymarked paths and tracks up to T4, away from traffic and tunnels")
    // The time on the yellow signposts, with all that slows a walker down: no way is cheaper than the
    // time that it takes.
    profile.costBase = .time
    profile.slowdownWeight = 1
    // Published times differ more from that than walkers do from each other.
    profile.timeSpread = 0.25
    // Soft to the feet is good; pavement is not.
    profile.surfaces = [
      "asphalt": 1.25, "concrete": 1.25, "paved": 1.25, "paving_stones": 1.15, "sett": 1.1,
      "cobblestone": 1.15, "grass": 1.05, "rock": 1.1, "pebblestone": 1.1, "sand": 1.3, "mud": 1.5,
    ]
    profile.tracktypes = ["grade1": 1.2, "grade5": 1.1]
    profile.unknownSurfaces = ["cycleway": 1.15, "footway": 1.1, "pedestrian": 1.25]
    for road in ProfileKeys.roads { profile.unknownSurfaces[road] = 1.25 }
    // The cost of grades and visibility beyond their time. T2 is usual for mountain paths; T4
    // requires experience, and beyond it is climbing.
    profile.sacScale = ["demanding_mountain_hiking": 1.2, "alpine_hiking": 2]
    profile.maximumSACScale = .alpineHiking
    profile.contradictedGrades = .judged
    profile.trailVisibility = ["intermediate": 1.05, "bad": 1.3, "horrible": 1.7, "no": 2.2]
    profile.set(highways: [
      "trunk": 4.5, "primary": 2.5, "secondary": 2.25, "tertiary": 2, "unclassified": 1.35,
      "road": 1.4, "residential": 1.25, "service": 1.2, "living_street": 1.1, "cycleway": 1.1,
      "track": 1.05, "bridleway": 1.05, "steps": 1.2, "corridor": 2, "ferry": 1.6,
    ])
    profile.tunnels = ["road": 4]
    // At the best slope one goes down in 0.928 of the time on the flat: 1.08 of that is still the length.
    profile.routes = [
      "iwn": 1.08, "nwn": 1.08, "rwn": 1.08, "lwn": 1.08, "any": 1.19, "none": 1.35,
    ]
    profile.access = ["busy-road": 1.2, "destination": 2, "sidepath": 2.5]
    return profile
  }()

  /// Touring by bicycle with luggage.
  package static let bikeTouring = {
    var profile = byBicycle(
      "bike-touring", "by bicycle with luggage: cycle routes, quiet roads and good surfaces")
    // The extra time for a climb of 8 % compared with the flat, per metre, by the time model.
    profile.climbFactor = 15
    // Rolling down is free until the brakes get hot; steeper ways are walked.
    profile.descent = DescentMultipliers(below10: 0, from10: 0.1, from20: 0.7, above30: 1.5)
    profile.surfaces = [
      "asphalt": 1, "concrete": 1, "paved": 1, "paving_stones": 1.05, "wood": 1.1, "metal": 1.1,
      "compacted": 1.15, "fine_gravel": 1.2, "sett": 1.3, "cobblestone": 1.6, "gravel": 1.6,
      "unpaved": 1.6, "dirt": 1.8, "earth": 1.8, "ground": 1.8, "grass": 2.5, "pebblestone": 2.5,
      "rock": 5, "sand": 5, "mud": 5,
    ]
    profile.tracktypes = [
      "grade1": 1.05, "grade2": 1.3, "grade3": 1.7, "grade4": 2.3, "grade5": 3,
    ]
    profile.unknownSurfaces = [
      "path": 3, "track": 1.8, "bridleway": 2.5, "footway": 1.3, "pedestrian": 1.1,
    ]
    profile.smoothness = [
      "intermediate": 1.1, "bad": 1.4, "very_bad": 2.5, "horrible": 5, "very_horrible": 10,
      "impassable": impassable,
    ]
    // A footpath through mountains is not for luggage, whatever the law says.
    profile.sacScale = [
      "strolling": 1.2, "hiking": 2, "mountain_hiking": 5, "demanding_mountain_hiking": 20,
    ]
    profile.maximumSACScale = .demandingMountainHiking
    profile.mtbScale = ["0": 1.5, "1": 4, "2": 10, "3": 20, "4": 30, "5": 30, "6": 30]
    profile.trailVisibility = ["intermediate": 1.2, "bad": 2, "horrible": 4, "no": 8]
    profile.set(highways: [
      "trunk": 3, "primary": 1.9, "secondary": 1.5, "tertiary": 1.2, "unclassified": 1.05,
      "road": 1.2, "residential": 1.1, "service": 1.1, "living_street": 1.1, "track": 1.05,
      "path": 1.8, "bridleway": 1.8, "footway": 1.3, "pedestrian": 1.3, "ferry": 1.3,
    ])
    profile.tunnels = ["road": 2.5]
    profile.routes = ["icn": 1, "ncn": 1, "rcn": 1, "lcn": 1, "any": 1.05, "none": 1.15]
    // A short push is better than a long way round.
    profile.access = ["busy-road": 1.3, "destination": 1.3, "sidepath": 2.5, "dismount": 5]
    return profile
  }()

  /// Walking, by the values of ``RoutingCostConfig``.
  package static let hiking = {
    var profile = onFoot(
      RoutingMode.hiking.rawValue,
      "on foot, by Naismith's rule, surfaces and the SAC scale; roads are as good")
    profile.climbFactor = RoutingCostConfig.hikingClimbFactor
    profile.descent = .standard
    profile.speedKilometresPerHour = RoutingCostConfig.hikingSpeedKilometresPerHour
    profile.surfaces = RoutingCostConfig.hikingSurfaceMultipliers
    profile.unknownSurface = RoutingCostConfig.hikingUnknownSurfaceMultiplier
    profile.sacScale = RoutingCostConfig.sacScaleMultipliers
    profile.set(highways: ["steps": 1])
    return profile
  }()

  /// The shortest route that a walker may take, whatever the ways are like: a baseline for the
  /// other profiles.
  package static let shortest = onFoot(
    "shortest", "on foot, the fewest metres that one may walk")

  /// The fastest route of a sure-footed walker.
  package static let hikingFast = {
    var profile = onFoot(
      "hiking-fast", "on foot, the least time by Tobler's function, rough ground or not")
    profile.costBase = .time
    profile.timeModel = .tobler
    // Only slowdowns for everyone: soft ground and steps.
    profile.surfaces = ["rock": 1.2, "pebblestone": 1.2, "sand": 1.4, "mud": 1.5]
    // Where hands are needed or the path is hard to find, slope alone is not enough.
    profile.sacScale = [
      "demanding_mountain_hiking": 1.1, "alpine_hiking": 1.4, "demanding_alpine_hiking": 2.0,
      "difficult_alpine_hiking": 3.0,
    ]
    profile.trailVisibility = ["bad": 1.1, "horrible": 1.3, "no": 1.5]
    profile.set(highways: ["steps": 1.2])
    return profile
  }()

  /// Marked mountain paths up to T4, away from roads.
  package static let mountainHiking = {
    var profile = onFoot(
      "mountain-hiking", "on foot, marked mountain paths up to T4, away from roads")
    // The time on the yellow signposts, so detours are weighed as a hiker would weigh them.
    profile.costBase = .time
    profile.surfaces = ["asphalt": 1.3, "paved": 1.3, "concrete": 1.3, "sand": 1.4, "mud": 1.4]
    profile.tracktypes = ["grade1": 1.3]
    // T2 and T3 are the aim of such a hike; T4 requires experience, and beyond it is climbing.
    profile.sacScale = ["demanding_mountain_hiking": 1.1, "alpine_hiking": 1.5]
    profile.maximumSACScale = .alpineHiking
    profile.trailVisibility = ["intermediate": 1.1, "bad": 1.4, "horrible": 2.0, "no": 3.0]
    profile.set(highways: [
      "trunk": 4.0, "primary": 3.0, "secondary": 2.5, "tertiary": 1.8, "unclassified": 1.4,
      "residential": 1.3, "service": 1.2,
    ])
    // A waymarked route is maintained and easy to follow.
    profile.routes = ["iwn": 0.8, "nwn": 0.8, "rwn": 0.85, "lwn": 0.9, "any": 0.95]
    profile.access = limitedAccess
    return profile
  }()

  /// Easy, well visible and not steep, away from cars.
  package static let family = {
    var profile = onFoot(
      "family", "on foot with children: easy, well marked, not steep, away from cars")
    // One and a half times that of a hiker.
    profile.climbFactor = 12
    profile.descent = .standard
    profile.speedKilometresPerHour = 4
    // Short legs and breaks.
    profile.timeFactor = 1.25
    profile.surfaces = RoutingCostConfig.hikingSurfaceMultipliers
    profile.tracktypes = [
      "grade1": 1.0, "grade2": 1.1, "grade3": 1.2, "grade4": 1.3, "grade5": 1.5,
    ]
    profile.unknownSurface = RoutingCostConfig.hikingUnknownSurfaceMultiplier
    // From T2 on a fall can have consequences.
    profile.maximumSACScale = .hiking
    profile.maximumGradePercent = 30
    profile.trailVisibility = [
      "intermediate": 1.3, "bad": impassable, "horrible": impassable, "no": impassable,
    ]
    profile.set(highways: [
      "trunk": impassable, "primary": 5.0, "secondary": 4.0, "tertiary": 2.5, "unclassified": 1.5,
      "steps": 1.5,
    ])
    profile.routes = ["iwn": 0.85, "nwn": 0.85, "rwn": 0.85, "lwn": 0.85, "any": 0.9]
    profile.access = limitedAccess
    return profile
  }()

  /// Cycling, by the values of ``RoutingCostConfig``.
  package static let cycling = {
    var profile = byBicycle(
      RoutingMode.cycling.rawValue, "by bicycle, on good surfaces, where climbs are dear")
    profile.surfaces = RoutingCostConfig.cyclingSurfaceMultipliers
    profile.unknownSurface = RoutingCostConfig.cyclingUnknownSurfaceMultiplier
    profile.sacScale = RoutingCostConfig.sacScaleMultipliers.merging([
      "alpine_hiking": impassable, "demanding_alpine_hiking": impassable,
      "difficult_alpine_hiking": impassable,
    ]) { $1 }
    // Mappers use this tag for wheeled vehicles.
    profile.smoothness = ["impassable": impassable]
    return profile
  }()

  /// Tracks and trails up to S2 of the single-trail scale, roads only if there is no alternative.
  package static let mountainBiking = {
    var profile = byBicycle(
      "mountain-biking", "by mountain bike: tracks and trails up to S2, roads only between them")
    profile.speedKilometresPerHour = 12
    profile.slowdown = .mountainBiking
    // Wide tyres: only soft ground is expensive.
    profile.surfaces = ["grass": 1.3, "rock": 1.5, "pebblestone": 1.4, "sand": 3.0, "mud": 2.5]
    profile.tracktypes = ["grade4": 1.1, "grade5": 1.4]
    profile.mtbScale = ["1": 1.1, "2": 1.4]
    profile.maximumMTBScale = 2
    profile.smoothness = ["impassable": impassable]
    // If a path has no mtb:scale, its hiking grade is used instead.
    profile.sacScale = ["mountain_hiking": 1.5, "demanding_mountain_hiking": 3.0]
    profile.maximumSACScale = .demandingMountainHiking
    profile.trailVisibility = ["bad": 1.3, "horrible": 2.0, "no": 3.0]
    profile.set(highways: [
      "trunk": 4.0, "primary": 3.0, "secondary": 2.0, "tertiary": 1.5, "unclassified": 1.2,
      "residential": 1.2,
    ])
    profile.routes = ["icn": 0.85, "ncn": 0.85, "rcn": 0.85, "lcn": 0.85, "any": 0.85]
    return profile
  }()
}

// What they build on.
extension CostProfile {
  /// Without equipment, routes never use a via ferrata or a ladder.
  private static let closedEquipment = ["via_ferrata": impassable, "ladder": impassable]
  /// A way that is advised against, or lies in land that is not open to all, is worth a detour.
  private static let limitedAccess = ["destination": 2.0]

  /// A profile of walkers, by the time on the yellow signposts.
  private static func onFoot(_ name: String, _ summary: String) -> CostProfile {
    var profile = CostProfile(name: name)
    profile.summary = summary
    profile.timeModel = .wanderwege
    profile.slowdown = .walking
    profile.highways = closedEquipment
    return profile
  }

  /// A profile of cyclists, who do not carry their bicycles up steps or through buildings.
  private static func byBicycle(_ name: String, _ summary: String) -> CostProfile {
    var profile = CostProfile(name: name)
    profile.summary = summary
    profile.vehicle = .bicycle
    profile.climbFactor = RoutingCostConfig.cyclingClimbFactor
    profile.descent = .standard
    profile.speedKilometresPerHour = RoutingCostConfig.cyclingSpeedKilometresPerHour
    profile.timeModel = .bicycle
    profile.slowdown = .cycling
    profile.highways = closedEquipment
    profile.set(highways: ["steps": impassable, "corridor": impassable])
    return profile
  }

  /// Changes factors by `highway`; those of roads also apply to their slip roads.
  private mutating func set(highways factors: [String: Double]) {
    highways.merge(factors) { $1 }
    for road in ["trunk", "primary", "secondary", "tertiary"] {
      if let factor = factors[road] { highways[road + "_link"] = factor }
    }
  }
}
