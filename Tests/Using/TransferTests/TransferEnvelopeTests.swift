// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnTransfer
import Foundation
import Testing

@Suite("Envelopes of transfers")
struct TransferEnvelopeTests {
  private static let all: [TransferEnvelope] = [
    .plannedRoute(routeId: testID(1), name: "Krähenjoch"),
    .savedRoute(routeId: testID(2), name: nil),
    .savedRoute(routeId: testID(2), name: "Hike"), .waypoint(testWaypoint(3), thumbnailData: nil),
    .waypoint(testWaypoint(3), thumbnailData: Data([0xFF, 0xD8])), .gpx(name: "Tour"),
    .routingDatabase(regionId: testID(4), name: "West"), .mapTiles(testRegion(4)),
    .availableRegions([testRegion(4), testRegion(5, name: "East")]), .availableRegions([]),
  ]

  @Test("every kind survives a dictionary and JSON", arguments: all)
  func roundTrip(_ envelope: TransferEnvelope) throws {
    #expect(try TransferEnvelope.fromDictionary(envelope.toDictionary()) == envelope)
    let json = try JSONEncoder().encode(envelope)
    #expect(try JSONDecoder().decode(TransferEnvelope.self, from: json) == envelope)
    #expect(envelope.toDictionary()["type"] as? String == envelope.type)
    // The values are those of property lists.
    let list = try PropertyListSerialization.data(
      fromPropertyList: envelope.toDictionary(), format: .binary, options: 0)
    let read = try PropertyListSerialization.propertyList(from: list, options: [], format: nil)
    let dictionary = try #require(read as? [String: Any])
    #expect(try TransferEnvelope.fromDictionary(dictionary) == envelope)
  }

  /// What an app sends that has no library of ours.
  private static let ofOthers: [(type: String, dictionary: [String: any Sendable])] = [
    ("plannedRoute", ["type": "plannedRoute", "routeId": testID(1).uuidString, "name": "R"]),
    ("savedRoute", ["type": "savedRoute", "routeId": testID(1).uuidString]),
    ("gpx", ["type": "gpx", "name": "G"]),
    ("routingdb", ["type": "routingdb", "regionId": testID(1).uuidString, "name": "W"]),
    (
      "mbtiles",
      [
        "type": "mbtiles", "regionId": testID(1).uuidString, "name": "W", "minZoom": 12,
        "maxZoom": 16, "tileCount": 5, "north": 47.5, "south": 47.0, "east": 10.5, "west": 10.0,
        "hasRoutingData": true,
      ]
    ),
    (
      "waypoint",
      [
        "type": "waypoint", "id": testID(1).uuidString, "latitude": 47.5, "longitude": 10.5,
        "timestamp": 1_767_323_045.5, "label": "L", "category": "food", "note": "",
        "hasPhoto": false, "thumbnailData": Data([1]),
      ]
    ),
    (
      "availableRegions",
      [
        "availableRegions": [
          [
            "regionId": testID(1).uuidString, "name": "W", "minZoom": 12, "maxZoom": 16,
            "tileCount": 5, "north": 47.5, "south": 47.0, "east": 10.5, "west": 10.0,
            "hasRoutingData": false,
          ] as [String: any Sendable]
        ]
      ]
    ),
  ]

  @Test("what other apps send is read, and ours has their keys and types", arguments: ofOthers)
  func others(_ other: (type: String, dictionary: [String: any Sendable])) throws {
    let envelope = try TransferEnvelope.fromDictionary(other.dictionary)
    #expect(envelope.type == other.type)
    let ours = envelope.toDictionary()
    for (key, value) in other.dictionary where key != "timestamp" {
      let written = try #require(ours[key], "\(key)")
      if let list = value as? [[String: any Sendable]] {
        let first = try #require((ours[key] as? [[String: Any]])?.first)
        #expect(Set(first.keys) == Set(list[0].keys))
      } else {
        #expect(type(of: written) == type(of: value), "\(key)")
      }
    }
  }

  @Test(
    "an unknown type, another version and bad values are told",
    arguments: [
      (["type": "weather"], .unknownType("weather")), ([:], .noType), (["type": 7], .noType),
      (["type": "gpx", "name": "G", "version": 2], .otherVersion(2)),
      (["type": "gpx", "name": "G", "version": "1"], .badValue(type: "version")),
      (["type": "gpx"], .badValue(type: "gpx")),
      (
        ["type": "plannedRoute", "routeId": "../../x", "name": "R"], .badValue(type: "plannedRoute")
      ),
      (["type": "routingdb", "regionId": "../../etc", "name": "W"], .badValue(type: "routingdb")),
      (["type": "waypoint"], .badValue(type: "waypoint")),
      (["type": "mbtiles", "regionId": testID(1).uuidString], .badValue(type: "mbtiles")),
      (["availableRegions": ["a"]], .badValue(type: "availableRegions")),
      (["availableRegions": [["regionId": "x"]]], .badValue(type: "availableRegions")),
    ] as [([String: any Sendable], TransferEnvelope.Failure)])
  func bad(_ dictionary: [String: any Sendable], _ failure: TransferEnvelope.Failure) {
    #expect(throws: failure) { try TransferEnvelope.fromDictionary(dictionary) }
  }

  @Test("the first version may be named")
  func version() throws {
    let envelope = try TransferEnvelope.fromDictionary(["type": "gpx", "name": "G", "version": 1])
    #expect(envelope == .gpx(name: "G"))
    let json = Data(#"{"type": "gpx", "name": "G", "version": 3}"#.utf8)
    #expect(throws: TransferEnvelope.Failure.otherVersion(3)) {
      try JSONDecoder().decode(TransferEnvelope.self, from: json)
    }
    #expect(throws: TransferEnvelope.Failure.noType) {
      try JSONDecoder().decode(TransferEnvelope.self, from: Data("{}".utf8))
    }
    #expect(throws: TransferEnvelope.Failure.unknownType("weather")) {
      try JSONDecoder().decode(TransferEnvelope.self, from: Data(#"{"type": "weather"}"#.utf8))
    }
  }

  @Test("huge values are refused")
  func huge() throws {
    let name = String(repeating: "x", count: 2000)
    let thumbnail = Data(count: TransferEnvelope.maximumThumbnailBytes + 1)
    let regions = Array(repeating: testRegion(1), count: TransferEnvelope.maximumRegions + 1)
    for envelope: TransferEnvelope in [
      .plannedRoute(routeId: testID(1), name: name), .gpx(name: name),
      .waypoint(testWaypoint(1), thumbnailData: thumbnail), .availableRegions(regions),
      .mapTiles(testRegion(1, name: name)),
      .waypoint(
        testWaypoint(1, label: String(repeating: "x", count: 70_000)), thumbnailData: nil),
    ] {
      #expect(throws: TransferEnvelope.Failure.tooLarge(type: envelope.type)) {
        try TransferEnvelope.fromDictionary(envelope.toDictionary())
      }
    }
  }

  @Test(
    "a region that cannot be is none",
    arguments: [
      ("minZoom", -1), ("minZoom", 20), ("maxZoom", 30), ("tileCount", -1), ("north", 91.0),
      ("south", 48.0), ("east", Double.nan), ("name", 7), ("regionId", "west"),
    ] as [(String, any Sendable)])
  func badRegion(_ key: String, _ value: any Sendable) {
    var dictionary = testRegion(1).toDictionary()
    #expect(TransferRegion.fromDictionary(dictionary) == testRegion(1))
    dictionary[key] = value
    #expect(TransferRegion.fromDictionary(dictionary) == nil)
  }

  @Test("a bundle's region is told as it is")
  func bundle() throws {
    let json = """
      {"id": "\(testID(1).uuidString)", "manifestId": "w", "name": "West", "createdAt": 0,
       "boundingBox": {"north": 47.5, "south": 47, "east": 10.5, "west": 10}, "minZoom": 12,
       "maxZoom": 14, "zoomLevels": [12, 14], "tileCount": 2, "fileSizeBytes": 1,
       "hasRoutingData": true, "routingDbFilename": "w.routing.db"}
      """
    let record = try RegionRecord(json: Data(json.utf8))
    #expect(TransferRegion(record) == testRegion(1))
  }

  @Test("a hike survives JSON, and times of others are read")
  func savedRoute() throws {
    var hike = testHike(1)
    (hike.averageHeartRate, hike.regionId, hike.comment) = (120, testID(9), "nice")
    let text = String(decoding: try hike.json(), as: UTF8.self)
    #expect(text.contains(#""trackData" : "AQID""#) && text.contains(#""2026-01-02T03:04:05Z""#))
    #expect(try SavedRoute(json: Data(text.utf8)) == hike)
    let parts = text.replacing("03:04:05Z", with: "03:04:05.000Z")
    #expect(try SavedRoute(json: Data(parts.utf8)) == hike)
    for (old, new) in [("47.1", "97.1"), ("\"id\"", "\"i\""), ("AQID", "*"), ("2026-01-02", "day")]
    {
      #expect(throws: DecodingError.self) {
        try SavedRoute(json: Data(text.replacing(old, with: new).utf8))
      }
    }
  }

  @Test("messages are read and answered")
  func messages() {
    #expect(TransferMessage(["action": "ping"]) == .ping)
    #expect(TransferMessage(["action": "dance"]) == nil && TransferMessage([:]) == nil)
    let reply = TransferMessage.ping.reply(at: testTime)
    #expect(reply?["status"] as? String == "ok")
    #expect(reply?["timestamp"] as? Double == 1_767_323_045)
    #expect(TransferMessage.requestRegions.dictionary["action"] as? String == "requestRegions")
    #expect(TransferMessage.requestRegions.reply(at: testTime) == nil)
  }
}
