// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnFormatting
import Foundation
import Testing

@Suite("Times as text")
struct TimestampTests {
  @Test(
    "a time is written with milliseconds, in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000.1254, "2023-11-14T22:13:20.125Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"), (951_825_600, "2000-02-29T12:00:00.000Z"),
      (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
      (253_402_300_799.999, "9999-12-31T23:59:59.999Z"), (253_402_300_800, nil),
      (-62_135_596_801, nil), (.nan, nil), (.infinity, nil), (1e300, nil),
    ] as [(Double, String?)])
  func text(_ seconds: Double, _ expected: String?) {
    #expect(timestampText(Date(timeIntervalSince1970: seconds)) == expected)
  }

  @Test(
    "whole seconds are written without a fraction",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_825_600, "2000-02-29T12:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, nil), (.min, nil), (.max, nil),
    ] as [(Int64, String?)])
  func wholeSeconds(_ seconds: Int64, _ expected: String?) {
    #expect(timestampText(seconds: seconds) == expected)
  }

  @Test("any time is the same, to the millisecond, when it is read again")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let seconds = Double.random(in: -62_000_000_000...253_000_000_000, using: &random)
      let date = wholeMilliseconds(Date(timeIntervalSince1970: seconds))
      let text = try #require(timestampText(date))
      #expect(parsedTimestamp(text) == date, "\(text)")
    }
  }

  @Test("a number is written exactly, and without an exponent")
  func exact() {
    let numbers: [(Double, String)] = [
      (0, "0"), (12, "12"), (-0.5, "-0.5"), (1e-7, "0.0000001"), (-1.25e-10, "-0.000000000125"),
      (1e20, "100000000000000000000"), (1.5e16, "15000000000000000"), (47.0603, "47.0603"),
    ]
    for (number, text) in numbers { #expect(exactDecimal(number) == text) }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let number =
        Double.random(in: -1...1, using: &random)
        * [1e-20, 1e-5, 1, 1e5, 1e25][Int.random(in: 0..<5, using: &random)]
      #expect(Double(exactDecimal(number)) == number)
      #expect(!exactDecimal(number).contains("e"))
    }
  }
}
