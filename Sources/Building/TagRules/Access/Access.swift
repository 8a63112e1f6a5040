// SPDX-License-Identifier: Apache-2.0

/// The directions in which a way may be travelled; forward is the direction in which it is drawn.
///
/// Of several keys the most specific one wins: `foot:forward`, `foot`, `access:forward`, `access`
/// for walkers; `bicycle`, `vehicle`, `access` for cyclists; each of them for the day, if it has a
/// `:conditional` twin. If several readings remain, the strictest one applies: a closure without a
/// known date may apply today.
///
/// Two values of `access` are about traffic rather than walkers: `agricultural` and `forestry`, and
/// `no` on a waymarked hiking route that also has `motor_vehicle=no` or `vehicle=no`.
///
/// Via ferratas, ladders and the like are not a question of access; see ``Equipment``.
package struct Access: Equatable, Sendable {
  /// The class of access in the direction of the way.
  package var forwardClass: AccessClass
  /// The class of access against it.
  package var backwardClass: AccessClass
  /// The vehicle whose access it is.
  package let vehicle: Vehicle

  /// Whether its direction may be travelled, unless a profile says otherwise.
  package var forward: Bool { forwardClass.isPassable(for: vehicle) }
  /// Whether the opposite direction may be travelled, unless a profile says otherwise.
  package var backward: Bool { backwardClass.isPassable(for: vehicle) }

  /// The access that the tags of a way give.
  ///
  /// - Parameter date: The day for which seasons and conditions are judged, at noon. Without one,
  ///   whatever depends on it is ``AccessClass/uncertain``.
  package init(_ tags: WayTags, for vehicle: Vehicle, on date: CalendarDate?) {
    self.init(TagList(tags), for: vehicle, on: date)
  }

  /// The access that the tags of a way give at noon.
  package init(_ tags: TagList, for vehicle: Vehicle, on date: CalendarDate?) {
    self.init(
      TagReader(tags: tags, vehicle: vehicle, judge: ConditionJudge(at: .noon(of: date))))
  }

  /// The same class of access in both directions, whatever the tags are.
  package init(everywhere kind: AccessClass, for vehicle: Vehicle) {
    (forwardClass, backwardClass, self.vehicle) = (kind, kind, vehicle)
  }

  init(_ reader: TagReader) {
    let (tags, vehicle) = (reader.tags, reader.vehicle)
    self.vehicle = vehicle
    let highway = HighwayAccess(tags)
    if highway.isNeverOpen {
      (forwardClass, backwardClass) = (.closed, .closed)
      return
    }
    forwardClass = Self.access(reader, highway, "forward")
    // Only keys with a colon name a direction.
    backwardClass = tags.hasColons ? Self.access(reader, highway, "backward") : forwardClass
    let oneway = Oneway(reader, vehicle)
    forwardClass = max(forwardClass, oneway.forward)
    backwardClass = max(backwardClass, oneway.backward)
  }

  /// The conditional tags, `seasonal` and `opening_hours` that cannot be read, as `KEY=VALUE`,
  /// sorted. They count as ``AccessClass/uncertain``.
  package static func unreadableConditions(_ tags: TagList) -> [String] {
    TagReader.unreadable(tags)
  }

  /// The access tags with unknown values, as `KEY=VALUE`, sorted. They count as
  /// ``AccessClass/restricted``.
  package static func unknownValues(_ tags: TagList) -> [String] { TagReader.unknownValues(tags) }

  private static func access(
    _ reader: TagReader, _ highway: HighwayAccess, _ direction: String
  ) -> AccessClass {
    let vehicle = reader.vehicle
    var general = reader.permission(["access"], direction)
    // The route would not be marked where nobody may walk. Still, avoid it where there is a choice.
    if general == .closed, isClosureOfTraffic(reader.tags, for: reader.vehicle) {
      general = .destination
    }
    let usual = highway.usualAccess(for: vehicle, isAccessSaid: general != nil) {
      AreaAccess.limit(reader)
    } walking: {
      // Where a walker may go, a bicycle can be pushed.
      reader.permission(["foot"], direction) ?? general ?? .open
    }
    // `access` can close a way that is open by its kind, but not open one that is closed by its
    // kind: access=yes on a trunk road is about cars.
    let otherwise = usual.map { max($0, general ?? .open) } ?? general ?? .open
    var access = reader.permission(vehicle.ownKeys, direction, otherwise: otherwise) ?? otherwise
    if vehicle == .foot, access == .sidepath { access = highway.walkingBesideSidepath }
    return reader.limitedBySeason(access)
  }

  /// Whether `access=no` repeats a ban on traffic, where a waymarked route leads walkers.
  static func isClosureOfTraffic(_ tags: TagList, for vehicle: Vehicle) -> Bool {
    vehicle == .foot && tags["access"] == "no" && tags[Vehicle.foot.routeKey] != nil
      && ["motor_vehicle", "vehicle"].contains { tags[$0] == "no" }
  }
}
