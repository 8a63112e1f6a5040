// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnLocationProviders
import CairnNavigation
import CommandLineKit
import FoundationEssentials

/// A walk as JSON: an object per line for each announcement, and one for the summary.
package struct NavigationRecords {
  private struct Row: Encodable {
    var time: String
    /// Since the first fix.
    var seconds: Double
    var latitude: Double
    var longitude: Double
    var distanceAlongRoute: Nullable<Double>
    var distanceFromRoute: Nullable<Double>
    var state: String
    var event: String
    /// The index of the instruction.
    var instruction: Int?
    /// The index in the instruction's `then`.
    var then: Int?
    var text: String
    var haptic: String?
    /// Seconds from the event to the start of its pattern.
    var hapticDelay: Double?
    /// Why it was not played.
    var hapticDropped: String?
  }

  private struct Span: Encodable {
    /// Since the first fix.
    var fromSeconds: Double
    var toSeconds: Nullable<Double>
    var farthestMetres: Double
  }

  private struct Summary: Encodable {
    var fixes: Int
    var seconds: Double
    var arrived: Bool
    var progress: Double
    var turns: Int
    var warnings: Int
    var meanWarningMetres: Nullable<Double>
    var offRoute: [Span]
    var newRoutes: Int
    var hapticsPlayed: Int
    var hapticsDropped: Int
    var evaluation: EvaluationRecord?
  }

  private struct SummaryLine: Encodable { var summary: Summary }

  private let run: NavigationRun
  private let evaluation: GuidanceEvaluation?
  private let start: Date

  /// Describes a walk.
  ///
  /// - Parameter evaluation: How well guidance served, where the truth is known.
  package init(_ run: NavigationRun, _ evaluation: GuidanceEvaluation?) {
    self.run = run
    self.evaluation = evaluation
    start = run.fixes.first?.timestamp ?? Date(timeIntervalSince1970: 0)
  }

  /// The lines.
  package var text: String {
    get throws(CairnError) {
      var text = ""
      for row in run.rows { text += try Self.line(record(row)) }
      return text + (try Self.line(SummaryLine(summary: summary)))
    }
  }

  private static func line(_ value: some Encodable) throws(CairnError) -> String {
    String(decoding: try encodeJSON(value, pretty: false), as: UTF8.self)
  }

  private func record(_ row: NavigationRun.Row) -> Row {
    var record = Row(
      time: timestampText(row.time) ?? "", seconds: seconds(row.time),
      latitude: row.coordinate.latitude, longitude: row.coordinate.longitude,
      distanceAlongRoute: Nullable(row.distanceAlongRoute.map(tenths)),
      distanceFromRoute: Nullable(row.distanceFromRoute.map(tenths)), state: Self.word(row.state),
      event: "", text: NavigationSheet.said(row))
    switch row.content {
    case .position(let event): record.event = event.cue.rawValue
    case .reroute: record.event = "reroute"
    case .event(let event, _):
      switch event.kind {
      case .approaching(let index): (record.event, record.instruction) = ("approaching", index)
      case .atTurn(let index): (record.event, record.instruction) = ("atTurn", index)
      case .atFollowingTurn(let index, let part):
        (record.event, record.instruction, record.then) = ("atFollowingTurn", index, part)
      case .offRoute: record.event = "offRoute"
      case .backOnRoute: record.event = "backOnRoute"
      case .reversed: record.event = "reversed"
      case .forward: record.event = "forward"
      case .arrived: record.event = "arrived"
      }
    }
    record.haptic = row.cue?.cue.rawValue
    record.hapticDelay = row.cue?.start.map { tenths($0.timeIntervalSince(row.time)) }
    record.hapticDropped = row.cue?.drop?.rawValue
    return record
  }

  private func seconds(_ time: Date) -> Double { tenths(time.timeIntervalSince(start)) }

  private static func word(_ state: NavigationState) -> String {
    switch state {
    case .idle: "idle"
    case .calculating: "calculating"
    case .navigating: "navigating"
    case .arrived: "arrived"
    }
  }

  private var summary: Summary {
    let totals = NavigationSummary(run)
    return Summary(
      fixes: run.fixes.count, seconds: tenths(totals.seconds), arrived: totals.hasArrived,
      progress: run.progress, turns: totals.turns, warnings: totals.warnings,
      meanWarningMetres: Nullable(totals.meanWarningMetres.map(tenths)),
      offRoute: run.offRouteSpans.map {
        Span(
          fromSeconds: seconds($0.start), toSeconds: Nullable($0.end.map(seconds)),
          farthestMetres: tenths($0.farthestMetres))
      },
      newRoutes: run.reroutes, hapticsPlayed: totals.played, hapticsDropped: totals.dropped,
      evaluation: evaluation.map { EvaluationRecord($0) })
  }
}
