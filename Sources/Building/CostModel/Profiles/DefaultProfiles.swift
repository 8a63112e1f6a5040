// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase
import TagRules

// The profiles of those who do not choose any. Their least factor is 1, that of a good path on a
// waymarked route: readers of the core tables rely on costs that are never below the length.

extension CostProfile {
  /// The profiles of a manifest that does not name any.
  package static let defaults = [trailHiking, bikeTouring]

  /// Hiking on waymarked paths, away from traffic.
  package static let trailHiking = {
    var profile = CostProfile(name: "trail-hiking")
    profile.summary = "on foot, waymarked paths and tracks up to T4, away from traffic and tunnels"
    profile.climbFactor = RoutingCostConfig.hikingClimbFactor
    // What a steeper descent takes longer than a level path by the time model, per metre.
    profile.descent = DescentMultipliers(below10: 0, from10: 0.2, from20: 0.4, above30: 0.8)
    profile.timeModel = .wanderwege
    profile.slowdown = .walking
    // Soft to the feet is good; pavement is not.
    profile.surfaces = [
      "asphalt": 1.25, "concrete": 1.25, "paved": 1.25, "paving_stones": 1.15, "sett": 1.1,
      "cobblestone": 1.15, "grass": 1.05, "rock": 1.1, "pebblestone": 1.1, "sand": 1.3, "mud": 1.5,
    ]
    profile.tracktypes = ["grade1": 1.2, "grade5": 1.1]
    profile.unknownSurfaces = ["cycleway": 1.15, "footway": 1.1, "pedestrian": 1.25]
    for road in ProfileKeys.roads { profile.unknownSurfaces[road] = 1.25 }
    // T2 is what mountain paths are; T4 requires experience, and beyond it is climbing.
    profile.sacScale = [
      "mountain_hiking": 1.05, "demanding_mountain_hiking": 1.3, "alpine_hiking": 2.5,
    ]
    profile.maximumSACScale = .alpineHiking
    profile.trailVisibility = ["intermediate": 1.1, "bad": 1.4, "horrible": 2, "no": 3]
    profile.highways = withLinks([
      "trunk": 4, "primary": 2.5, "secondary": 2, "tertiary": 1.8, "unclassified": 1.35,
      "road": 1.4, "residential": 1.25, "service": 1.2, "living_street": 1.1, "cycleway": 1.1,
      "track": 1.05, "bridleway": 1.05, "steps": 1.2, "corridor": 2, "ferry": 1.5,
      "via_ferrata": impassable, "ladder": impassable,
    ])
    profile.tunnels = ["road": 4]
    profile.routes = ["iwn": 1, "nwn": 1, "rwn": 1, "lwn": 1, "any": 1.1, "none": 1.3]
    profile.access = ["busy-road": 1.2, "destination": 2, "sidepath": 2.5]
    return profile
  }()

  /// Touring by bicycle with luggage.
  package static let bikeTouring = {
    var profile = CostProfile(name: "bike-touring")
    profile.summary = "by bicycle with luggage: cycle routes, quiet roads and good surfaces"
    profile.vehicle = .bicycle
    // What a climb of 8 % takes longer than the flat by the time model, per metre.
    profile.climbFactor = 15
    // Rolling down is free until the brakes get hot; what is steeper is walked.
    profile.descent = DescentMultipliers(below10: 0, from10: 0.1, from20: 0.7, above30: 1.5)
    profile.speedKilometresPerHour = RoutingCostConfig.cyclingSpeedKilometresPerHour
    profile.timeModel = .bicycle
    profile.slowdown = .cycling
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
    profile.highways = withLinks([
      "trunk": 3, "primary": 1.9, "secondary": 1.5, "tertiary": 1.2, "unclassified": 1.05,
      "road": 1.2, "residential": 1.1, "service": 1.1, "living_street": 1.1, "track": 1.05,
      "path": 1.8, "bridleway": 1.8, "footway": 1.3, "pedestrian": 1.3, "ferry": 1.3,
      "steps": impassable, "corridor": impassable, "via_ferrata": impassable,
      "ladder": impassable,
    ])
    profile.tunnels = ["road": 2.5]
    profile.routes = ["icn": 1, "ncn": 1, "rcn": 1, "lcn": 1, "any": 1.05, "none": 1.15]
    // A short push is better than a long way round.
    profile.access = ["busy-road": 1.3, "destination": 1.3, "sidepath": 2.5, "dismount": 5]
    return profile
  }()

  /// Factors of roads that hold for their slip roads, too.
  private static func withLinks(_ highways: [String: Double]) -> [String: Double] {
    var all = highways
    for road in ["trunk", "primary", "secondary", "tertiary"] {
      all[road + "_link"] = highways[road]
    }
    return all
  }
}

extension Slowdown {
  /// Walkers: grades by what they demand; steps by the speed of pedestrians on stairs; ground by
  /// the energy that it takes; pathless ground by Tobler's 0.6.
  package static let walking = {
    var slowdown = Slowdown()
    slowdown.sacScale = [
      "mountain_hiking": 1.2, "demanding_mountain_hiking": 1.4, "alpine_hiking": 1.8,
      "demanding_alpine_hiking": 2.5, "difficult_alpine_hiking": 3.5,
    ]
    slowdown.highways = ["steps": 1.5]
    slowdown.unknownSurfaces = ["path": 1.1, "bridleway": 1.1]
    slowdown.surfaces = [
      "unpaved": 1.1, "ground": 1.1, "dirt": 1.1, "earth": 1.1, "grass": 1.1, "pebblestone": 1.2,
      "rock": 1.2, "sand": 1.4, "mud": 1.4,
    ]
    slowdown.trailVisibility = ["intermediate": 1.1, "bad": 1.25, "horrible": 1.5, "no": 1.65]
    return slowdown
  }()

  /// Bicycles with luggage, relative to smooth asphalt; a bicycle is pushed at a walk.
  package static let cycling = {
    var slowdown = Slowdown()
    slowdown.surfaces = [
      "compacted": 1.1, "fine_gravel": 1.1, "sett": 1.2, "unpaved": 1.3, "gravel": 1.3, "dirt": 1.4,
      "earth": 1.4, "ground": 1.4, "cobblestone": 1.4, "grass": 1.8, "pebblestone": 1.8,
      "rock": 2.5, "sand": 2.5, "mud": 2.5,
    ]
    slowdown.unknownSurfaces = ["path": 1.6, "track": 1.3, "bridleway": 1.8]
    slowdown.tracktypes = ["grade2": 1.15, "grade3": 1.3, "grade4": 1.6, "grade5": 2]
    slowdown.smoothness = [
      "bad": 1.2, "very_bad": 1.5, "horrible": 2, "very_horrible": 3,
    ]
    slowdown.sacScale = [
      "hiking": 1.6, "mountain_hiking": 2.5, "demanding_mountain_hiking": 3.3,
    ]
    slowdown.mtbScale = ["0": 1.3, "1": 1.8, "2": 2.5, "3": 3.3, "4": 3.3, "5": 3.3, "6": 3.3]
    slowdown.highways = ["footway": 1.3, "pedestrian": 1.5]
    slowdown.access = ["dismount": 3.3]
    return slowdown
  }()

  /// Mountain bikes, relative to a good track.
  package static let mountainBiking = {
    var slowdown = Slowdown()
    slowdown.surfaces = ["grass": 1.3, "pebblestone": 1.3, "rock": 1.4, "sand": 2, "mud": 2]
    slowdown.unknownSurfaces = ["path": 1.2, "bridleway": 1.2]
    slowdown.tracktypes = ["grade4": 1.1, "grade5": 1.3]
    slowdown.sacScale = ["mountain_hiking": 1.4, "demanding_mountain_hiking": 2]
    slowdown.mtbScale = ["0": 1.1, "1": 1.3, "2": 1.6, "3": 2.6, "4": 2.6, "5": 2.6, "6": 2.6]
    slowdown.access = ["dismount": 2.6]
    return slowdown
  }()
}
