// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Charts

@Suite("Pictures of varied keys")
struct SweepChartTests {
  private let one = SweepChart(
    title: "hiking on <alps>",
    axes: [.init(name: "climb-factor", values: [4, 6, 8, 10], marked: 7.92)],
    measures: [
      .init(title: "routes that change, %", values: [20, 8, nil, 12]),
      .init(title: "flat", values: [5, 5, 5, 5]), .init(title: "wrong", values: [1]),
    ])

  @Test("one key gives a line for each measure that fits, with a gap where it is unknown")
  func lines() {
    let svg = one.svg
    #expect(svg.contains("routes that change, %") && svg.contains(">flat<"))
    #expect(!svg.contains(">wrong<") && svg.contains("hiking on &lt;alps&gt;"))
    #expect(svg.split(separator: "<circle").count - 1 == 7)
    #expect(svg.contains("stroke-dasharray"))
    #expect(svg == one.svg)
  }

  @Test("two keys give a cell with its number for each combination")
  func heatMap() {
    let chart = SweepChart(
      title: "two",
      axes: [
        .init(name: "climb-factor", values: [4, 8], marked: 8),
        .init(name: "surfaces.asphalt", values: [1, 1.5, 2], marked: 1),
      ], measures: [.init(title: "main roads", values: [1, 2, 3, 4, nil, 6])])
    let svg = chart.svg
    for number in ["1.00", "2.00", "3.00", "4.00", "6.00", "–"] {
      #expect(svg.contains(">\(number)<"))
    }
    #expect(svg.contains("main roads, by climb-factor (rows) and surfaces.asphalt"))
  }

  @Test("a scale has two to five round ticks around its values")
  func scale() {
    for values in [[0.0, 1], [3, 3.0001], [-5, 250], [1e9, 2e9], [0.001, 0.0012], [7]] {
      let scale = ValueScale(values, bottom: 100, top: 0)
      #expect((2...6).contains(scale.ticks.count), "\(values)")
      for value in values { #expect((-0.1...100.1).contains(scale.y(value)), "\(values)") }
    }
  }

  @Test("values that nobody can draw leave a picture without them")
  func hostile() {
    for values in [[Double.nan, .infinity], [-.infinity, 1e300], [nil, nil]] as [[Double?]] {
      let chart = SweepChart(
        title: "", axes: [.init(name: "", values: [1, 2], marked: .nan)],
        measures: [.init(title: "x", values: values)])
      #expect(!chart.svg.lowercased().contains("nan") && !chart.svg.contains("inf"))
    }
    #expect(!SweepChart(title: "", axes: [], measures: []).svg.isEmpty)
  }
}
