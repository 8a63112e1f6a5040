// SPDX-License-Identifier: Apache-2.0

/// Which ways are paved.
package enum Paving {
  /// The paved values of `surface`.
  package static let surfaces: Set<String> = [
    "paved", "asphalt", "concrete", "concrete:plates", "concrete:lanes", "paving_stones", "sett",
    "cobblestone", "unhewn_cobblestone", "bricks", "chipseal", "metal",
  ]
  /// The values of `highway` that are assumed to be paved if `surface` is missing.
  package static let highways: Set<String> = [
    "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
    "secondary_link", "tertiary", "tertiary_link", "unclassified", "residential", "living_street",
    "pedestrian", "platform", "service", "cycleway",
  ]

  /// Whether a way is paved, by `surface` or, if that is missing, by the kind of road.
  package static func isPaved(highway: String?, surface: String?) -> Bool {
    surface.map(surfaces.contains) ?? highway.map(highways.contains) ?? false
  }
}
