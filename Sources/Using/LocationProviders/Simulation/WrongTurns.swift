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
  /// A wrong turn straight on in a direction that differs from the route's by some degrees, to the
  /// right where positive.
  public func wrongTurn(
    at distance: Double, degrees: Double, metres: Double, comesBack: Bool = true
  ) -> WrongTurn {
    let here = line.position(at: distance)
    let start = line.routePosition(here).coordinate
    // The direction in which one comes: behind a bend, that is where one goes on by mistake.
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

  /// Wrong turns that lead away from the route, at turns or anywhere else: straight, and so that the
  /// distance from the route is never less than half of the metres walked, as at a fork of 30°.
  ///
  /// - Parameters:
  ///   - count: At most this many; fewer where the route leaves no room for them.
  ///   - distance: How far from the route they lead at least, in metres.
  ///   - spacing: Between two of them, and to the ends of the route, in metres along it.
  ///   - turns: Metres along the route of its turns: half of the walker's mistakes are to go straight
  ///     on at one of them, where that leads away.
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
      // Golden angles spread over all directions, however many are tried.
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

  /// Where a straight wrong turn is that far from the route; nil if it does not lead away from it.
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
