// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGeodesy
import Testing

@Suite("Coordinates")
struct CoordinateTests {
  @Test(
    "LAT,LON is read as given on a command line",
    arguments: [
      ("47.1,10.2", 47.1, 10.2), ("-33.1,-70.2", -33.1, -70.2), (" 47 , 10 ", 47, 10),
      ("90,-180", 90, -180), ("+1e1,0", 10, 0),
    ])
  func readsCommandLine(text: String, latitude: Double, longitude: Double) {
    #expect(
      Coordinate(commandLine: text) == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(
    "anything else is not a coordinate",
    arguments: [
      "", ",", "47", "47,", ",10", "47,10,1", "47;10", "47.1 10.2", "north,10", "91,0", "0,181",
      "nan,0", "nan,nan", "0,inf", "0x1p3,10", "47,0xA", "47,1x", "4 7,10",
    ])
  func refusesNonsense(text: String) {
    #expect(Coordinate(commandLine: text) == nil)
  }

  @Test("what is wrong with a box or a point is said: a number out of range before an order")
  func problems() {
    func box(_ text: String) -> String? { BoundingBox.problem(commandLine: text) }
    #expect(box("1.4,142.54,1.8,42.6") == "latitude 142.54 is out of range, \u{2212}90 to 90")
    #expect(box("1.4,42.5,181,42.6") == "longitude 181.0 is out of range, \u{2212}180 to 180")
    #expect(box("1.4,42.7,1.8,42.6") == "south is greater than north")
    #expect(box("1.4,42.5,1.4,42.6") == "west and east are the same")
    #expect(box("1.4,42.5,1.8,42.6") == nil && box("1.4,42.5") == nil)
    #expect(
      Coordinate.problem(commandLine: "142.54,1.5")
        == "latitude 142.54 is out of range, \u{2212}90 to 90")
    #expect(Coordinate.problem(commandLine: "Arinsal") == nil)
  }

  @Test("a coordinate is converted to 10⁻⁷ degrees and back without loss")
  func fixedPointIsNearest() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let coordinate = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let fixed = try #require(FixedCoordinate(coordinate))
      #expect(abs(fixed.degrees.latitude - coordinate.latitude) <= 0.500_001e-7)
      #expect(abs(fixed.degrees.longitude - coordinate.longitude) <= 0.500_001e-7)
      #expect(FixedCoordinate(fixed.degrees) == fixed)
    }
  }

  @Test("a coordinate that is not on Earth has no fixed form")
  func fixedPointRefusesNonsense() {
    for (latitude, longitude) in [(90.1, 0), (0, -180.1), (.nan, 0), (0, .infinity), (1e300, 0)] {
      #expect(FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude)) == nil)
    }
    #expect(
      FixedCoordinate(Coordinate(latitude: -90, longitude: 180))
        == FixedCoordinate(latitude: -900_000_000, longitude: 1_800_000_000))
  }
}
