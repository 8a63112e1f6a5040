// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnRouting
import TestSupport
import Testing

@Suite("The rest of a route, and a way that leads to it")
struct RouteRestTests {
  private let map: GuidedMap

  init() throws {
    map = try GuidedMap(
      """
      A---B---C---H
          |   |
          G   D---E
      """,
      [.named("ABCH", "One"), .named("BG", "Two"), .named("CDE", "Three")],
      elevations: ["A": 100, "B": 140, "C": 100, "D": 160, "E": 130, "G": 100, "H": 100])
  }

  private func planned(_ from: Character, _ to: Character) throws -> PlannedRoute {
    let route = try map.route(from, to)
    return PlannedRoute.from(
      computedRoute: route, name: "\(from)\(to)", mode: .hiking,
      instructions: try map.instructions(from, to),
      profile: try RoutingEngine(store: map.store).elevationProfile(of: route))
  }

  @Test("distances, turns, time, climb and elevations of the rest are those that lie ahead")
  func rest() throws {
    let route = try planned("A", "E")
    let rest = try #require(route.rest(from: 600))
    #expect(abs(rest.totalDistance - (route.totalDistance - 600)) < 0.001)
    #expect(abs(haversineDistance(rest.startCoordinate, try map.map.coordinate("B")) - 200) < 1)
    #expect(rest.coordinates.first == rest.startCoordinate)
    #expect(rest.endCoordinate == route.endCoordinate)
    #expect(rest.turnInstructions.map(\.direction) == [.right, .arrive])
    #expect(rest.turnInstructions[0].cumulativeDistance.rounded() == 200)
    #expect(rest.elevationGain > 0 && rest.elevationGain < route.elevationGain)
    #expect(rest.elevationLoss > 0 && rest.elevationLoss < route.elevationLoss)
    #expect(rest.estimatedDuration > 0 && rest.estimatedDuration < route.estimatedDuration)
    let last = try #require(rest.elevationProfile?.last)
    #expect(abs(last.distance - rest.totalDistance) < 0.001 && abs(last.elevation - 130) < 1)
  }

  @Test(
    "all of a route is its own rest, and beyond its end one point is left", arguments: [-1, 0, 1e9])
  func ends(_ metres: Double) throws {
    let route = try planned("A", "E")
    let rest = try #require(route.rest(from: metres))
    if metres <= 0 {
      #expect(rest.coordinates == route.coordinates)
      #expect(rest.totalDistance == route.totalDistance)
      #expect(rest.turnInstructions.count == route.turnInstructions.count - 1)
    } else {
      #expect(rest.coordinates.allSatisfy { $0 == route.endCoordinate })
      #expect(rest.totalDistance == 0 && rest.turnInstructions.isEmpty)
    }
  }

  @Test("a way and the rest are one route with the turn between them")
  func joined() throws {
    let (way, route) = (try planned("G", "B"), try planned("A", "E"))
    let whole = way.joined(to: try #require(route.rest(from: 400)))
    #expect(whole.id == way.id && whole.name == way.name)
    #expect(whole.turnInstructions.map(\.direction) == [.start, .right, .right, .arrive])
    #expect(
      whole.turnInstructions.map { $0.cumulativeDistance.rounded() } == [0, 200, 600, 1200])
    #expect(whole.turnInstructions.map { $0.distanceFromPrevious.rounded() } == [0, 200, 400, 600])
    #expect(abs(whole.totalDistance - 1200) < 1)
    #expect(whole.startCoordinate == way.startCoordinate)
    #expect(whole.endCoordinate == route.endCoordinate)
    #expect(zip(whole.coordinates, whole.coordinates.dropFirst()).allSatisfy { $0 != $1 })
    let profile = try #require(whole.elevationProfile)
    #expect(zip(profile, profile.dropFirst()).allSatisfy { $0.distance <= $1.distance })
    // It is followed like any other.
    var guidance = RouteGuidance()
    guidance.start(route: whole)
    #expect(guidance.isNavigating)
    #expect(abs(guidance.remainingDistance - whole.totalDistance) < 1)
  }

  @Test("straight on from a way to the rest, nothing is said")
  func straight() throws {
    let whole = try planned("H", "C").joined(
      to: try #require(try planned("H", "A").rest(from: 400)))
    #expect(whole.turnInstructions.map(\.direction) == [.start, .arrive])
  }

  @Test("a route with a broken line has no rest")
  func broken() throws {
    var route = try planned("A", "E")
    route.coordinates = [Coordinate(latitude: .nan, longitude: 0)]
    #expect(route.rest(from: 10) == nil)
  }
}
