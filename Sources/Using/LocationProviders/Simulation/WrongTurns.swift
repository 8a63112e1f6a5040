// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnGuidance

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension WalkSimulator {
  /// A straight wrong turn at an angle to the route in degrees, positive to the right.
  public func wrongTurn(
    at distance: Double, degrees: Double, metres: Double, comesBack: Bool = true
  ) -> WrongTurn {
    let here = line.position(at: distance)
    let start = line.routePosition(here).coordinate
    // The direction of arrival: behind a bend, a mistaken walker continues in it.
    let before = line.routePosition(line.position(at: distance - Self.bearingMetres)).coordinate
    let bearing =
      before == start
      ? BearingCalculator.bearing(
        from: start,
        to: line.routePosition(line.position(at: distance + Self.bearingMetres)).coordinate)
      : BearingCalculator.bearing(from: before, to: start)
    let direction = Direction(degrees: bearing + degrees)
    return WrongTurn(
      distance: distance, line: [start.moved(direction, metres)], comesBack: comesBack)
  }

  /// Straight wrong turns away from the route, at turns or elsewhere. Their distance from the route
  /// is never less than half of the metres walked, as at a fork of 30°.
  ///
  /// - Parameters:
  ///   - count: The most wrong turns; there are fewer if the route leaves no room for them.
  ///   - distance: The distance from the route that each must reach, in metres.
  ///   - spacing: The least distance between two of them, and from the ends of the route, in metres
  ///     along it.
  ///   - turns: The turns of the route, in metres along it. Half of the mistakes are to go straight
  ///     on at one of them, if that leads away.
  public func wrongTurns(
    count: Int, distance: Double = 90, spacing: Double = 400, turns: [Double] = [], seed: UInt64
  ) -> [WrongTurn] {
    var random = SplitMix64(seed: seed)
    var found: [WrongTurn] = []
    for _ in 0..<min(max(count, 0), 1000) * 4 where found.count < count {
      let anywhere = spacing + random.nextShare() * max(length - 2 * spacing, 0)
      let isAtTurn = !turns.isEmpty && random.nextShare() < 0.5
      let along = isAtTurn ? turns[Int(random.next() % UInt64(turns.count))] : anywhere
      let first = isAtTurn ? 0 : random.nextShare() * 360
      guard along >= spacing, along <= length - spacing,
        found.allSatisfy({ abs($0.distance - along) >= spacing })
      else { continue }
      // Golden angles spread evenly over all directions, however many are tried.
      for attempt in 0..<12 {
        let turn = wrongTurn(
          at: along, degrees: first + Double(attempt) * 137.508, metres: 3 * distance)
        guard let end = end(of: turn, distance: distance) else { continue }
        found.append(WrongTurn(distance: along, line: [end]))
        break
      }
    }
    return found.sorted { $0.distance < $1.distance }
  }

  /// The point at which a straight wrong turn reaches a distance from the route; nil if it does not
  /// lead away from it.
  private func end(of turn: WrongTurn, distance: Double) -> Coordinate? {
    guard let target = turn.line.first else { return nil }
    let start = line.routePosition(line.position(at: turn.distance)).coordinate
    let whole = haversineDistance(start, target)
    var walked = Self.probeMetres
    while walked <= whole {
      let point = interpolated(start, target, walked / whole)
      let away = line.closest(to: point)?.distance ?? 0
      guard away >= walked / 2 else { return nil }
      if away >= distance { return point }
      walked += Self.probeMetres
    }
    return nil
  }

  private static let bearingMetres = 10.0
  private static let probeMetres = 5.0
}

/// A direction on the ground.
struct Direction {
  let east: Double
  let north: Double

  init(degrees: Double) {
    let radians = degrees * .pi / 180
    (east, north) = (sin(radians), cos(radians))
  }
}

extension Coordinate {
  func moved(_ direction: Direction, _ metres: Double) -> Coordinate {
    moved(east: direction.east * metres, north: direction.north * metres)
  }
}
