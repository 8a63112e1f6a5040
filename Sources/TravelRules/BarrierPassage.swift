// SPDX-License-Identifier: Apache-2.0

/// Whether one gets past a node: a gate, a stile, a fence across the way.
///
/// A node without a barrier lets everybody pass. Signs on it count only if it is no crossing and
/// no other `highway=*`, whose tags are about the road that is crossed. Fords let everybody pass.
public struct BarrierPassage: Equatable, Sendable {
  /// What one has to do to get past.
  public enum Effort: String, Sendable, CaseIterable {
    /// Nothing to speak of: a bollard, a cattle grid, an open doorway.
    case none
    /// Something to open and shut, to squeeze through or to walk a bicycle around.
    case gate
    /// Something to climb over.
    case stile
  }

  /// How welcome one is past it.
  public let access: AccessClass
  /// What one has to do; none where one does not get past.
  public let effort: Effort

  /// Whether one gets past. Where not, the way is cut: its two sides do not connect.
  public var isPassable: Bool { access.isPassable }

  /// Reads the tags of a node.
  ///
  /// `foot` (`bicycle`, `vehicle`) overrides `access`, and both override what the kind of barrier
  /// says; but `access` opens neither what is locked nor a stile for a bicycle. A kind that is not
  /// known blocks. Without a date, whatever depends on it is ``AccessClass/uncertain`` and blocks.
  public init(_ tags: WayTags, for vehicle: Vehicle, on date: CalendarDate?) {
    let reader = TagReader(tags: tags, date: date)
    guard let barrier = tags["barrier"], barrier != "no" else {
      let isAboutTheRoad = tags["highway"] != nil || tags["crossing"] != nil
      let access =
        isAboutTheRoad ? .open : reader.permission(vehicle.ownKeys + ["access"], otherwise: .open)
      self.init(reader.limitedBySeason(access ?? .open), .none)
      return
    }
    let kind = Kind(barrier)
    let general = reader.permission(["access"])
    var usual = general ?? kind.usualAccess(for: vehicle)
    // Who may use the way may still be unable to bring a bicycle over a stile.
    if kind == .stile || kind == .turnstile { usual = max(usual, kind.usualAccess(for: vehicle)) }
    // Nor does the owner's leave open a lock: no profile gets past without a key.
    if reader.possibleValues("locked", otherwise: []).contains("yes") { usual = .closed }
    let access = reader.permission(vehicle.ownKeys, otherwise: usual) ?? usual
    self.init(reader.limitedBySeason(access), kind.effort)
  }

  private init(_ access: AccessClass, _ effort: Effort) {
    self.access = access
    self.effort = access.isPassable ? effort : .none
  }

  /// What kinds of barriers have in common.
  private enum Kind {
    /// One goes past without stopping.
    case passage
    /// One stops.
    case gate
    /// A walker climbs over or squeezes through; no bicycle does.
    case stile
    /// A walker passes by turning something; no bicycle does.
    case turnstile
    /// Nobody gets past.
    case wall
    /// Nobody knows what it is.
    case unknown

    init(_ barrier: String) {
      self =
        if Self.passages.contains(barrier) {
          .passage
        } else if Self.gates.contains(barrier) {
          .gate
        } else if Self.stiles.contains(barrier) {
          .stile
        } else if Self.turnstiles.contains(barrier) {
          .turnstile
        } else if Self.walls.contains(barrier) { .wall } else { .unknown }
    }

    private static let passages: Set<String> = [
      "block", "bollard", "border_control", "bump_gate", "bus_trap", "cattle_grid", "chain",
      "entrance", "height_restrictor", "kerb", "log", "motorcycle_barrier", "planter", "rope",
      "sally_port", "sump_buster", "toll_booth", "tree",
    ]
    private static let gates: Set<String> = [
      "cycle_barrier", "gate", "hampshire_gate", "lift_gate", "sliding_beam", "sliding_gate",
      "swing_gate", "wicket_gate",
    ]
    private static let stiles: Set<String> = ["horse_stile", "ladder", "step_over", "stile"]
    private static let turnstiles: Set<String> = [
      "full-height_turnstile", "kissing_gate", "turnstile",
    ]
    private static let walls: Set<String> = [
      "berm", "cable_barrier", "chain_link", "city_wall", "debris", "ditch", "fence",
      "guard_rail", "hedge", "hedge_bank", "jersey_barrier", "railing", "retaining_wall", "spikes",
      "wall", "wire_fence",
    ]

    var effort: Effort {
      switch self {
      case .passage, .wall, .unknown: .none
      case .gate, .turnstile: .gate
      case .stile: .stile
      }
    }

    func usualAccess(for vehicle: Vehicle) -> AccessClass {
      switch self {
      case .passage, .gate: .open
      case .stile, .turnstile: vehicle == .foot ? .open : .closed
      case .wall: .closed
      case .unknown: .uncertain
      }
    }
  }
}
