// SPDX-License-Identifier: Apache-2.0

/// The compared attributes of a stretch of a way.
struct WayTraits: Hashable, Sendable {
  var name: String?
  var highway: String?
  var surface: String?
  var grade: String?
  var visibility: String?
  /// The networks of the most important waymarked routes along it, such as `lwn` and `rcn`.
  var footRoute: String?
  var bicycleRoute: String?
  /// Whether the first profile passes it in any direction.
  var isOpen = true

  /// Whether it is for walking or riding rather than driving.
  var isTrail: Bool { highway.map(Self.trails.contains) ?? false }

  static let trails: Set = [
    "path", "footway", "track", "bridleway", "steps", "cycleway", "via_ferrata", "pedestrian",
  ]
}

/// The distinct traits of two networks, so that equal ones have equal numbers.
struct TraitTable: Sendable {
  private(set) var traits: [WayTraits] = []
  private var numbers: [WayTraits: Int32] = [:]

  /// The number of some traits.
  mutating func number(_ wanted: WayTraits) -> Int32 {
    if let known = numbers[wanted] { return known }
    let number = Int32(truncatingIfNeeded: traits.count)
    numbers[wanted] = number
    traits.append(wanted)
    return number
  }

  subscript(_ number: Int32) -> WayTraits { traits[Int(number)] }
}
