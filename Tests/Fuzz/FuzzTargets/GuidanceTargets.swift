// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import FoundationEssentials

/// Following planned routes: the JSON of a route, a zero byte, and fixes.
let guidanceTargets: [FuzzTarget] = [
  FuzzTarget("guidance", seeds: { [try guidanceSeed()] }) { bytes in
    let json = bytes.prefix { $0 != 0 }
    let route: PlannedRoute
    do { route = try PlannedRoute(json: Data(json)) } catch is DecodingError { return }
    var guidance = RouteGuidance()
    guidance.start(route: route)
    try expect(guidance.isNavigating, "a route with valid points cannot be followed")
    var arrivals = 0
    var fixes = FixReader(Array(bytes.dropFirst(json.count + 1)), from: route.startCoordinate)
    while let fix = fixes.next() {
      let events = guidance.updateLocation(fix)
      for event in events {
        switch event.kind {
        case .approaching(let index), .atTurn(let index), .atFollowingTurn(let index, _):
          try expect(route.turnInstructions.indices.contains(index), "no instruction \(index)")
          try expect(!guidance.isOffRoute, "a turn is told off the route")
        case .arrived: arrivals += 1
        case .offRoute, .backOnRoute, .reversed, .forward: break
        }
        try expect(event.distanceAlongRoute.isFinite, "a place of \(event.distanceAlongRoute)")
      }
      try expectSense(guidance)
    }
    try expect(arrivals <= 1, "\(arrivals) arrivals")
  }
]

private func expectSense(_ guidance: RouteGuidance) throws {
  try expect((0...1).contains(guidance.progress), "a progress of \(guidance.progress)")
  let numbers: [(String, Double?)] = [
    ("distance", guidance.remainingDistance), ("ascent", guidance.remainingAscent),
    ("time", guidance.remainingTime), ("turn", guidance.distanceToNextTurn),
    ("position", guidance.position?.distanceFromRoute),
  ]
  for (name, number) in numbers {
    guard let number else { continue }
    try expect(number.isFinite && number >= 0, "\(name): \(number)")
  }
}

/// Fixes from bytes: after an even byte relative to the last one, in 7 bytes; after an odd one as three
/// doubles.
private struct FixReader {
  private static let mostFixes = 3000

  private let bytes: [UInt8]
  private var index = 0
  private var count = 0
  private var place: Coordinate
  private var seconds = 1_750_000_000.0

  init(_ bytes: [UInt8], from place: Coordinate) {
    self.bytes = bytes
    self.place = place
  }

  mutating func next() -> LocationFix? {
    guard count < Self.mostFixes, let kind = integer(1) else { return nil }
    count += 1
    if kind % 2 == 1 {
      guard let latitude = integer(8), let longitude = integer(8), let time = integer(8) else {
        return nil
      }
      return LocationFix(
        latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude),
        timestamp: Date(timeIntervalSince1970: Double(bitPattern: time)))
    }
    guard let north = integer(2), let east = integer(2), let time = integer(2),
      let accuracy = integer(1)
    else { return nil }
    // About a decimetre a unit, and half a second.
    place.latitude += Double(Int16(truncatingIfNeeded: north)) * 1e-6
    place.longitude += Double(Int16(truncatingIfNeeded: east)) * 1e-6
    seconds += Double(Int16(truncatingIfNeeded: time)) / 2
    return LocationFix(
      latitude: place.latitude, longitude: place.longitude,
      horizontalAccuracy: accuracy == 0 ? nil : Double(accuracy) - 10,
      timestamp: Date(timeIntervalSince1970: seconds))
  }

  private mutating func integer(_ size: Int) -> UInt64? {
    guard index + size <= bytes.count else { return nil }
    defer { index += size }
    return bytes[index..<index + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A walk along a route with a turn, every ten seconds.
private func guidanceSeed() throws -> [UInt8] {
  let points = (0...60).map { index in
    PlannedRoute.LinePoint(
      coordinate: Coordinate(
        latitude: 42.5 + Double(min(index, 30)) * 1e-4,
        longitude: 1.5 + Double(max(index - 30, 0)) * 1e-4),
      elevation: 1500 + Double(index))
  }
  guard
    let route = PlannedRoute(
      line: points, name: "Seed", mode: .hiking,
      id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      createdAt: Date(timeIntervalSince1970: 1_750_000_000))
  else { return [] }
  let fixes = (0..<60).flatMap { index -> [UInt8] in
    let (north, east): (UInt8, UInt8) = index < 30 ? (100, 0) : (0, 100)
    return [0, north, 0, east, 0, 20, 0, 15]
  }
  return Array(try route.json()) + [0] + fixes
}
