// SPDX-License-Identifier: Apache-2.0
// Finds a hike in a routing database:
//
//   swift run route REGION.routing.db LAT,LON LAT,LON
//
// prints the totals, the line as GeoJSON and the turn-by-turn instructions.
import CairnGuidance
import CairnRouting
import Foundation

/// Reads `47.02484,10.04752`.
func coordinate(_ text: String) -> Coordinate? {
  let degrees = text.split(separator: ",").compactMap { Double($0) }
  guard degrees.count == 2 else { return nil }
  let coordinate = Coordinate(latitude: degrees[0], longitude: degrees[1])
  return coordinate.isValid ? coordinate : nil
}

func printRoute(in path: String, from start: Coordinate, to destination: Coordinate) throws {
  let store = RoutingStore(path: path)
  try store.open()
  defer { store.close() }

  let engine = RoutingEngine(store: store)
  let route = try engine.findRoute(from: start, to: destination, mode: .hiking)

  // Distances are in metres, times in seconds; a cost is in metres of flat, good path.
  print(String(format: "distance %.1f m", route.totalDistance))
  print(String(format: "ascent %.1f m", route.elevationGain))
  print(String(format: "time %.0f min", route.estimatedDuration / 60))
  print(String(format: "cost %.3f", route.totalCost))

  // GeoJSON writes the longitude first.
  let points = route.coordinates.map { String(format: "[%.6f,%.6f]", $0.longitude, $0.latitude) }
  print("{\"type\":\"LineString\",\"coordinates\":[\(points.joined(separator: ","))]}")

  // What each edge costs: by the profile that the route was found with, or by any other.
  let profile = try store.profileName(for: .hiking)
  for edge in route.edges.prefix(3) {
    guard let row = try store.getEdge(edge.id, profile: profile) else { continue }
    let seconds = row.duration.map { String(format: "%.0f s", $0) } ?? "closed"
    let costs = String(format: "cost %.1f, back %.1f", row.cost, row.reverseCost)
    print("edge \(row.id): \(costs), \(seconds)")
  }

  for instruction in try TurnInstructionGenerator.generate(from: route, in: store).prefix(5) {
    let kilometres = String(format: "%.2f", instruction.cumulativeDistance / 1000)
    print("after \(kilometres) km: \(instruction.description)")
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let path = arguments.first,
  let start = coordinate(arguments[2]), let destination = coordinate(arguments[3])
else {
  print("usage: route REGION.routing.db LAT,LON LAT,LON")
  exit(64)
}
do {
  try printRoute(in: path, from: start, to: destination)
} catch let error as RoutingError {
  // Errors are LocalizedErrors: an app shows these texts in an alert.
  let texts = [error.errorDescription, error.failureReason, error.recoverySuggestion]
  print(texts.compactMap { $0 }.joined(separator: " "))
  exit(1)
}
