// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing
import TrailData

@testable import WaypointCollection

@Suite("Waypoints of places")
struct WaypointRowTests {
  @Test("the label is the name, else the number, else what it is")
  func labels() throws {
    let rows = try collect([
      .init(1, ["natural": "peak", "name": "Pic", "alt_name": "Tossal"]),
      .init(2, ["natural": "peak", "loc_name": "Tossal"]),
      .init(3, ["information": "guidepost", "ref": "17"]),
      .init(4, ["natural": "spring"]),
      .init(5, ["hazard": "falling_rocks"]),
    ])
    #expect(rows.map(\.label) == ["Pic", "Tossal", "17", "Spring", "Falling rocks"])
    #expect(rows.map(\.note) == ["Peak", "Peak", "Guidepost", "", ""])
  }

  @Test("the note says what a hiker wants to know, a line each")
  func notes() throws {
    let rows = try collect([
      .init(
        1,
        [
          "tourism": "alpine_hut", "name": "Refugi", "opening_hours": "Jun-Sep", "capacity": "40",
          "winter_room": "yes", "contact:phone": "+376 1", "website": "https://e.x",
          "drinking_water": "no", "seasonal": "summer", "description": "a\nb\u{7}  c",
        ]),
      .init(2, ["natural": "spring", "drinking_water": "no", "intermittent": "yes"]),
    ])
    #expect(
      rows[0].note
        == """
        Mountain hut
        Open: Jun-Sep
        Season: summer
        Capacity: 40
        Winter room
        No drinking water
        Phone: +376 1
        Website: https://e.x
        a b c
        """)
    #expect(rows[1].note == "May run dry\nNot drinking water")
  }

  @Test("the tagged elevation counts up to 100 m from the terrain; more than 30 m are reported")
  func elevations() throws {
    func peak(_ id: Int64, _ ele: String?, _ terrain: Float) -> PointMap.Point {
      var tags = ["natural": "peak", "name": "P\(id)"]
      tags["ele"] = ele
      return PointMap.Point(id, tags, at: 42.5, 1.5 + Double(id) / 100, terrain: terrain)
    }
    let places = try collector([
      peak(1, "2910", 2900), peak(2, "2943", 2900), peak(3, "8547", 2900), peak(4, nil, 2900.04),
      peak(5, "2900", .nan), peak(6, nil, .nan), peak(7, "9547 ft", 2900), peak(8, "2850", 2900),
    ])
    #expect(places.rows.map(\.altitude) == [2910, 2943, 2900, 2900, 2900, nil, 2900, 2850])
    #expect(places.differenceCount == 3)
    let warning = places.warnings.entries.first
    #expect(warning?.kind == "elevation-differs")
    #expect(warning?.count == 3)
    // The worst comes first.
    #expect(
      warning?.examples.first == "P3 (n3) at 42.5,1.53: tagged 5\u{A0}647 m above the terrain")
    #expect(warning?.examples.last == "P2 (n2) at 42.5,1.52: tagged 43 m above the terrain")
  }

  @Test("points of one kind and name within 100 m are one place, the one with the most tags")
  func duplicates() throws {
    let hut = ["tourism": "alpine_hut", "name": "Refugi"]
    let places = try collector([
      .init(1, hut),
      .init(
        2, hut.merging(["capacity": "20", "phone": "1"]) { $1 }, type: .way, at: 42.5005, 1.5003),
      .init(3, hut, at: 42.502),
      .init(4, ["amenity": "shelter", "name": "Refugi"]),
      .init(5, ["natural": "spring"]), .init(6, ["natural": "spring"], at: 42.50001),
    ])
    // The shelter is the hut.
    #expect(places.rows.map(\.object) == ["n3", "n5", "n6", "w2"])
    #expect(places.duplicateCount == 2)
    #expect(places.rows.last?.note.contains("Capacity: 20") == true)
  }

  @Test("a summit without a name beside one with a name is the same, and lends it its elevation")
  func summits() throws {
    let places = try collector([
      .init(1, ["natural": "peak", "ele": "2942", "summit:cross": "yes"], at: 42.5001),
      .init(2, ["natural": "peak", "name": "Pic"]),
      .init(3, ["natural": "peak"], at: 42.501),
    ])
    #expect(places.rows.map(\.object) == ["n2", "n3"])
    #expect(places.rows.first?.altitude == 2942)
  }

  @Test("passes, taps, toilets and shelters without a name beside another one are the same")
  func namelessDoubles() throws {
    let places = try collector([
      .init(1, ["natural": "saddle", "name": "Coll"]),
      .init(2, ["mountain_pass": "yes"], at: 42.5002),
      .init(3, ["amenity": "drinking_water"], at: 42.51),
      .init(4, ["man_made": "water_tap"], at: 42.51015),
      .init(5, ["man_made": "water_tap"], at: 42.5104),
      .init(6, ["amenity": "toilets"], at: 42.52), .init(7, ["amenity": "toilets"], at: 42.5201),
      .init(8, ["amenity": "toilets"], at: 42.5205),
      .init(9, ["tourism": "wilderness_hut", "name": "Refugi"], at: 42.53),
      .init(10, ["amenity": "shelter"], at: 42.5304),
      .init(11, ["amenity": "shelter"], at: 42.531),
    ])
    #expect(
      Set(places.rows.map(\.object)) == ["n1", "n3", "n5", "n6", "n8", "n9", "n11"])
  }

  @Test("signs in buildings are left out, and what is closed or not for drinking says so")
  func flags() throws {
    let rows = try collect([
      .init(1, ["information": "guidepost", "tourism": "information", "level": "-1"]),
      .init(2, ["information": "guidepost", "tourism": "information", "level": "0"]),
      .init(3, ["tourism": "alpine_hut", "name": "A", "opening_hours": "closed"]),
      .init(4, ["tourism": "alpine_hut", "name": "B", "operational_status": "closed"]),
      .init(5, ["natural": "spring", "drinking_water:legal": "no"]),
      .init(6, ["natural": "spring", "potable": "no"]),
      .init(7, ["tourism": "alpine_hut", "name": "C", "building": "ruins"]),
      .init(8, ["tourism": "wilderness_hut", "name": "D", "access": "private"]),
    ])
    #expect(rows.map(\.object) == ["n2", "n3", "n4", "n5", "n6"])
    #expect(rows[1].note.hasPrefix("Mountain hut\nClosed"))
    #expect(rows[2].note.hasPrefix("Mountain hut\nClosed"))
    #expect(rows[3].note == "Not drinking water")
    #expect(rows[4].note == "Not drinking water")
  }

  @Test("a lift says whether walkers may ride it")
  func lifts() throws {
    let rows = try collect([
      .init(1, ["aerialway": "chair_lift"]), .init(2, ["aerialway": "chair_lift", "foot": "yes"]),
      .init(3, ["aerialway": "platter"]), .init(4, ["aerialway": "gondola"]),
    ])
    #expect(rows.map(\.kind) == [.chairLift, .chairLift, .dragLift, .cableCarStation])
    #expect(
      rows.map(\.note) == ["Perhaps not for walkers", "Takes walkers", "Not for walkers", ""])
  }

  @Test("points of one name across the antimeridian and at a pole are found")
  func edgesOfTheMap() throws {
    let peak = ["natural": "peak", "name": "Pic"]
    let across = try collector([
      .init(1, peak, at: 0, 179.9999), .init(2, peak, at: 0, -179.9999),
      .init(3, peak, at: 90, 0), .init(4, peak, at: 89.9999, 170),
    ])
    #expect(across.rows.count == 2)
  }

  @Test("finding duplicates gives what comparing all with all gives", arguments: 0..<20)
  func allPairs(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let points = (1...60).map { id in
      PointMap.Point(
        Int64(id), ["natural": "peak", "name": Bool.random(using: &random) ? "A" : "B"],
        at: 42.5 + Double.random(in: 0...0.01, using: &random),
        1.5 + Double.random(in: 0...0.01, using: &random))
    }
    let places = try collector(points)
    // All have as many tags, so the first one stands for those near it.
    var kept: [PointMap.Point] = []
    for point in points {
      let isNear = kept.contains { other in
        other.tags["name"] == point.tags["name"]
          && metres(point, other) <= PointDuplicates.namedMetres
      }
      if !isNear { kept.append(point) }
    }
    #expect(places.rows.map(\.object) == kept.map { "n\($0.id)" })
  }

  @Test("a very large number of points of one name at one place takes no time")
  func manyDuplicates() throws {
    let points = (1...20_000).map { PointMap.Point(Int64($0), ["natural": "peak", "name": "A"]) }
    #expect(try collector(points).rows.count == 1)
  }

  @Test("ids are UUIDs of version 8 that contain the object, and differ for all objects")
  func ids() {
    #expect(WaypointID.uuid(.node, 1_234_567_890) == "4F534D6E-0000-8000-8000-0000499602D2")
    #expect(WaypointID.uuid(.way, 1) == "4F534D77-0000-8000-8000-000000000001")
    #expect(WaypointID.uuid(.relation, -1) == "4F534D72-0000-8003-BFFF-FFFFFFFFFFFF")
    #expect(WaypointID.uuid(.node, .max) == "4F534D6E-0000-8001-BFFF-FFFFFFFFFFFF")
    for id in [Int64.min, -1, 0, 1, .max] {
      for type in OSMObjectType.allCases {
        #expect(
          UUID(uuidString: WaypointID.uuid(type, id))?.uuidString == WaypointID.uuid(type, id))
      }
    }
  }
}

private func metres(_ left: PointMap.Point, _ right: PointMap.Point) -> Double {
  haversineDistance(
    fixed(left).degrees, fixed(right).degrees)
}

private func fixed(_ point: PointMap.Point) -> FixedCoordinate {
  FixedCoordinate(
    latitude: Int32((point.latitude * 1e7).rounded()),
    longitude: Int32((point.longitude * 1e7).rounded()))
}
