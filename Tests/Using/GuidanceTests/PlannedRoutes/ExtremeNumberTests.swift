// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnTracks
import Foundation
import Testing

@testable import CairnGuidance

@Suite("Extreme numbers in planned routes")
struct ExtremeNumberTests {
  private func planned() throws -> PlannedRoute {
    let line = Drawing("E300 N200 E100").line()
    var route = try #require(
      PlannedRoute(
        line: line.enumerated().map { .init(coordinate: $1, elevation: Double($0)) },
        name: "Tour", mode: .hiking))
    route.viaPoints = [line[10]]
    route.viaDistances = [100]
    route.durationRange = DurationRange(p10: 100, p50: 200, p90: 300)
    route.unknownClimbMetres = 10
    let turn = route.turnInstructions[1]
    route.turnInstructions[1].then = [
      FollowingTurn(
        coordinate: turn.coordinate, direction: .left, bearing: 0,
        cumulativeDistance: turn.cumulativeDistance + 5, description: "Turn left")
    ]
    return route
  }

  /// The paths of all numbers in JSON, one element of each array only.
  private func paths(_ value: Any, _ path: [String] = []) -> [[String]] {
    switch value {
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.flatMap { paths($1, path + [$0]) }
    case let list as [Any]: list.indices.prefix(2).flatMap { paths(list[$0], path + ["\($0)"]) }
    case is NSNumber: [path]
    default: []
    }
  }

  private func replaced(_ value: Any, _ path: ArraySlice<String>, _ number: Double) -> Any {
    guard let first = path.first else { return number }
    if var object = value as? [String: Any], let inner = object[first] {
      object[first] = replaced(inner, path.dropFirst(), number)
      return object
    }
    guard var list = value as? [Any], let index = Int(first) else { return value }
    list[index] = replaced(list[index], path.dropFirst(), number)
    return list
  }

  @Test("each number of a route may have any value: it is refused, or followed like others")
  func table() throws {
    let route = try planned()
    let object = try JSONSerialization.jsonObject(with: route.json())
    let numbers = paths(object)
    #expect(Set(numbers.compactMap(\.last)).count > 15, "\(numbers)")
    let values = [
      1e308, -1e308, 1e19, -1e19, 1.01e9, 1e9, -1e9, -5, -0.0, 1e-300, 180, 1e5,
    ]
    for path in numbers {
      for value in values {
        let data = try JSONSerialization.data(
          withJSONObject: replaced(object, path[...], value))
        guard let read = try? PlannedRoute(json: data) else { continue }
        #expect(abs(value) <= 1e9, "\(path) \(value)")
        let again = try PlannedRoute(json: read.json())
        #expect(again == read, "\(path) \(value)")
        var guidance = RouteGuidance()
        guidance.start(route: read)
        for (index, place) in route.coordinates.enumerated() {
          guidance.updateLocation(
            LocationFix(
              latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 5,
              timestamp: Date(timeIntervalSince1970: 1_790_000_000 + Double(index) * 8)))
          let said = [
            guidance.progress, guidance.remainingDistance, guidance.remainingAscent ?? 0,
            guidance.remainingTime ?? 0, guidance.distanceToNextTurn ?? 0,
          ]
          #expect(said.allSatisfy { $0.isFinite && abs($0) < 1e12 }, "\(path) \(value): \(said)")
        }
      }
    }
  }

  @Test("a number that is refused is named with its place")
  func message() throws {
    let object = try JSONSerialization.jsonObject(with: planned().json())
    for path in [["turnInstructions", "1", "cumulativeDistance"], ["durationRange", "p90"]] {
      let data = try JSONSerialization.data(withJSONObject: replaced(object, path[...], 1e308))
      do {
        _ = try PlannedRoute(json: data)
        Issue.record("\(path) was read")
      } catch DecodingError.dataCorrupted(let context) {
        #expect(context.debugDescription.hasPrefix("1e+308 is not a number of metres"))
        #expect(context.codingPath.contains { $0.stringValue == path.last || path.count == 2 })
      }
    }
  }
}
