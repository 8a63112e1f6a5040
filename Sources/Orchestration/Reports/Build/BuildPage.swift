// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Charts
import Pipeline
import Validation

/// The page of a run: regions, timing, warnings, findings, drift, and inputs.
package struct BuildPage {
  /// A report with more examples would not be read.
  private static let examples = 5

  private let run: RecordedRun

  /// Makes the page of a run.
  package init(_ run: RecordedRun) { self.run = run }

  /// The page.
  package var page: ReportPage {
    var page = ReportPage(
      title: "Build of \(fileName(run.manifest))",
      subtitle: "Run \(run.number) · \(run.started) · \(elapsedTime(run.seconds)) · "
        + "Cairn \(run.version)")
    page.add(addSummary)
    if !run.failures.isEmpty { page.section("failures", "Failures", addFailures) }
    page.section("regions", "Regions") { page in
      RegionsMap(
        run.regions.compactMap { region in
          region.bundle?.box.map { ($0, region, status(region)) }
        })?.add(to: &page)
      addRegions(to: &page)
      addHeld(to: &page)
    }
    page.section("times", "Stages over time", addTimes)
    page.section("warnings", "Warnings", addWarnings)
    page.section("findings", "Findings of the validator", addFindings)
    page.section("drift", "Changes since the run before", addDrift)
    page.section("sources", "Versions and sources", addSources)
    return page
  }

  private var stages: [(region: RecordedRun.Region, stage: RecordedRun.StageRun)] {
    run.regions.flatMap { region in region.stages.map { (region, $0) } }
  }

  private func addSummary(to page: inout SVGText) {
    let failed = run.regions.filter { $0.status == "failed" }.count
    let stopped = run.regions.filter { $0.status == "stopped" }.count
    let held = run.regions.filter(\.isHeld).count
    let (style, text) =
      failed > 0
      ? ("bad", "✗ \(counted(failed, "region")) failed")
      : stopped > 0
        ? ("bad", "✗ stopped by \(run.signal ?? "a signal")")
        : held > 0
          ? ("", "⏸ \(counted(held, "region")) held back") : ("good", "✓ all regions published")
    page.add("p", ["class": "verdict \(style)"], text: text)
    let warnings = run.regions.compactMap(\.warnings).reduce(0) { $0 &+ $1.total }
    page.tiles([
      (grouped(run.regions.count), run.regions.count == 1 ? "region" : "regions"),
      (elapsedTime(run.seconds), "from start to end"),
      (grouped(run.regions.reduce(0) { $0 &+ ($1.edges ?? 0) }), "edges"),
      (byteSize(run.regions.reduce(0.0) { $0 + Double($1.bytes ?? 0) }), "published"),
      (grouped(warnings), "warnings"),
    ])
  }

  private func addFailures(to page: inout SVGText) {
    for failure in run.failures {
      page.group("article", ["class": "card"]) { page in
        page.add("h3", ["class": "bad"], text: "✗ \(failure.region): \(failure.stage)")
        page.raw("<p>\(linked(failure.message))</p>")
        if let lines = failure.lastLines, !lines.isEmpty {
          // A line break is content here, which an attribute's escape would lose.
          page.raw("<pre>\(lines.map { xmlEscaped($0) }.joined(separator: "\n"))</pre>")
        }
      }
    }
  }

  private func addRegions(to page: inout SVGText) {
    page.table(
      caption: "Result of each region",
      [
        "Region", "Status", "Stages took", "Size", "Nodes", "Edges", "Elevations", "Warnings",
        "Data of",
      ],
      run.regions.map { region in
        [
          .text(region.id), .text(status(region), style: region.status == "failed" ? "bad" : ""),
          .number(region.seconds > 0 ? elapsedTime(region.seconds) : "–"),
          .number(region.bytes.map(byteSize) ?? "–"),
          .number(region.bundle.map { grouped($0.nodes) } ?? "–"),
          .number(region.edges.map { grouped($0) } ?? "–"),
          .number(region.bundle.map { percent($0.elevationCoverage) } ?? "–"),
          .number(region.warnings.map { grouped($0.total) } ?? "–"),
          .text(region.bundle?.dataTimestamp.map { String($0.prefix(10)) } ?? "–"),
        ]
      })
  }

  private func addHeld(to page: inout SVGText) {
    for region in run.regions {
      guard let text = region.heldBack else { continue }
      page.add("p", ["class": "note"], text: "\(region.id): \(text)")
    }
  }

  private func status(_ region: RecordedRun.Region) -> String {
    if region.isHeld {
      return region.status == "failed" ? "✗ failed, rolled back" : "⏸ held back"
    }
    return switch region.status {
    case "built": "✓ built"
    case "cached": "✓ up to date"
    case "failed": "✗ failed"
    default: region.status
    }
  }

  private func addTimes(to page: inout SVGText) {
    let names = stages.map(\.stage.stage)
    let kinds = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element)
    let bars = stages.compactMap { region, stage -> GanttChart.Bar? in
      guard let start = stage.start, let seconds = stage.seconds else { return nil }
      return GanttChart.Bar(
        name: stage.stage, detail: region.id,
        kind: (kinds.firstIndex(of: stage.stage) ?? 0) % GanttChart.kinds, start: start,
        seconds: seconds)
    }
    guard !bars.isEmpty else {
      page.add(
        "p", ["class": "note"],
        text: stages.isEmpty
          ? "Everything existed already; no stage ran."
          : stages.allSatisfy { $0.stage.seconds == nil }
            ? "No stage ran."
            : "The record of this run does not say when its stages began.")
      return
    }
    page.add(
      "p", ["class": "note"],
      text: "Each bar is a stage of a region, each row the work of one worker.")
    page.group(
      "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Stage times"]
    ) { page in
      GanttChart(bars).add(to: &page, label: "\(counted(bars.count, "stage")) over time")
    }
    let slowest = stages.filter { $0.stage.seconds != nil }
      .sorted { ($1.stage.seconds ?? 0, $0.region.id) < ($0.stage.seconds ?? 0, $1.region.id) }
    page.table(
      caption: "The longest stages", ["Stage", "Region", "Took", "Peak memory"],
      slowest.prefix(12).map { region, stage in
        [
          .text(stage.stage), .text(region.id), .number(elapsedTime(stage.seconds ?? 0)),
          .number(stage.peakBytes.map(byteSize) ?? "–"),
        ]
      })
  }

  private func addWarnings(to page: inout SVGText) {
    let rows = run.regions.flatMap { region in
      (region.warnings?.kinds ?? []).map { (region.id, $0) }
        + (region.refused?.kinds ?? []).map { ("\(region.id), not published", $0) }
    }
    let unknown = run.regions.filter { $0.bundle != nil && $0.warnings == nil }.map(\.id)
    if !unknown.isEmpty {
      page.add(
        "p", ["class": "note"],
        text: "Those of \(listed(unknown)) are not recorded; the next run does that.")
    }
    guard !rows.isEmpty else {
      if unknown.isEmpty { page.add("p", ["class": "note"], text: "There are none.") }
      return
    }
    page.add(
      "p", ["class": "note"], text: "Of the bundles that are published, whichever run made them.")
    page.table(
      caption: "By region and kind", ["Region", "Stage", "Kind", "Count", "Examples"],
      rows.map { region, kind in
        [
          .text(region), .text(kind.stage), .text(kind.kind), .number(grouped(kind.count)),
          .markup(Self.list(kind.examples)),
        ]
      })
  }

  private static func list(_ texts: [String]) -> String {
    "<ul>" + texts.prefix(examples).map { "<li>\(linked($0))</li>" }.joined() + "</ul>"
  }

  private func addFindings(to page: inout SVGText) {
    let rows = stages.flatMap { region, stage in
      // Warnings are among those of the bundle.
      stage.checks.filter { $0.status != "warning" }.map { (region.id, stage.stage, $0) }
    }
    guard !rows.isEmpty else {
      page.add(
        "p", ["class": "note"],
        text: "There are none besides the warnings, as far as findings are on record.")
      return
    }
    let order = ["error", "info"]
    let sorted = rows.enumerated().sorted { left, right in
      (order.firstIndex(of: left.element.2.status) ?? 2, left.offset)
        < (order.firstIndex(of: right.element.2.status) ?? 2, right.offset)
    }.map(\.element)
    page.table(
      caption: "Errors first", ["Rule", "Severity", "Region", "Count", "Finding"],
      sorted.map { region, _, check in
        let mark = ["error": "✗ error", "info": "• note"][check.status]
        return [
          .text(check.rule),
          .text(mark ?? check.status, style: check.status == "error" ? "bad" : ""),
          .text(region), .number(grouped(check.count)), .markup(Self.list(check.details)),
        ]
      })
  }

  private func addDrift(to page: inout SVGText) {
    let compared = run.regions.filter { $0.before != nil }
    if let previous = run.previous, !compared.isEmpty {
      page.table(
        caption: "Compared with run \(previous)",
        ["Region", "Edges before", "Edges now", "Change", "Size before", "Size now", "Change"],
        compared.map { region in
          [
            .text(region.id), .number(region.before?.edges.map { grouped($0) } ?? "–"),
            .number(region.edges.map { grouped($0) } ?? "–"),
            .number(Self.change(region.before?.edges, region.edges)),
            .number(region.before?.bytes.map(byteSize) ?? "–"),
            .number(region.bytes.map(byteSize) ?? "–"),
            .number(Self.change(region.before?.bytes, region.bytes)),
          ]
        })
    } else {
      page.add("p", ["class": "note"], text: "There is no earlier run to compare with.")
    }
    for region in run.regions {
      for report in region.drift {
        page.table(
          caption: "\(region.id): what is published now, compared with what was before",
          ["Figure", "Before", "Now", "Change", ""],
          report.rows.map { row in
            [
              .text(row.name), .number(figure(row.old)), .number(figure(row.new)),
              .number(row.change.map { signedPercent($0) } ?? "new"),
              .text(row.exceeds ? "✗ too much" : "", style: "bad"),
            ]
          })
      }
    }
  }

  private static func change(_ old: Int?, _ new: Int?) -> String {
    guard let old, let new, old > 0 else { return "–" }
    return old == new ? "none" : signedPercent((Double(new) - Double(old)) / Double(old))
  }

  private func figure(_ value: Double) -> String {
    grouped(value, decimals: abs(value) >= 1000 || value == value.rounded() ? 0 : 2)
  }

  private func addSources(to page: inout SVGText) {
    page.table(
      caption: "Sources of each published region",
      ["Region", "Name", "Made by", "Source", "SHA-256 of the source"],
      run.regions.compactMap { region in
        region.bundle.map { bundle in
          [
            .text(region.id), .text(bundle.name), .text(bundle.generator),
            .text(bundle.source.name), .text(String(bundle.source.sha256.prefix(16)) + "…"),
          ]
        }
      })
  }
}

/// The name of a file without its folders.
private func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
