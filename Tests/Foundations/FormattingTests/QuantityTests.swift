// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("Quantities")
struct QuantityTests {
  @Test("numbers have spaces between thousands and no sign where they round to 0")
  func numbers() {
    #expect(grouped(33_554_432) == "33\u{A0}554\u{A0}432" && grouped(-1234) == "-1\u{A0}234")
    #expect(grouped(1234.5, decimals: 2) == "1\u{A0}234.50" && grouped(-0.5, decimals: 1) == "-0.5")
    #expect(grouped(-0.001, decimals: 2) == "0.00" && grouped(1e300, decimals: 1) == "1e+300")
    #expect(shortDecimal(12, 1) == "12" && shortDecimal(1.25, 3) == "1.25")
    #expect(shortDecimal(100, 0) == "100" && shortDecimal(.nan, 2) == "nan")
  }

  @Test("lengths have a minus sign, and NaN does not trap")
  func lengths() {
    #expect(metres(1116.4) == "1\u{A0}116 m" && metres(-5) == "\u{2212}5 m")
    #expect(preciseMetres(12.345) == "12.35 m" || preciseMetres(12.345) == "12.34 m")
    #expect(
      kilometres(8110) == "8.11 km" && kilometres(1_234_560, decimals: 1) == "1\u{A0}234.6 km")
    #expect(metres(.infinity) == "inf m" && metres(.nan) == "nan m")
  }

  @Test(
    "sizes have a unit that fits",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1949, "1.9 kB"), (999_949, "999.9 kB"),
      (999_950, "1.0 MB"),
      (1_000_000, "1.0 MB"), (5_560_000_000, "5.6 GB"), (.max, "9\u{A0}223\u{A0}372.0 TB"),
    ])
  func sizes(bytes: Int, text: String) { #expect(byteSize(bytes) == text) }

  @Test("a computed size that is negative or NaN is 0 B")
  func computedSizes() {
    #expect(byteSize(2324.7) == "2.3 kB" && byteSize(.infinity).hasSuffix(" TB"))
    #expect(byteSize(Double.nan) == "0 B" && byteSize(-3.0) == "0 B")
  }

  @Test(
    "a share is rounded to a tenth, but only all is 100 % and only nothing is 0 %",
    arguments: [
      (0, "0 %"), (1, "100 %"), (0.5, "50 %"), (0.955, "95.5 %"), (0.9494, "94.9 %"),
      (1.0 / 3, "33.3 %"), (0.9996, "99.96 %"), (0.9999996, "99.99996 %"),
      (1 - 1e-12, "99.999999 %"), (0.0003, "0.03 %"), (1e-12, "0.000001 %"), (12.5, "1\u{A0}250 %"),
      (-0.347, "\u{2212}34.7 %"), (-0.0003, "\u{2212}0.03 %"), (.infinity, "inf"),
    ] as [(Double, String)])
  func shares(share: Double, text: String) { #expect(percent(share) == text) }

  @Test("a share that misses a limit is never printed as the limit")
  func limits() {
    #expect(percent(0.9496, comparedWith: 0.95) == "94.96 %")
    #expect(percent(0.9494, comparedWith: 0.95) == "94.9 %")
    #expect(percent(0.95, comparedWith: 0.95) == "95 %")
    #expect(percent(0.95.nextDown, comparedWith: 0.95) == "94.999999 %")
    #expect(percent(0.2000001, comparedWith: 0.2) == "20.00001 %")
    #expect(percent(0.9556, comparedWith: 0.95555) == "95.56 %")
    #expect(percent(0.95555, comparedWith: 0.9556) == "95.555 %")
    #expect(percent(0.3, comparedWith: .nan) == "30 %")
  }

  @Test("of two shares the lesser one is never printed as the greater one")
  func order() {
    func value(_ text: String) -> Double { Double(text.dropLast(2)) ?? .nan }
    for limit in [0.0005, 0.2, 0.8, 0.95, 0.95555, 0.9996] {
      for step in -200...200 where step != 0 {
        let share = limit + Double(step) * 0.000_013
        let texts = (percent(share, comparedWith: limit), percent(limit, comparedWith: share))
        guard share > 0, share < 1 else { continue }
        #expect((value(texts.0) < value(texts.1)) == (share < limit), "\(texts)")
        #expect(texts.0 != texts.1)
      }
    }
  }

  @Test("a change has its sign")
  func changes() {
    #expect(signedPercent(0.12) == "+12 %" && signedPercent(-0.347) == "\u{2212}34.7 %")
    #expect(signedPercent(0) == "0 %" && signedPercent(0.20004, comparedWith: 0.2) == "+20.004 %")
  }
}
