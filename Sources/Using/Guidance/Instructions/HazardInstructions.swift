// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The warnings of a route announced where they begin, in the order of travel.
struct HazardInstructions {
  /// Hazards already announced as something to climb or cross; see ``WayFeature``.
  private static let features: Set<HazardKind> = [.equipment, .ferry, .ford, .viaFerrata]

  private var warnings: ArraySlice<RouteWarning>
  private let line: [Coordinate]
  /// Metres along the route to each point of the line.
  private let distances: [Double]
  private var point = 0

  init(_ route: ComputedRoute) {
    warnings = route.warnings.filter(Self.isTold)[...]
    line = route.coordinates
    // The lengths of edges are rounded in the database.
    var length = 0.0
    var lengths = [0.0]
    for (start, end) in zip(line, line.dropFirst()) {
      length += haversineDistance(start, end)
      lengths.append(length)
    }
    let scale = length > 0 ? route.totalDistance / length : 0
    distances = lengths.map { $0 * scale }
  }

  /// Whether a warning is announced. Notices are read before setting out, and demands of the way
  /// are announced as features.
  private static func isTold(_ warning: RouteWarning) -> Bool {
    let isFeature =
      features.contains(warning.kind) && warning.osm?.hasPrefix("way/") ?? false
    return warning.severity >= .caution && !isFeature
  }

  /// Adds the warnings that begin before a distance. One that begins at a turn follows it, since it
  /// is on the way after the turn.
  mutating func add(before distance: Double, to list: inout InstructionList) {
    while let warning = warnings.first, warning.fromMetres < distance - 0.01 {
      warnings.removeFirst()
      guard line.count > 1 else { continue }
      while point + 2 < line.count, distances[point + 1] <= warning.fromMetres { point += 1 }
      let (start, end) = (line[point], line[point + 1])
      let length = distances[point + 1] - distances[point]
      let share = length > 0 ? min(1, max(0, (warning.fromMetres - distances[point]) / length)) : 0
      let place = Coordinate(
        latitude: start.latitude + share * (end.latitude - start.latitude),
        longitude: start.longitude + share * (end.longitude - start.longitude))
      list.add(warning, at: place, bearing: BearingCalculator.bearing(from: start, to: end))
    }
  }
}
