// SPDX-License-Identifier: Apache-2.0

// Which areas may be dangerous or closed is found out tag by tag while an extract is read, so these
// lists let more pass than `HazardRule` does, which decides.
extension TagSelection {
  /// The keys of areas that may be hazards.
  package static let hazardAreaKeys: Set<String> = [
    "boundary", "landuse", "leisure", "natural", "protect_class",
  ]

  /// The values of ``hazardAreaKeys`` that make an area a hazard by themselves.
  package static let hazardAreaValues: Set<String> = dangers.union(HazardRule.tidalGround).union([
    "16", "danger_area", "glacier", "hazard", "military", "range",
  ])

  /// The keys that do so with any value.
  package static let anyHazardAreaKeys: Set<String> = [
    "hazard", "military", "tidal", "wetland",
  ]

  /// The values of ``hazardAreaKeys`` that do so together with a key of ``areaQualifierKeys``.
  package static let qualifiedAreaValues: Set<String> = [
    "national_park", "nature_reserve", "protected_area", "quarry",
  ]

  /// The keys that decide about ``qualifiedAreaValues``.
  package static let areaQualifierKeys = AreaAccess.keys

  /// The value of `type` that makes a relation an area with a boundary of its own.
  package static let boundaryRelationType = "boundary"
}
