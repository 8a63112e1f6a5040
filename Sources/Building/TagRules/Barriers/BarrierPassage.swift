// SPDX-License-Identifier: Apache-2.0

/// Whether a walker or cyclist gets past a node: a gate, a stile, a fence across the way.
///
/// Nodes without a barrier, fords and lifts are passable. Access tags and times on a node count only
/// if it is neither a crossing nor another `highway=*`, whose tags describe the road that is
/// crossed; a lift, which one has to take, is no road, and is closed while it does not run.
package struct BarrierPassage: Equatable, Sendable {
  /// The class of access past it.
  package let access: AccessClass
  /// The vehicle that wants to pass.
  package let vehicle: Vehicle

  /// Whether it is passable. If not, the way is cut: its two sides are not connected.
  package var isPassable: Bool { access.isPassable(for: vehicle) }

  /// Reads the tags of a node.
  ///
  /// `foot` (`bicycle`, `vehicle`) overrides `access`, and both override the kind of barrier; but
  /// `access` opens neither a locked barrier nor a stile for a bicycle. Without a date, whatever
  /// depends on it is ``AccessClass/uncertain`` and blocks. Hours are those of noon.
  package init(_ tags: TagList, for vehicle: Vehicle, on date: CalendarDate?) {
    self.init(
      TagReader(tags: tags, vehicle: vehicle, judge: ConditionJudge(at: .noon(of: date))))
  }

  /// Reads the tags of a node for a moment: what depends on something that it does not say is
  /// ``AccessClass/uncertain``.
  package init(_ tags: WayTags, for vehicle: Vehicle, at moment: Moment) {
    self.init(TagReader(tags: TagList(tags), vehicle: vehicle, judge: ConditionJudge(at: moment)))
  }

  init(_ reader: TagReader) {
    let (tags, vehicle) = (reader.tags, reader.vehicle)
    self.vehicle = vehicle
    guard let kind = BarrierKind(tags) else {
      let highway = tags["highway"]
      if highway == TagSelection.elevator, Self.isOutOfUse(reader) {
        self.access = .closed
        return
      }
      let isAboutTheRoad =
        highway != TagSelection.elevator && (highway != nil || tags["crossing"] != nil)
      let access =
        isAboutTheRoad ? .open : reader.permission(vehicle.ownKeys + ["access"], otherwise: .open)
      self.access = reader.limitedBySeason(access ?? .open)
      return
    }
    let general = reader.permission(["access"])
    var usual = general ?? kind.usualAccess(for: vehicle)
    // A right of way does not bring a bicycle over a stile.
    if kind == .stile || kind == .obstacle { usual = max(usual, kind.usualAccess(for: vehicle)) }
    // Permission to pass does not open a lock: it stays closed for every profile. Walkers who climb
    // over a stile beside it need no key.
    if Self.isLocked(reader), vehicle != .foot || !BarrierKind.hasStile(tags) { usual = .closed }
    let access = reader.permission(vehicle.ownKeys, otherwise: usual) ?? usual
    self.access = reader.limitedBySeason(access)
  }

  private static func isLocked(_ reader: TagReader) -> Bool {
    reader.possibleValues("locked", otherwise: []).contains { $0.lowercased() == "yes" }
  }

  /// Whether a lift does not run.
  private static func isOutOfUse(_ reader: TagReader) -> Bool {
    isLocked(reader)
      || ["abandoned", "closed", "construction", "disused"].contains {
        reader.tags[$0]?.lowercased() == "yes"
      }
      || HazardRule.isOutOfUse(operationalStatus: reader.tags["operational_status"])
  }
}
