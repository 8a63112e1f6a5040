// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OSMInput

@Suite("Numbers in XML")
struct XMLNumbersTests {
  private func units(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes(degreeUnits) }

  @Test(
    "degrees are rounded to seven decimals, half away from zero",
    arguments: [
      ("0", 0), ("42.5128977", 425_128_977), ("-0.00000005", -1), ("0.00000005", 1),
      ("0.000000049999999999999999999999", 0), ("1.23456785", 12_345_679), ("90", 900_000_000),
      ("1.2345678499999999", 12_345_678), ("-180.0", -1_800_000_000), (".5", 5_000_000),
      ("5.", 50_000_000), ("+1", 10_000_000), ("00000000000000000000001.5", 15_000_000),
      ("1e-5", 100), ("1.5E1", 150_000_000), ("-4.2e+1", -420_000_000), ("1e-99999999999", 0),
      ("0e999", 0), ("5e-8", 1), ("4e-8", 0), ("42.51289770000000000000000000000001", 425_128_977),
    ] as [(String, Int64)])
  func degreesAreExact(text: String, expected: Int64) {
    #expect(units(text) == expected)
  }

  @Test(
    "anything but a number is refused", arguments: ["", "-", ".", "1.2.3", "1,5", "1e", "1e+", "x"])
  func notANumber(text: String) {
    #expect(units(text) == nil)
  }

  @Test(
    "huge numbers of degrees are invalid coordinates", arguments: ["1e300", "99999999999999999999"])
  func tooLarge(text: String) throws {
    let units = try #require(self.units(text))
    #expect(!NodeCoordinate(latitude: units, longitude: 0).isKnown)
    #expect(!NodeCoordinate(latitude: -units, longitude: 0).isKnown)
  }

  @Test("every multiple of 10⁻⁷ degrees is read exactly")
  func roundTrip() {
    for seed in 0..<20_000 as Range<Int64> {
      let value = (seed &* 2_654_435_761) % 1_800_000_001 * (seed % 2 == 0 ? 1 : -1)
      #expect(units(degrees(value)) == value)
    }
  }

  @Test("ids of 64 bits are read, larger ones are refused")
  func ids() {
    func id(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes(wholeNumber) }
    #expect(id("0") == 0)
    #expect(id("-17") == -17)
    #expect(id("9223372036854775807") == .max)
    #expect(id("-9223372036854775808") == .min)
    for text in ["9223372036854775808", "-9223372036854775809", "", "-", "1x", "+1"] {
      #expect(id(text) == nil, "\(text)")
    }
  }

  @Test("only UTC times are recognised as timestamps, and they are formatted correctly")
  func timestamps() {
    #expect(isUTCTimestamp("2020-05-01T20:59:03Z"))
    #expect(!isUTCTimestamp("2020-05-01"))
    #expect(utcTimestamp(1_588_366_743) == "2020-05-01T20:59:03Z")
    #expect(utcTimestamp(951_782_400) == "2000-02-29T00:00:00Z")
    #expect(utcTimestamp(0) == "1970-01-01T00:00:00Z")
    #expect(utcTimestamp(-1) == nil)
    #expect(utcTimestamp(.max) == nil)
  }
}
