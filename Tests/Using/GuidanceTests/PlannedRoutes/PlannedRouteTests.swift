// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

@testable import CairnGuidance

@Suite("Planned routes")
struct PlannedRouteTests {
  private static let id = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")
  private static let region = UUID(uuidString: "7D444840-9DC0-11D1-B245-5FFDCE74FAD2")
  private static let time = Date(timeIntervalSince1970: 1_790_000_000.7)

  private func planned() throws -> PlannedRoute {
    let map = try GuidedMap(
      """
      A---B---C
          |
          D
      """, [.named("ABC", "Höhenweg"), .init("BD")])
    let route = try map.route("A", "D")
    return PlannedRoute.from(
      computedRoute: route, name: "Tour", mode: .hiking,
      instructions: try map.instructions("A", "D"),
      profile: try RoutingEngine(store: map.store).elevationProfile(of: route),
      regionId: Self.region, id: try #require(Self.id), createdAt: Self.time)
  }

  @Test("the JSON has the fields that apps know, sorted, with dates in ISO 8601")
  func fields() throws {
    let json = try planned().json()
    let object = try #require(
      try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "coordinates", "createdAt", "elevationGain", "elevationLoss", "endCoordinate",
        "estimatedDuration", "id", "mode", "name", "regionId", "startCoordinate",
        "totalDistance", "turnInstructions", "unknownClimbMetres", "viaPoints", "warnings",
      ])
    // Without any elevation, gain and loss are 0, and this says why.
    #expect(object["unknownClimbMetres"] as? Double == object["totalDistance"] as? Double)
    #expect(object["elevationGain"] as? Double == 0)
    #expect(object["createdAt"] as? String == "2026-09-21T14:13:20Z")
    let start = try #require(object["startCoordinate"] as? [String: Double])
    #expect(start == ["latitude": 47, "longitude": 10])
    let text = String(decoding: json, as: UTF8.self)
    let places = try ["\"coordinates\"", "\"createdAt\"", "\"id\"", "\"viaPoints\""].map {
      try #require(text.range(of: $0)).lowerBound
    }
    #expect(places == places.sorted())
    #expect(text.hasSuffix("}\n"))
  }

  @Test("what is written is read again")
  func roundTrip() throws {
    let route = try planned()
    #expect(try PlannedRoute(json: route.json()) == route)
    #expect(try route.json() == planned().json())
  }

  @Test("warnings are written and read; those of kinds that later versions know are left out")
  func warnings() throws {
    var route = try planned()
    #expect(try PlannedRoute(json: route.json()).warnings == route.warnings)
    route.warnings = [
      RouteWarning(
        kind: .ford, severity: .caution, fromMetres: 12.5, toMetres: 12.5, osm: "node/5",
        tag: "ford=yes", text: "ford"),
      RouteWarning(
        kind: .steep, severity: .notice, fromMetres: 20, toMetres: 60, osm: nil, tag: nil,
        text: "steep ascent"),
    ]
    let json = try route.json()
    #expect(try PlannedRoute(json: json).warnings == route.warnings)
    let later = String(decoding: json, as: UTF8.self)
      .replacingOccurrences(of: "\"ford\",\n      \"osm\"", with: "\"x\",\n      \"osm\"")
    try #require(later.contains("\"x\""))
    #expect(try PlannedRoute(json: Data(later.utf8)).warnings?.map(\.kind) == [.steep])
    route.warnings = nil
    #expect(try PlannedRoute(json: route.json()).warnings == nil)
  }

  @Test("a line says how much of it has no elevations")
  func lineClimb() throws {
    func line(_ elevations: [Double?]) throws -> PlannedRoute {
      let points = elevations.enumerated().map { index, elevation in
        PlannedRoute.LinePoint(
          coordinate: Coordinate(latitude: 47 + Double(index) * 0.01, longitude: 10),
          elevation: elevation)
      }
      return try #require(PlannedRoute(line: points, name: "Line", mode: .hiking))
    }
    #expect(try line([500, nil, 600, 700]).unknownClimbMetres == nil)
    let nothing = try line([nil, nil])
    #expect(nothing.unknownClimbMetres == nothing.totalDistance)
    let half = try line([nil, 500, 600])
    #expect(abs((half.unknownClimbMetres ?? 0) - half.totalDistance / 2) < 1)
  }

  @Test(
    "the day of the walk is kept, with its departure",
    arguments: ["2026-12-24", "2026-12-24T08:00"])
  func day(text: String) throws {
    var route = try planned()
    #expect(route.day == nil)
    route.day = TravelDay(text)
    let object = try #require(
      try JSONSerialization.jsonObject(with: route.json()) as? [String: Any])
    #expect(object["accessDate"] as? String == "2026-12-24")
    #expect(object["departure"] as? String == (text.contains("T") ? text : nil))
    #expect(try PlannedRoute(json: route.json()) == route)
    let wrong = String(decoding: try route.json(), as: UTF8.self)
      .replacing("\"accessDate\" : \"2026-12-24\"", with: "\"accessDate\" : \"2026-02-30\"")
    #expect(throws: DecodingError.self) { try PlannedRoute(json: Data(wrong.utf8)) }
    var computed = try GuidedMap("A---B", [.init("AB")]).route("A", "B")
    computed.day = TravelDay(text)
    let made = PlannedRoute.from(computedRoute: computed, name: "Tour", mode: .hiking)
    #expect(made.day?.description == text)
  }

  @Test("a route by its name and mode alone has the instructions of its junctions")
  func junctions() throws {
    // Two ways go on as one where they meet in a bend.
    let map = try GuidedMap(
      """
      A---B
          |
          E
      """, [.init("AB"), .init("BE")])
    for engine in [
      RoutingEngine(store: map.store), try RoutingEngine.inMemory(map.store),
    ] {
      let route = try engine.findRoute(
        from: map.map.coordinate("A"), to: map.map.coordinate("E"), mode: .hiking)
      let made = PlannedRoute.from(computedRoute: route, name: "Tour", mode: .hiking)
      let expected = try TurnInstructionGenerator.generate(
        from: route, in: map.store, profile: map.store.profileName(for: .hiking))
      #expect(made.turnInstructions == expected)
      #expect(made.turnInstructions.map(\.direction) == [.start, .arrive])
      // Routes are equal wherever they come from.
      var other = route
      other.origin.store = nil
      #expect(other == route)
    }
    // A database that is closed by then does not keep a route from being planned.
    let route = try RoutingEngine(store: map.store).findRoute(
      from: map.map.coordinate("A"), to: map.map.coordinate("E"), mode: .hiking)
    map.store.close()
    let made = PlannedRoute.from(computedRoute: route, name: "Tour", mode: .hiking)
    #expect(made.turnInstructions == TurnInstructionGenerator.generate(from: route))
    #expect(made.turnInstructions.map(\.direction) == [.start, .right, .arrive])
  }

  @Test("files without the optional fields are read")
  func oldFiles() throws {
    let route = try planned()
    #expect(route.elevationProfile == nil && route.viaDistances == nil && route.profile == nil)
    #expect(try PlannedRoute(json: route.json()) == route)
  }

  @Test("the region is its UUID or missing, whatever stood there in earlier versions")
  func region() throws {
    let route = try planned()
    let region = try #require(Self.region)
    let text = String(decoding: try route.json(), as: UTF8.self)
    let field = "\"regionId\" : \"\(region.uuidString)\""
    #expect(text.contains(field))
    let old = try PlannedRoute(
      json: Data(text.replacing(field, with: "\"regionId\" : \"1.3,42.3,1.9,42.8\"").utf8))
    #expect(old.regionId == nil && old.isFromMap)
    #expect(old.unknownFields["formerRegionId"] == .string("1.3,42.3,1.9,42.8"))
    let written = String(decoding: try old.json(), as: UTF8.self)
    #expect(!written.contains("\"regionId\"") && written.contains("1.3,42.3,1.9,42.8"))
    #expect(try PlannedRoute(json: old.json()) == old)
  }

  @Test("a route says where it passes its via points")
  func via() throws {
    let map = try GuidedMap(
      """
      A---B---C
          |
          D
      """, [.init("ABC"), .init("BD")])
    let planned = PlannedRoute.from(
      computedRoute: try map.route("A", "C", via: "D"), name: "", mode: .hiking,
      instructions: [], profileName: "hiking", createdAt: Self.time)
    let distances = try #require(planned.viaDistances)
    #expect(distances.map { $0.rounded() } == [600] && planned.profile == "hiking")
    #expect(planned.isFromMap)
    #expect(try PlannedRoute(json: planned.json()) == planned)
  }

  @Test("a computed route becomes a planned one without its database")
  func withoutDatabase() throws {
    let heights: [Character: Float] = ["A": 500, "B": 540, "C": 520, "D": 530]
    let map = try GuidedMap(
      """
      A---B---C
          |
          D
      """, [.init("ABC"), .init("BD")], elevations: heights)
    let route = try map.route("A", "D")
    let planned = PlannedRoute.from(
      computedRoute: route, name: "Tour", mode: .hiking, regionId: Self.region)
    #expect(planned.turnInstructions.map(\.direction) == [.start, .right, .arrive])
    #expect(planned.turnInstructions == TurnInstructionGenerator.generate(from: route))
    #expect(planned.regionId == Self.region)
    let profile = try #require(PlannedRoute.buildElevationProfile(from: route))
    #expect(planned.elevationProfile == profile && profile.count == 3)
    #expect(profile.map { $0.distance.rounded() } == [0, 400, 600])
    #expect(zip(profile, "ABD").allSatisfy { abs($0.elevation - Double(heights[$1] ?? 0)) < 10 })
    let flat = try GuidedMap("A---B", [.init("AB")])
    #expect(PlannedRoute.buildElevationProfile(from: try flat.route("A", "B")) == nil)
  }

  @Test(
    "JSON that is not a planned route is refused",
    arguments: [
      ("\"latitude\" : 47", "\"latitude\" : 147"), ("\"mode\" : \"hiking\"", "\"mode\" : \"fly\""),
      ("\"id\" : \"6F96", "\"id\" : \"zzzz"), ("2026-09-21T", "2026-99-21T"),
      ("\"totalDistance\"", "\"distance\""),
    ])
  func refused(_ old: String, _ new: String) throws {
    let text = String(decoding: try planned().json(), as: UTF8.self)
    #expect(text.contains(old))
    #expect(throws: DecodingError.self) {
      try PlannedRoute(json: Data(text.replacing(old, with: new).utf8))
    }
  }

  @Test("a line becomes a route with turns, climbs and a profile")
  func line() throws {
    let map = AsciiMap("A-----B\n......|\n......C", ways: [])
    let points = try zip("ABC", [500.0, 560, 540]).map {
      PlannedRoute.LinePoint(coordinate: try map.coordinate($0), elevation: $1)
    }
    let route = try #require(
      PlannedRoute(line: points, name: "Tour", mode: .hiking, createdAt: Self.time))
    #expect(route.turnInstructions.map(\.direction) == [.start, .right, .arrive])
    #expect(
      route.turnInstructions.map(\.description)
        == ["Head east", "Turn right", "Arrive at the destination"])
    #expect(abs(route.totalDistance - 800) < 1)
    // Smoothing takes the edge off the top.
    #expect(abs(route.elevationGain - 57) < 1)
    #expect(abs(route.elevationGain - route.elevationLoss - 40) < 1e-9)
    #expect(route.estimatedDuration > 600)
    let profile = try #require(route.elevationProfile)
    let steps = zip(profile, profile.dropFirst()).map { $1.distance - $0.distance }
    #expect(steps.allSatisfy { $0 > 0 && $0 <= 50 })
    #expect(profile.first?.elevation == 500)
    #expect(profile.last?.elevation == 540)
    #expect(PlannedRoute(line: [], name: "", mode: .hiking) == nil)
  }

  @Test("a bend of 30° is told where every turn is, and one of 10° is not")
  func bends() throws {
    // East for 200 m, then 30° to the right, 60° to the left, and 10° to the right, 200 m each.
    var points = [Coordinate(latitude: 47, longitude: 10)]
    for bearing in [90.0, 120, 60, 70] {
      let last = points[points.count - 1]
      points.append(
        Coordinate(
          latitude: last.latitude + 200 * cos(bearing * .pi / 180) / 111_195,
          longitude: last.longitude + 200 * sin(bearing * .pi / 180)
            / (111_195 * cos(47 * .pi / 180))))
    }
    func directions(_ config: TurnInstructionConfig) throws -> [TurnDirection] {
      let line = points.map { PlannedRoute.LinePoint(coordinate: $0) }
      let route = PlannedRoute(line: line, name: "", mode: .hiking, instructions: config)
      return try #require(route).turnInstructions.map(\.direction)
    }
    var config = TurnInstructionConfig()
    #expect(try directions(config) == [.start, .left, .arrive])
    config.announcesEveryTurn = true
    #expect(try directions(config) == [.start, .slightRight, .left, .arrive])
  }

  @Test("a winding line has no turns, a hairpin has one")
  func windings() {
    // A bend of 90 degrees drawn with a point every 10 m on a circle of 100 m.
    let bend = (0...16).map { step -> Coordinate in
      let angle = Double(step) / 16 * .pi / 2
      return Coordinate(
        latitude: 47 + 100 * sin(angle) / 111_195,
        longitude: 10 - 100 * cos(angle) / (111_195 * cos(47 * .pi / 180)))
    }
    #expect(TurnInstructionGenerator.generate(along: bend).count == 2)
    let hairpin = [(47.0, 10.0), (47.001, 10.0), (47.0, 10.0001)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    #expect(TurnInstructionGenerator.generate(along: hairpin).map(\.direction)[1] == .sharpRight)
  }

  @Test("shaking heights do not climb, and gain less loss is the difference of the ends")
  func climb() throws {
    func route(_ elevations: [Double], _ smoothing: ElevationSmoothing) throws -> PlannedRoute {
      let points = elevations.enumerated().map { place, elevation in
        PlannedRoute.LinePoint(
          coordinate: Coordinate(latitude: 47 + Double(place) * 1e-4, longitude: 10),
          elevation: elevation)
      }
      return try #require(
        PlannedRoute(line: points, name: "", mode: .hiking, smoothing: smoothing))
    }
    let shaking = (0..<1000).map { 500 + Double($0 % 2) * 3 }
    let flat = try route(shaking, .standard)
    #expect(flat.elevationGain < 3.001 && flat.elevationLoss == 0)
    // 400 m up and 300 m down within 4.4 km each, shaking all the while.
    let hill = (0...800).map { place -> Double in
      let height = place <= 400 ? Double(place) : 400 - Double(place - 400) * 0.75
      return 500 + height + Double(place % 2) * 3
    }
    let climb = try route(hill, .standard)
    #expect(abs(climb.elevationGain - climb.elevationLoss - 100) < 1e-9)
    #expect(abs(climb.elevationGain - 400) < 5)
    #expect(try route(hill, .none).elevationGain > 1000)
  }
}
