// SPDX-License-Identifier: Apache-2.0

/// Special properties of a way: equipment that must be climbed on it, and whether it leaves the
/// ground.
///
/// Each tag contributes independently, so a stage can look up each distinct tag once and unite the
/// kinds of a way's tags.
package struct WayKind: OptionSet, Sendable {
  /// The bits.
  package let rawValue: UInt8

  /// Makes a set of bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `highway=steps`.
  package static let steps = WayKind(rawValue: 1)
  /// `highway=ladder`, or a `ladder` on the way.
  package static let ladder = WayKind(rawValue: 1 << 1)
  /// `highway=via_ferrata`, a `via_ferrata_scale` above 0, or a `cai_scale` of EEA.
  package static let viaFerrata = WayKind(rawValue: 1 << 2)
  /// Rungs or pins in the rock.
  package static let rungs = WayKind(rawValue: 1 << 3)
  /// An `assisted_trail`.
  package static let assistedTrail = WayKind(rawValue: 1 << 4)
  /// A bridge.
  package static let bridge = WayKind(rawValue: 1 << 5)
  /// A tunnel, or anything else below the ground. A passage through a building is on the ground.
  package static let underground = WayKind(rawValue: 1 << 6)
  /// `route=ferry`.
  package static let ferry = WayKind(rawValue: 1 << 7)

  /// The keys that determine the kind of a way.
  package static let keys = [
    "assisted_trail", "bridge", "cai_scale", "highway", "ladder", "location", "route", "rungs",
    "tunnel",
    "via_ferrata_scale",
  ]

  /// The kind of a single tag. `covered=yes` alone does not mean that a way leaves the ground.
  package init(key: String, value: String) {
    switch key {
    case "highway": self.init(highway: value)
    case "cai_scale": self = value.uppercased().hasPrefix("EEA") ? .viaFerrata : []
    case "location": self = value == "underground" ? .underground : []
    case "route": self = value == TagSelection.ferryRoute ? .ferry : []
    case _ where TagDenial.contains(value): self = []
    case "tunnel": self = Self.tunnelsOnTheGround.contains(value) ? [] : .underground
    default: self = Self.byKey[key] ?? []
    }
  }

  /// Values of `tunnel` of ways that do not leave the ground.
  private static let tunnelsOnTheGround: Set<String> = ["building_passage", "culvert"]
  private static let byKey: [String: WayKind] = [
    "assisted_trail": .assistedTrail, "bridge": .bridge, "ladder": .ladder, "rungs": .rungs,
    "via_ferrata_scale": .viaFerrata,
  ]

  /// The kind of a way by where it lies: a gallery, open on one side, stands on the ground.
  package init(ofPlace tags: TagList) {
    self.init(tags)
    if tags["tunnel"] == "avalanche_protector", tags["location"] != "underground" {
      remove(.underground)
    }
  }

  /// The kind of a value of `highway`.
  package init(highway: String) { self = Self.byHighway[highway] ?? [] }

  /// The kind of a way with these tags.
  package init(_ tags: WayTags) { self.init(TagList(tags)) }

  /// The kind of a way with these tags.
  package init(_ tags: TagList) {
    self = []
    for key in Self.keys {
      if let value = tags[key] { formUnion(WayKind(key: key, value: value)) }
    }
  }

  private static let byHighway: [String: WayKind] = [
    "steps": .steps, "ladder": .ladder, "via_ferrata": .viaFerrata,
  ]
}
