// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase
import TagRules

// The built-in profiles. `cairn profile show NAME` prints one as a file.

extension CostProfile {
  /// The built-in profiles, the default ones first.
  package static let builtIn = [
    trailHiking, bikeTouring, hiking, shortest, hikingFast, mountainHiking, family, cycling,
    mountainBiking,
  ]

  /// Walking, by the values of ``RoutingCostConfig``.
  package static let hiking = {
    var profile = CostProfile(name: RoutingMode.hiking.rawValue)
    profile.summary = "on foot, by Naismith's rule, surfaces and the SAC scale; roads are as good"
    profile.timeModel = .wanderwege
    profile.slowdown = .walking
    profile.climbFactor = RoutingCostConfig.hikingClimbFactor
    profile.descent = .standard
    profile.speedKilometresPerHour = RoutingCostConfig.hikingSpeedKilometresPerHour
    profile.surfaces = RoutingCostConfig.hikingSurfaceMultipliers
    profile.unknownSurface = RoutingCostConfig.hikingUnknownSurfaceMultiplier
    profile.sacScale = RoutingCostConfig.sacScaleMultipliers
    // A hiker without equipment is never routed over a via ferrata.
    profile.highways = ["via_ferrata": impassable, "ladder": impassable, "steps": 1.0]
    return profile
  }()

  /// The shortest route that a walker may take, whatever the ways are like: a baseline for the
  /// other profiles.
  package static let shortest = {
    var profile = CostProfile(name: "shortest")
    profile.summary = "on foot, the fewest metres that one may walk"
    // Climbing has no cost but still takes time.
    profile.timeModel = .wanderwege
    profile.slowdown = .walking
    // Equipment decides access: nobody passes without it.
    profile.highways = ["via_ferrata": impassable, "ladder": impassable]
    return profile
  }()

  /// The fastest route of a sure-footed walker.
  package static let hikingFast = {
    var profile = CostProfile(name: "hiking-fast")
    profile.summary = "on foot, the least time by Tobler's function, rough ground or not"
    profile.costBase = .time
    profile.timeModel = .tobler
    profile.slowdown = .walking
    // Only what slows everybody down: soft ground and steps.
    profile.surfaces = ["rock": 1.2, "pebblestone": 1.2, "sand": 1.4, "mud": 1.5]
    // Where hands are needed or the path is hard to find, slope alone is not enough.
    profile.sacScale = [
      "demanding_mountain_hiking": 1.1, "alpine_hiking": 1.4, "demanding_alpine_hiking": 2.0,
      "difficult_alpine_hiking": 3.0,
    ]
    profile.trailVisibility = ["bad": 1.1, "horrible": 1.3, "no": 1.5]
    profile.highways = ["via_ferrata": impassable, "ladder": impassable, "steps": 1.2]
    return profile
  }()

  /// Marked mountain paths up to T4, away from roads.
  package static let mountainHiking = {
    var profile = CostProfile(name: "mountain-hiking")
    profile.summary = "on foot, marked mountain paths up to T4, away from roads"
    // The time on the yellow signposts, so detours are weighed as a hiker would weigh them.
    profile.costBase = .time
    profile.timeModel = .wanderwege
    profile.slowdown = .walking
    profile.surfaces = ["asphalt": 1.3, "paved": 1.3, "concrete": 1.3, "sand": 1.4, "mud": 1.4]
    profile.tracktypes = ["grade1": 1.3]
    // T2 and T3 are the aim of such a hike; T4 requires experience, and beyond it is climbing.
    profile.sacScale = ["demanding_mountain_hiking": 1.1, "alpine_hiking": 1.5]
    profile.maximumSACScale = .alpineHiking
    profile.trailVisibility = ["intermediate": 1.1, "bad": 1.4, "horrible": 2.0, "no": 3.0]
    profile.highways = [
      "via_ferrata": impassable, "ladder": impassable, "trunk": 4.0, "trunk_link": 4.0,
      "primary": 3.0, "primary_link": 3.0, "secondary": 2.5, "secondary_link": 2.5,
      "tertiary": 1.8, "tertiary_link": 1.8, "unclassified": 1.4, "residential": 1.3,
      "service": 1.2,
    ]
    // A waymarked route is maintained and easy to follow.
    profile.routes = ["iwn": 0.8, "nwn": 0.8, "rwn": 0.85, "lwn": 0.9, "any": 0.95]
    return profile
  }()

  /// Easy, well visible and not steep, away from cars.
  package static let family = {
    var profile = CostProfile(name: "family")
    profile.summary = "on foot with children: easy, well marked, not steep, away from cars"
    // One and a half times that of a hiker.
    profile.climbFactor = 12
    profile.descent = .standard
    profile.speedKilometresPerHour = 4
    // Short legs and breaks.
    profile.timeModel = .wanderwege
    profile.timeFactor = 1.25
    profile.slowdown = .walking
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
    profile.highways = [
      "via_ferrata": impassable, "ladder": impassable, "trunk": impassable,
      "trunk_link": impassable, "primary": 5.0, "primary_link": 5.0, "secondary": 4.0,
      "secondary_link": 4.0, "tertiary": 2.5, "tertiary_link": 2.5, "unclassified": 1.5,
      "steps": 1.5,
    ]
    profile.routes = ["iwn": 0.85, "nwn": 0.85, "rwn": 0.85, "lwn": 0.85, "any": 0.9]
    return profile
  }()

  /// Cycling, by the values of ``RoutingCostConfig``.
  package static let cycling = {
    var profile = CostProfile(name: RoutingMode.cycling.rawValue)
    profile.summary = "by bicycle, on good surfaces, where climbs are dear"
    profile.vehicle = .bicycle
    profile.climbFactor = RoutingCostConfig.cyclingClimbFactor
    profile.descent = .standard
    profile.speedKilometresPerHour = RoutingCostConfig.cyclingSpeedKilometresPerHour
    profile.timeModel = .bicycle
    profile.slowdown = .cycling
    profile.surfaces = RoutingCostConfig.cyclingSurfaceMultipliers
    profile.unknownSurface = RoutingCostConfig.cyclingUnknownSurfaceMultiplier
    profile.sacScale = RoutingCostConfig.sacScaleMultipliers.merging([
      "alpine_hiking": impassable, "demanding_alpine_hiking": impassable,
      "difficult_alpine_hiking": impassable,
    ]) { $1 }
    profile.highways = [
      "via_ferrata": impassable, "ladder": impassable, "steps": impassable,
      "corridor": impassable,
    ]
    // Mappers use this tag for wheeled vehicles.
    profile.smoothness = ["impassable": impassable]
    return profile
  }()

  /// Tracks and trails up to S2 of the single-trail scale, roads only if there is no alternative.
  package static let mountainBiking = {
    var profile = CostProfile(name: "mountain-biking")
    profile.summary = "by mountain bike: tracks and trails up to S2, roads only between them"
    profile.vehicle = .bicycle
    profile.climbFactor = RoutingCostConfig.cyclingClimbFactor
    profile.descent = .standard
    profile.speedKilometresPerHour = 12
    profile.timeModel = .bicycle
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
    profile.highways = [
      "via_ferrata": impassable, "ladder": impassable, "steps": impassable,
      "corridor": impassable, "trunk": 4.0, "trunk_link": 4.0, "primary": 3.0,
      "primary_link": 3.0, "secondary": 2.0, "secondary_link": 2.0, "tertiary": 1.5,
      "tertiary_link": 1.5, "unclassified": 1.2, "residential": 1.2,
    ]
    profile.routes = ["icn": 0.85, "ncn": 0.85, "rcn": 0.85, "lcn": 0.85, "any": 0.85]
    return profile
  }()
}
