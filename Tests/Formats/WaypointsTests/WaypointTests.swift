// SPDX-License-Identifier: Apache-2.0
import CairnWaypoints
import Foundation
import Testing

/// A waypoint with a fixed id and time.
func testWaypoint(
  _ number: Int = 1, latitude: Double = 47.5, longitude: Double = 10.25, seconds: Double = 0,
  label: String = "Hut", hike: UUID? = nil
) -> Waypoint {
  Waypoint(
    id: UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number)) ?? UUID(),
    latitude: latitude, longitude: longitude, altitude: 1900.5,
    timestamp: Date(timeIntervalSince1970: 1_700_000_000.25 + seconds), label: label,
    category: .shelter, note: "a \"note\"", hikeId: hike)
}

@Suite("Waypoints")
struct WaypointTests {
  @Test("the nine categories have their icons, names and colours")
  func categories() {
    let rows = WaypointCategory.allCases.map {
      [$0.rawValue, $0.iconName, $0.displayName, $0.colorHex]
    }
    #expect(
      rows == [
        ["trailMarker", "signpost.right", "Trail Marker", "4A90D9"],
        ["viewpoint", "eye", "Viewpoint", "8E44AD"],
        ["waterSource", "drop.fill", "Water", "3498DB"],
        ["campsite", "tent", "Campsite", "27AE60"],
        ["danger", "exclamationmark.triangle", "Danger", "E74C3C"],
        ["food", "fork.knife", "Food", "F39C12"], ["shelter", "house", "Shelter", "7F8C8D"],
        ["parking", "car", "Parking", "2C3E50"], ["custom", "mappin", "Custom", "E67E22"],
      ])
  }

  @Test("an unknown category is read as custom")
  func unknownCategory() throws {
    #expect(WaypointCategory(named: "volcano") == .custom)
    let json = Data(#"["volcano", "food"]"#.utf8)
    #expect(try JSONDecoder().decode([WaypointCategory].self, from: json) == [.custom, .food])
  }

  @Test("a waypoint survives JSON and a dictionary")
  func coding() throws {
    let waypoints = [
      testWaypoint(hike: UUID()),
      Waypoint(
        id: UUID(), latitude: -90, longitude: 180, timestamp: Date(timeIntervalSince1970: 0)),
    ]
    for waypoint in waypoints {
      let json = try JSONEncoder().encode(waypoint)
      #expect(try JSONDecoder().decode(Waypoint.self, from: json) == waypoint)
      #expect(Waypoint.fromDictionary(waypoint.toDictionary()) == waypoint)
    }
    #expect(waypoints[0].toDictionary()["timestamp"] as? Double == 1_700_000_000.25)
    #expect(waypoints[1].toDictionary()["altitude"] == nil)
  }

  @Test("a dictionary with seconds or a date as its time is read")
  func otherTimes() {
    var dictionary = testWaypoint().toDictionary()
    dictionary["timestamp"] = 1_700_000_000.25
    #expect(Waypoint.fromDictionary(dictionary) == testWaypoint())
    dictionary["timestamp"] = Date(timeIntervalSince1970: 1_700_000_000.25)
    #expect(Waypoint.fromDictionary(dictionary) == testWaypoint())
  }

  @Test(
    "a dictionary without a valid id, place or time is refused",
    arguments: [
      ("id", "7"), ("latitude", 91.0), ("longitude", Double.nan), ("longitude", "10"),
      ("timestamp", "noon"), ("timestamp", Double.infinity),
    ] as [(String, any Sendable)])
  func badDictionary(_ key: String, _ value: any Sendable) {
    var dictionary = testWaypoint().toDictionary()
    dictionary[key] = value
    #expect(Waypoint.fromDictionary(dictionary) == nil)
    dictionary[key] = nil
    #expect(Waypoint.fromDictionary(dictionary) == nil)
  }

  @Test("a transfer is told apart by its type, as JSON and as a dictionary")
  func envelopes() throws {
    let envelopes = [
      TransferEnvelope.plannedRoute(routeId: UUID(), name: "Krähenjoch"),
      .waypoint(testWaypoint(), thumbnailData: Data([1, 2, 3])),
      .waypoint(testWaypoint(2), thumbnailData: nil),
    ]
    for envelope in envelopes {
      let json = try JSONEncoder().encode(envelope)
      #expect(try JSONDecoder().decode(TransferEnvelope.self, from: json) == envelope)
      #expect(try TransferEnvelope.fromDictionary(envelope.toDictionary()) == envelope)
    }
    let keys = envelopes[1].toDictionary().keys.sorted()
    #expect(
      keys == [
        "altitude", "category", "hasPhoto", "id", "label", "latitude", "longitude", "note",
        "thumbnailData", "timestamp", "type",
      ])
    #expect(envelopes[0].toDictionary()["type"] as? String == "plannedRoute")
  }

  @Test("a transfer of an unknown type is a typed error")
  func unknownType() throws {
    let json = Data(#"{"type": "weather", "id": 1}"#.utf8)
    #expect(throws: TransferEnvelope.Failure.unknownType("weather")) {
      try JSONDecoder().decode(TransferEnvelope.self, from: json)
    }
    #expect(throws: TransferEnvelope.Failure.noType) {
      try JSONDecoder().decode(TransferEnvelope.self, from: Data("{}".utf8))
    }
    #expect(throws: TransferEnvelope.Failure.unknownType("weather")) {
      try TransferEnvelope.fromDictionary(["type": "weather"])
    }
    #expect(throws: TransferEnvelope.Failure.noType) {
      try TransferEnvelope.fromDictionary(["type": 7])
    }
    #expect(throws: TransferEnvelope.Failure.badValue(type: "waypoint")) {
      try TransferEnvelope.fromDictionary(["type": "waypoint"])
    }
  }
}
