// SPDX-License-Identifier: Apache-2.0
import CairnHaptics
import Charts
import Foundation
import TestSupport
import Testing

@Suite("Charts of haptic patterns")
struct HapticChartTests {
  private let rows = HapticCue.allCases.map {
    HapticChart.Row(name: $0.fileName, meaning: $0.text, pattern: $0.pattern)
  }

  @Test("each tap is a pin, each hum a block, and each pattern has its name")
  func elements() {
    let svg = HapticChart(rows).svg
    let events = rows.flatMap(\.pattern.events)
    #expect(
      svg.components(separatedBy: "<circle").count - 1 == events.count { $0.kind == .transient })
    #expect(
      svg.components(separatedBy: " rx=\"3\"").count - 1 == events.count { $0.kind == .continuous })
    for row in rows { #expect(svg.contains(">\(row.name)</text>")) }
  }

  @Test("the same patterns give the same bytes, and any name gives valid XML")
  func valid() throws {
    #expect(HapticChart(rows).svg == HapticChart(rows).svg)
    let folder = try TemporaryFolder()
    let odd = HapticChart.Row(
      name: "<&\">\u{1}", meaning: "]]>", pattern: HapticPattern([], watchHaptic: .click))
    for chart in [HapticChart(rows), HapticChart([odd]), HapticChart([])] {
      let path = try folder.write(chart.svg, to: "chart.svg")
      let result = try runProcess("/usr/bin/xmllint", ["--nonet", "--noout", path])
      #expect(result.status == 0, "\(result.stderr)")
    }
  }
}
