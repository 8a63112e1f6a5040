// SPDX-License-Identifier: Apache-2.0

// Which areas may be dangerous or closed is found out tag by tag while an extract is read, so these
// lists let more pass than `HazardRule` does, which decides.
extension TagSelection {
  /// The keys of areas that may be hazards.
  package static let hazardAreaKeys: Set<String> = [
    "boundary", "hazard", "landuse", "leisure", "military", "natural", "wetland",
  ]

  /// The values of ``hazardAreaKeys`` that make an area a hazard by themselves.
  package static let hazardAreaValues: Set<String> = dangers.union([
    "danger_area", "glacier", "hazard", "mangrove", "minefield", "range", "saltmarsh", "tidalflat",
    "training_area", "unexploded_ordnance",
  ])

  /// The values of ``hazardAreaKeys`` that do so together with a tag of ``areaQualifierKeys``.
  package static let qualifiedAreaValues: Set<String> = [
    "military", "mud", "national_park", "nature_reserve", "protected_area", "wetland",
  ]

  /// The keys whose values decide about ``qualifiedAreaValues``.
  package static let areaQualifierKeys: Set<String> = ["access", "tidal"]

  /// The values of ``areaQualifierKeys`` that count.
  package static let areaQualifiers: Set<String> = ["military", "no", "private", "yes"]

  /// The value of `type` that makes a relation an area with a boundary of its own.
  package static let boundaryRelationType = "boundary"
}
