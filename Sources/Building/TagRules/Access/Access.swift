// SPDX-License-Identifier: Apache-2.0

/// In which directions a way may be travelled; forward is the direction that it is drawn in.
///
/// Of several keys the most specific one wins: `foot:forward`, `foot`, `access:forward`, `access`
/// for walkers; `bicycle`, `vehicle`, `access` for cyclists; each of them for the day, if it has a
/// `:conditional` twin. If several readings remain, the strictest one applies: a
/// closure without a known date may apply today.
///
/// Via ferratas, ladders and the like are not a question of access; see ``Equipment``.
package struct Access: Equatable, Sendable {
  /// The class of access in the direction of the way.
  package var forwardClass: AccessClass
  /// The class of access against it.
  package var backwardClass: AccessClass

  /// Whether its direction may be travelled, unless a profile says otherwise.
  package var forward: Bool { forwardClass.isPassable }
  /// Whether the opposite direction may be travelled, unless a profile says otherwise.
  package var backward: Bool { backwardClass.isPassable }

  /// Closed in both directions.
  package static let none = Access(forwardClass: .closed, backwardClass: .closed)
  /// Open in both directions.
  package static let both = Access(forwardClass: .open, backwardClass: .open)

  /// Makes an access from the classes of both directions.
  package init(forwardClass: AccessClass, backwardClass: AccessClass) {
    self.forwardClass = forwardClass
    self.backwardClass = backwardClass
  }

  /// The access that the tags of a way give.
  ///
  /// - Parameter date: The day for which seasons and conditions are evaluated. Without one,
  /// whatever
  ///   depends on it is ``AccessClass/uncertain``.
  package init(_ tags: WayTags, for vehicle: Vehicle, on date: CalendarDate?) {
    let reader = TagReader(tags: tags, date: date)
    if HighwayAccess(tags).isNeverOpen {
      self = .none
      return
    }
    self.init(
      forwardClass: Self.access(reader, vehicle, "forward"),
      backwardClass: Self.access(reader, vehicle, "backward"))
    let oneway = Oneway(reader, vehicle)
    forwardClass = max(forwardClass, oneway.forward)
    backwardClass = max(backwardClass, oneway.backward)
  }

  /// The conditional tags, `seasonal` and `opening_hours` that cannot be read, as `KEY=VALUE`,
  /// sorted. They count as ``AccessClass/uncertain``.
  package static func unreadableConditions(_ tags: WayTags) -> [String] {
    TagReader.unreadable(tags)
  }

  /// The access tags with unknown values, as `KEY=VALUE`, sorted. They count as
  /// ``AccessClass/restricted``.
  package static func unknownValues(_ tags: WayTags) -> [String] { TagReader.unknownValues(tags) }

  private static func access(_ reader: TagReader, _ vehicle: Vehicle, _ direction: String)
    -> AccessClass
  {
    let general = reader.permission(["access"], direction)
    let usual = HighwayAccess(reader.tags).usualAccess(for: vehicle, isAccessSaid: general != nil) {
      // Where a walker may go, a bicycle can be pushed.
      reader.permission(["foot"], direction) ?? general ?? .open
    }
    // `access` can close a way that is open by its kind, but not open one that is closed by its
    // kind: access=yes on a trunk road is about cars.
    let otherwise = usual.map { max($0, general ?? .open) } ?? general ?? .open
    let access = reader.permission(vehicle.ownKeys, direction, otherwise: otherwise) ?? otherwise
    return reader.limitedBySeason(access)
  }
}
