// SPDX-License-Identifier: Apache-2.0

// The slowdowns of the built-in profiles.

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
