// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TestSupport
import Testing

@Suite("Coordinates")
struct CoordinateTests {
  @Test(
    "LAT,LON is read as it stands on a command line",
    arguments: [
      ("47.1,10.2", 47.1, 10.2), ("-33.1,-70.2", -33.1, -70.2), (" 47 , 10 ", 47, 10),
      ("90,-180", 90, -180), ("+1e1,0", 10, 0),
    ])
  func readsCommandLine(text: String, latitude: Double, longitude: Double) {
    #expect(
      Coordinate(commandLine: text) == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(
    "anything else is not a place",
    arguments: [
      "", ",", "47", "47,", ",10", "47,10,1", "47;10", "47.1 10.2", "north,10", "91,0", "0,181",
      "nan,0", "0,inf", "47,1x", "4 7,10",
    ])
  func refusesNonsense(text: String) {
    #expect(Coordinate(commandLine: text) == nil)
  }

  @Test("a place survives the way to 10⁻⁷ degrees and back")
  func fixedPointIsNearest() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let place = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let fixed = try #require(FixedCoordinate(place))
      #expect(abs(fixed.degrees.latitude - place.latitude) <= 0.500_001e-7)
      #expect(abs(fixed.degrees.longitude - place.longitude) <= 0.500_001e-7)
      #expect(FixedCoordinate(fixed.degrees) == fixed)
    }
  }

  @Test("a place off the Earth has no fixed form")
  func fixedPointRefusesNonsense() {
    for (latitude, longitude) in [(90.1, 0), (0, -180.1), (.nan, 0), (0, .infinity), (1e300, 0)] {
      #expect(FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude)) == nil)
    }
    #expect(
      FixedCoordinate(Coordinate(latitude: -90, longitude: 180))
        == FixedCoordinate(latitude: -900_000_000, longitude: 1_800_000_000))
  }
}
