// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import CairnGuidance

@Suite("Fields that this version does not know")
struct UnknownFieldTests {
  /// A file as a later version may write it, with a field of its own in every object but coordinates.
  private let later = """
    {
      "coordinates": [{"latitude": 47, "longitude": 10}, {"latitude": 47.001, "longitude": 10.002}],
      "createdAt": "2026-09-21T14:13:20Z", "modifiedAt": "2026-09-22T08:00:00Z",
      "cloudKitRecordID": "A-1", "dangers": [{"kind": "ice", "metres": [12.5, 40]}, null, [], {}],
      "elevationGain": 12.5, "elevationLoss": 0,
      "elevationProfile": [
        {"distance": 0, "elevation": 800, "slope": -0.25},
        {"distance": 50.5, "elevation": 812.5}],
      "endCoordinate": {"latitude": 47.001, "longitude": 10.002}, "estimatedDuration": 160.25,
      "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "isShared": true, "mode": "hiking",
      "name": "Tour", "profile": "trail-hiking", "regionId": "7D444840-9DC0-11D1-B245-5FFDCE74FAD2",
      "startCoordinate": {"latitude": 47, "longitude": 10}, "totalDistance": 188.4,
      "turnInstructions": [{
        "bearing": 90.5, "coordinate": {"latitude": 47, "longitude": 10}, "cumulativeDistance": 0,
        "description": "Head east on Höhenweg, then turn left", "direction": "start",
        "distanceFromPrevious": 0, "lanes": {"left": 1}, "trailName": "Höhenweg",
        "then": [{
          "bearing": 0, "coordinate": {"latitude": 47, "longitude": 10.0002},
          "cumulativeDistance": 15.5, "description": "Turn left", "direction": "left",
          "sign": "yellow"}]}],
      "viaDistances": [92.25], "viaPoints": [{"latitude": 47.0005, "longitude": 10.001}],
      "zeros": [0, -1, 0.1, 1e-7, 123456789012345678901234567890, 1e300, 2.5e-200]
    }
    """

  @Test("a file of a later version is read and written without a loss")
  func roundTrip() throws {
    let route = try PlannedRoute(json: Data(later.utf8))
    #expect(route.unknownFields["cloudKitRecordID"] == .string("A-1"))
    #expect(route.unknownFields["isShared"] == .bool(true))
    #expect(route.turnInstructions[0].then.map(\.direction) == [.left])
    #expect(route.turnInstructions[0].then[0].unknownFields["sign"] == .string("yellow"))
    #expect(route.viaDistances == [92.25] && route.profile == "trail-hiking")
    let written = try route.json()
    let before = try #require(
      try JSONSerialization.jsonObject(with: Data(later.utf8)) as? NSDictionary)
    let after = try #require(try JSONSerialization.jsonObject(with: written) as? NSDictionary)
    #expect(before == after)
    #expect(try PlannedRoute(json: written) == route)
    #expect(try PlannedRoute(json: written).json() == written)
  }

  @Test(
    "numbers keep their value",
    arguments: [
      "0", "-1", "0.1", "9007199254740993", "18446744073709551615",
      "123456789012345678901234567890.5", "0.000001234567890123456789",
    ])
  func numbers(_ digits: String) throws {
    let text = later.replacing("\"isShared\": true", with: "\"number\": \(digits)")
    let written = String(decoding: try PlannedRoute(json: Data(text.utf8)).json(), as: UTF8.self)
    #expect(written.contains("\"number\" : \(digits),"), "\(written)")
  }

  @Test(
    "numbers out of the range of decimal digits are those nearest to them",
    arguments: [1e300, 2.5e-200, -1e200])
  func doubles(_ number: Double) throws {
    let text = later.replacing("\"isShared\": true", with: "\"number\": \(number)")
    let route = try PlannedRoute(json: Data(text.utf8))
    #expect(route.unknownFields["number"] == .double(number))
    #expect(try PlannedRoute(json: route.json()) == route)
  }

  @Test("an unknown field cannot take the place of a known one")
  func clash() throws {
    var route = try PlannedRoute(json: Data(later.utf8))
    route.unknownFields["name"] = .string("other")
    route.unknownFields["isShared"] = nil
    #expect(try PlannedRoute(json: route.json()).name == "Tour")
    #expect(!String(decoding: try route.json(), as: UTF8.self).contains("isShared"))
  }

  @Test("what is nested too deeply is refused and not a crash")
  func deep() throws {
    for (depth, isRead) in [(50, true), (150, false), (100_000, false)] {
      let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let text = later.replacing("\"isShared\": true", with: "\"deep\": \(list)")
      if isRead {
        let route = try PlannedRoute(json: Data(text.utf8))
        #expect(try PlannedRoute(json: route.json()) == route)
      } else {
        #expect(throws: DecodingError.self) { try PlannedRoute(json: Data(text.utf8)) }
      }
    }
  }
}
