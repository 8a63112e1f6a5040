// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocationProviders
import Foundation
import Testing

/// Routes of which parts lie 15 m apart, or on each other.
enum CloseLegs: String, CaseIterable {
  case switchbacks, outAndBack, parallel

  /// The corners in metres east and north.
  private var corners: [(east: Double, north: Double)] {
    switch self {
    case .switchbacks:
      (0..<20).flatMap { row -> [(east: Double, north: Double)] in
        let (west, east) = ((0.0, 15 * Double(row)), (200.0, 15 * Double(row)))
        return row.isMultiple(of: 2) ? [west, east] : [east, west]
      }
    case .outAndBack: [(0, 0), (1500, 0), (1500, 500), (1500, 0), (0, 0)]
    case .parallel: [(0, 0), (2000, 0), (2000, 400), (2400, 400), (2400, 15), (0, 15)]
    }
  }

  func route() throws -> PlannedRoute {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let line = zip(corners, corners.dropFirst()).flatMap { one, other in
      (0..<20).map { piece in
        let share = Double(piece) / 20
        return PlannedRoute.LinePoint(
          coordinate: Coordinate(
            latitude: 42.5 + (one.north + share * (other.north - one.north)) / metresPerDegree,
            longitude: 1.5 + (one.east + share * (other.east - one.east)) / metresPerDegree
              / longitudeShrinking(atLatitude: 42.5)))
      }
    }
    return try #require(PlannedRoute(line: line, name: rawValue, mode: .hiking))
  }
}

@Suite("Routes of which parts lie beside each other")
struct CloseLegTests {
  private func evaluation(_ legs: CloseLegs, _ deviation: Double) throws -> GuidanceEvaluation {
    var total = GuidanceEvaluation()
    for seed in 1...6 as ClosedRange<UInt64> {
      var simulator = try #require(WalkSimulator(try legs.route()))
      simulator.noise = ReceiverNoise(deviationMetres: deviation)
      simulator.noise.statedAccuracy = 1.5 * deviation
      total.add(EvaluatedWalk(simulator.walk(seed: seed), along: try legs.route()).evaluation)
    }
    return total
  }

  @Test(
    "the position along the route does not leap by 50 m with errors of 7 m",
    arguments: zip(CloseLegs.allCases, [0.5, 0, 0]))
  func usual(_ legs: CloseLegs, _ mostAnHour: Double) throws {
    let total = try evaluation(legs, 5)
    #expect(Double(total.progressLeaps) <= mostAnHour * total.seconds / 3600)
    #expect(total.falseAlarms == 0)
    #expect(total.arrivals == total.ends)
  }

  // Errors as large as the legs are apart: nobody could tell from one fix on which leg they are.
  @Test("and with errors of 14 m once in 45 minutes at most", arguments: CloseLegs.allCases)
  func large(_ legs: CloseLegs) throws {
    let total = try evaluation(legs, 10)
    #expect(Double(total.progressLeaps) <= total.seconds / 2700)
    #expect(total.falseAlarms == 0)
    #expect(total.arrivals == total.ends)
  }
}
