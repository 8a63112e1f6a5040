// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Charts

@Suite("Bars to both sides of a line")
struct SignedBarsTests {
  private func bars(_ rows: [SignedBars.Row]) throws -> SVGDocument {
    var text = SVGText()
    SignedBars(rows, unit: "min").add(to: &text, label: "errors")
    return try SVGDocument(text.markup)
  }

  private func number(_ bar: SVGDocument.Element, _ name: String) -> Double {
    Double(bar.attributes[name] ?? "") ?? .nan
  }

  @Test("values above 0 go right and those below left, as far as they are large")
  func sides() throws {
    let bars = try bars([.init("steep", base: 30, candidate: -15)]).all("rect")
    #expect(bars.map { $0.attributes["class"] } == ["bar base", "bar candidate"])
    let zero = number(bars[0], "x")
    #expect(abs(number(bars[1], "x") + number(bars[1], "width") - zero) < 0.2)
    #expect(abs(number(bars[0], "width") - 2 * number(bars[1], "width")) < 0.3)
  }

  @Test("bars and their texts stay within the drawing, whatever the values")
  func bounds() throws {
    for (base, other) in [(5.0, 9.0), (-5, -9), (0, 0), (.infinity, -.infinity), (.nan, 1e300)] {
      let document = try bars([.init("a", base: base, candidate: other)])
      for bar in document.all("rect") {
        #expect(number(bar, "x") >= 104 && number(bar, "x") + number(bar, "width") <= 460)
      }
    }
    let texts = try bars([.init("a", base: 4.6, candidate: -0.2)]).all("text").map(\.text)
    #expect(texts == ["a", "+5 min", "0 min"])
  }
}
