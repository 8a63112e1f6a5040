// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("A matrix of routes")
struct MatrixTests {
  private let map = AsciiMap(
    """
    A---b---C---D
    |       |
    E---F---G   H---I
    """,
    ways: [
      .init("AbC", tags: ["highway": "path", "oneway": "yes", "oneway:foot": "yes"]),
      .init("CD", tags: ["highway": "path", "surface": "mud"]), .init("AE"),
      .init("EFG", tags: ["highway": "steps"]), .init("CG"), .init("HI"),
    ], nodeTags: ["F": ["barrier": "gate"]],
    elevations: ["A": 500, "b": 540, "C": 510, "D": 700, "E": 500, "F": 505, "G": 520])

  @Test("every cell equals the value of a single route", arguments: RouteMeasure.allCases)
  func equalsRoutes(measure: RouteMeasure) throws {
    let routed = try RoutedMap(map)
    var points = try "ACDEFGHI".map { try map.coordinate($0) }
    for letter in "AbCE" {
      points.append(try routed.point(letter, east: 37, north: 12))
      points.append(try routed.point(letter, east: 61, north: -8))
    }
    points.append(Coordinate(latitude: 0, longitude: 0))
    let network = try RoadNetwork(reading: routed.store)
    for mode in RoutingMode.allCases {
      let graph = try ProfileGraph(network, profile: mode.rawValue, reading: routed.store)
      let matrix = try RouteMatrix(graph, to: points, measure: measure, mode: mode)
      #expect(matrix.count == points.count)
      #expect(matrix.unsnappedDestinationCount == 1)
      var routes = 0
      let worker = SearchWorker(graph)
      let stops = points.map { graph.matrixStop(at: $0, radiusMetres: 500) }
      for (index, start) in points.enumerated() {
        let row = try matrix.row(from: start)
        #expect(row.count == points.count)
        for (goal, cell) in zip(stops, row) {
          var route: ComputedRoute?
          if var from = stops[index], var goal {
            let ends = (from.coordinate, goal.coordinate)
            from.dropFar(from: [ends.1])
            goal.dropFar(from: [ends.0])
            route = try? worker.findRoute(
              through: [from, goal], radiusMetres: 500, rules: SearchRules(), mode: mode
            ).route
          }
          let expected = route.map {
            switch measure {
            case .cost: $0.totalCost
            case .seconds: $0.estimatedDuration
            case .metres: $0.totalDistance
            }
          }
          let found = cell ?? -1
          #expect(found.isAbout(expected ?? -1), "\(mode) \(index) to \(String(describing: goal))")
          if route != nil { routes += 1 }
        }
      }
      #expect(routes > 60 && routes < points.count * points.count)
    }
  }

  @Test("on random networks every cell costs what Dijkstra finds, or is empty")
  func equalsDijkstra() throws {
    for seed in 200..<240 as Range<UInt64> {
      let network = try RandomNetwork(seed: seed)
      let graph = try ProfileGraph(
        RoadNetwork(reading: network.store), profile: nil, reading: network.store)
      let reference = try ReferenceGraph(network.store, profile: nil)
      var random = SeededGenerator(seed: seed)
      let points = (0..<20).map { _ in
        Coordinate(
          latitude: Double.random(in: 42...42.05, using: &random),
          longitude: Double.random(in: 1...1.05, using: &random))
      }
      let matrix = try RouteMatrix(graph, to: points, measure: .cost, radiusMetres: 2000)
      for (index, start) in points.enumerated() {
        let row = try matrix.row(from: start)
        let from = graph.nearestPoint(to: start, radiusMetres: 2000)
        for (goal, cell) in zip(points, row) {
          let to = graph.nearestPoint(to: goal, radiusMetres: 2000)
          var expected: Double?
          if let from, let to { expected = reference.cost(from: from, to: to) }
          let found = cell ?? -1
          #expect(found.isAbout(expected ?? -1), "seed \(seed), \(index) to \(goal)")
        }
      }
    }
  }
}

extension Double {
  /// Whether it is the same cost but for rounding.
  fileprivate func isAbout(_ other: Double) -> Bool {
    self == other || abs(self - other) <= 1e-9 * abs(other)
  }
}
