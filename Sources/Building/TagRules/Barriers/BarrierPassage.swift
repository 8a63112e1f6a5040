// SPDX-License-Identifier: Apache-2.0

/// Whether a walker or cyclist gets past a node: a gate, a stile, a fence across the way.
///
/// Nodes without a barrier, and fords, are passable. Access tags on a node count only if it is
/// neither a crossing nor another `highway=*`, whose tags describe the road that is crossed.
package struct BarrierPassage: Equatable, Sendable {
  /// The class of access past it.
  package let access: AccessClass

  /// Whether it is passable. If not, the way is cut: its two sides are not connected.
  package var isPassable: Bool { access.isPassable }

  /// Reads the tags of a node.
  ///
  /// `foot` (`bicycle`, `vehicle`) overrides `access`, and both override the kind of barrier; but
  /// `access` opens neither a locked barrier nor a stile for a bicycle. Unknown kinds block.
  /// Without a date, whatever depends on it is ``AccessClass/uncertain`` and blocks.
  package init(_ tags: WayTags, for vehicle: Vehicle, on date: CalendarDate?) {
    let reader = TagReader(tags: tags, date: date)
    guard let barrier = tags["barrier"], barrier != "no" else {
      let isAboutTheRoad = tags["highway"] != nil || tags["crossing"] != nil
      let access =
        isAboutTheRoad ? .open : reader.permission(vehicle.ownKeys + ["access"], otherwise: .open)
      self.access = reader.limitedBySeason(access ?? .open)
      return
    }
    let kind = Kind(barrier)
    let general = reader.permission(["access"])
    var usual = general ?? kind.usualAccess(for: vehicle)
    // A right of way does not bring a bicycle over a stile.
    if kind == .stile { usual = max(usual, kind.usualAccess(for: vehicle)) }
    // Permission to pass does not open a lock: it stays closed for every profile.
    if reader.possibleValues("locked", otherwise: []).contains("yes") { usual = .closed }
    let access = reader.permission(vehicle.ownKeys, otherwise: usual) ?? usual
    self.access = reader.limitedBySeason(access)
  }

  /// Kinds of barriers.
  private enum Kind {
    /// Passable, or easily opened.
    case passage
    /// Passable on foot, not with a bicycle.
    case stile
    /// Impassable.
    case wall
    /// An unknown value of `barrier`.
    case unknown

    init(_ barrier: String) {
      self =
        if Self.passages.contains(barrier) {
          .passage
        } else if Self.stiles.contains(barrier) {
          .stile
        } else if Self.walls.contains(barrier) { .wall } else { .unknown }
    }

    private static let passages: Set<String> = [
      "block", "bollard", "border_control", "bump_gate", "bus_trap", "cattle_grid", "chain",
      "cycle_barrier", "entrance", "gate", "hampshire_gate", "height_restrictor", "kerb",
      "lift_gate", "log", "motorcycle_barrier", "planter", "rope", "sally_port", "sliding_beam",
      "sliding_gate", "sump_buster", "swing_gate", "toll_booth", "tree", "wicket_gate",
    ]
    private static let stiles: Set<String> = [
      "full-height_turnstile", "horse_stile", "kissing_gate", "ladder", "step_over", "stile",
      "turnstile",
    ]
    private static let walls: Set<String> = [
      "berm", "cable_barrier", "chain_link", "city_wall", "debris", "ditch", "fence",
      "guard_rail", "hedge", "hedge_bank", "jersey_barrier", "railing", "retaining_wall", "spikes",
      "wall", "wire_fence",
    ]

    func usualAccess(for vehicle: Vehicle) -> AccessClass {
      switch self {
      case .passage: .open
      case .stile: vehicle == .foot ? .open : .closed
      case .wall: .closed
      case .unknown: .uncertain
      }
    }
  }
}
