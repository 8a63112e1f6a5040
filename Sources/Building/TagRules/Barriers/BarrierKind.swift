// SPDX-License-Identifier: Apache-2.0

/// The effect of a barrier on walkers and cyclists, by its kind.
enum BarrierKind {
  /// Passable, or easily opened.
  case passage
  /// Passable on foot, not with a bicycle.
  case stile
  /// Passable on foot; a bicycle is lifted over it.
  case obstacle
  /// Impassable.
  case wall
  /// An unknown value of `barrier`, or `yes`.
  case unknown

  /// The kind of a node's barrier; nil if it has none.
  init?(_ tags: TagList) {
    guard let barrier = tags["barrier"], barrier != "no" else { return nil }
    let kind = Self.byValue[barrier] ?? .unknown
    self =
      switch kind {
      // A fence that cattle hear and people do not see.
      case .wall where barrier == "fence" && Self.audible.contains(tags["sensory"] ?? ""): .passage
      case .wall where Self.hasStile(tags): .stile
      default: kind
      }
  }

  /// Whether there is a stile in or beside the barrier.
  static func hasStile(_ tags: TagList) -> Bool { !["no", nil].contains(tags["stile"]) }

  /// The access of a vehicle that no tag mentions.
  ///
  /// Of an unknown kind is what a mapper met who walked on: it stops no walker.
  func usualAccess(for vehicle: Vehicle) -> AccessClass {
    switch self {
    case .passage: .open
    case .stile: vehicle == .foot ? .open : .closed
    case .obstacle: vehicle == .foot ? .open : .dismount
    case .wall: .closed
    case .unknown: vehicle == .foot ? .open : .uncertain
    }
  }

  private static let audible: Set<String> = ["audible", "audio"]

  private static let byValue: [String: Self] = {
    let words: [(Self, [String])] = [
      (
        .passage,
        [
          "block", "bollard", "border_control", "boulder", "bump_gate", "bus_trap", "cattle_grid",
          "chain", "cycle_barrier", "entrance", "gate", "hampshire_gate", "height_restrictor",
          "kerb", "lift_gate", "log", "motorcycle_barrier", "planter", "rope", "sally_port",
          "sliding_beam", "sliding_gate", "sump_buster", "swing_gate", "toll_booth", "tree",
          "wicket_gate",
        ]
      ),
      (
        .stile,
        [
          "full-height_turnstile", "horse_stile", "kissing_gate", "ladder", "step_over", "stile",
          "turnstile",
        ]
      ),
      (.obstacle, ["debris", "guard_rail", "jersey_barrier", "spikes", "step"]),
      (
        .wall,
        [
          "berm", "cable_barrier", "chain_link", "city_wall", "ditch", "fence", "hedge",
          "hedge_bank", "railing", "retaining_wall", "wall", "wire_fence",
        ]
      ),
    ]
    var table: [String: Self] = [:]
    for (kind, values) in words { for value in values { table[value] = kind } }
    return table
  }()
}
