// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import Glibc
import JSONKit
import Manifests
import Pipeline
import SystemIO
import Validation

extension RunSummary {
  /// The table at the end of a run, or one line if there was nothing to do.
  ///
  /// - Parameter columns: The width of the terminal. If it is too narrow for the time of every
  ///   stage, the table has that of a region and of its slowest stage.
  package func text(_ palette: Palette = .plain, columns: Int? = nil) -> String {
    if isNothingToDo {
      let count = regions.count == 1 ? "1 region" : "\(regions.count) regions"
      return "\(count) up to date, nothing to do (\(elapsedTime(wallSeconds)))\n" + leftLine
    }
    var labels: [String] = []
    for stage in regions.flatMap(\.stages).map({ $0.stage.label }) where !labels.contains(stage) {
      labels.append(stage)
    }
    let times = regions.map { region in labels.map { ($0, region.seconds(ofStages: $0)) } }
    var rows = rows(
      labels, times.map { row in row.map { $0.1.map(elapsedTime) ?? "–" } })
    if let columns, Self.table(rows).width > columns {
      rows = self.rows(["time", "slowest"], times.map(Self.longest))
    }
    let styles = regions.map { region in
      { (text: String) in
        switch region.status {
        case .built: region.isHeld ? palette.notable(text) : palette.good(text)
        case .cached: region.isHeld ? palette.notable(text) : palette.faint(text)
        case .failed: palette.bad(text)
        case .stopped: palette.notable(text)
        }
      }
    }
    let warnings = regions.contains { region in
      (region.warnings?.total ?? 0) > 0 || region.stages.contains { $0.warnings > 0 }
    }
    for (row, style) in zip(rows.indices.dropFirst(), styles) {
      rows[row][rows[row].count - 1] = style(rows[row][rows[row].count - 1])
    }
    return Self.table(rows).text
      + "\(counts(palette)) in \(elapsedTime(wallSeconds))\n" + leftLine
      + (warnings ? "cairn warnings MANIFEST lists the warnings and where they are\n" : "")
  }

  /// The regions that left the manifest.
  private var leftLine: String {
    guard !left.isEmpty else { return "" }
    let (are, their) = left.count == 1 ? ("is", "its bundle stays") : ("are", "their bundles stay")
    return "no longer in the manifest \(are) \(left.joined(separator: ", ")): "
      + "\(their) until cairn gc\n"
  }

  /// The failures, for stderr: each cause once, with its reason, the end of its log and the log's
  /// path, and the affected regions.
  ///
  /// - Parameters:
  ///   - record: The record of the run, which has the complete texts.
  ///   - isQuiet: Whether warnings in logs are left out.
  package func failureLines(
    _ palette: Palette = .plain, record: String? = nil, isQuiet: Bool = false
  )
    -> [String]
  {
    let causes = causes
    var lines =
      causes.count > Self.detailedCauses
      ? briefLines(causes, palette)
      : causes.flatMap { $0.lines(palette, record: record, isQuiet: isQuiet) }
    if let indexFailure, !(isDiskFull && indexFailure.isOfFullDisk) {
      lines.append("\(palette.bad("index:")) \(indexFailure)")
    }
    if let signal {
      lines.append(
        "stopped by \(signalName(signal)); finished results are kept: "
          + "run the same command again to continue")
    } else if !failures.isEmpty {
      lines.append(
        "\(failures.count == 1 ? "1 region" : "\(failures.count) regions") failed; "
          + "published bundles and finished results are kept: "
          + "fix the cause and run the same command again")
    }
    return lines
  }

  /// The number of causes beyond which each is one line, so that even the worst night fits a
  /// screen.
  private static let detailedCauses = 3

  /// A line for each of many causes; regions held back by one check are listed below it.
  private func briefLines(_ causes: [FailureCause], _ palette: Palette) -> [String] {
    var lines: [String] = []
    var told: Set<String> = []
    for cause in causes {
      guard let check = cause.failure.refusal?.check else {
        lines.append(cause.line(palette))
        continue
      }
      guard told.insert(check).inserted else { continue }
      let refused = causes.filter { $0.failure.refusal?.check == check }
      let accept = refused.flatMap(\.regions).joined(separator: ",")
      lines.append(
        palette.bad("publish failed") + " by the check \(check)"
          + (cause.failure.refusal?.isDrift == true ? " (or --accept-drift \(accept)):" : ":"))
      lines += refused.flatMap { cause in
        cause.regions.map { "  \($0): \(cause.failure.refusal?.finding ?? "")" }
      }
    }
    return lines
  }

  /// Whether something failed because a disk was full.
  var isDiskFull: Bool { failures.contains(where: \.isOfFullDisk) }

  /// The failures by cause, in order.
  private var causes: [FailureCause] {
    var causes: [FailureCause] = []
    var known: [String: Int] = [:]
    for failure in failures {
      if let index = known[failure.cause] {
        causes[index].failures.append(failure)
      } else {
        known[failure.cause] = causes.count
        causes.append(FailureCause(failure))
      }
    }
    return causes
  }

  private func counts(_ palette: Palette) -> String {
    let order: [RegionSummary.Status] = [.built, .cached, .failed, .stopped]
    return order.compactMap { status in
      let same = regions.filter { $0.status == status }
      guard let first = same.first else { return nil }
      let text = "\(same.count) \(status == .failed ? "FAILED" : first.status.rawValue)"
      return status == .failed ? palette.bad(text) : text
    }.joined(separator: ", ")
  }

  private func word(_ region: RegionSummary) -> String {
    let word = region.status == .failed ? "FAILED" : region.status.rawValue
    guard region.isHeld else { return word }
    return switch region.status {
    case .cached: "held back"
    case .built: "\(word), held back"
    case .failed, .stopped: "\(word), rolled back"
    }
  }

  /// A row for each region, with some figures between its name and its result.
  private func rows(_ labels: [String], _ figures: [[String]]) -> [[String]] {
    [["region"] + labels + ["edges", "size", "warnings", ""]]
      + zip(regions, figures).map { region, figures in
        [region.id] + figures + [
          region.edges.map { grouped($0) } ?? "–", region.bytes.map(byteSize) ?? "–",
          region.warningWords, word(region),
        ]
      }
  }

  /// The time of all stages, and the slowest one.
  private static func longest(_ times: [(label: String, seconds: Double?)]) -> [String] {
    let known = times.compactMap { time in time.seconds.map { (label: time.label, seconds: $0) } }
    guard let slowest = known.max(by: { $0.seconds < $1.seconds }) else { return ["–", "–"] }
    let all = known.reduce(0) { $0 + $1.seconds }
    return [elapsedTime(all), "\(slowest.label) \(elapsedTime(slowest.seconds))"]
  }

  /// The first column and the last one to the left, numbers to the right.
  private static func table(_ rows: [[String]]) -> TextTable {
    let columns = rows.first?.count ?? 0
    let numbers = Array(repeating: TextTable.Alignment.right, count: max(0, columns - 2))
    return TextTable([.left] + numbers + [.left], rows: rows)
  }
}

extension RegionSummary {
  /// The time of the stages with a label, without checking; nil if their results existed already.
  fileprivate func seconds(ofStages label: String) -> Double? {
    let seconds = stages.filter { $0.stage.label == label && !$0.stage.isCompanionCheck }
      .compactMap(\.seconds)
    return seconds.isEmpty ? nil : seconds.reduce(0, +)
  }
}

/// Failures with one cause.
private struct FailureCause {
  /// The first of them.
  let failure: RunFailure
  /// All of them, in order.
  var failures: [RunFailure]
  /// The regions that failed by it, in order.
  var regions: [String] { failures.map(\.region) }

  init(_ first: RunFailure) { (failure, failures) = (first, [first]) }

  /// The number of named regions, of lines shown of a comparison, and of characters of a message
  /// among many.
  private static let namedRegions = 20
  private static let comparedLines = 2
  private static let briefLength = 120

  /// Everything on one line, without the end of a long message.
  func line(_ palette: Palette) -> String {
    let message = failure.message
    return head(palette) + ": "
      + (message.count > Self.briefLength ? message.prefix(Self.briefLength) + "…" : message)
  }

  /// The failure, its reason, the end of the log, and the log's path.
  func lines(_ palette: Palette, record: String?, isQuiet: Bool) -> [String] {
    let isOne = failures.allSatisfy { $0.message == failure.message }
    var lines = [head(palette), "  \((isOne ? nil : failure.reason) ?? failure.message)"]
    if !isOne { lines += consequences.prefix(Self.namedRegions).map { "  | \($0)" } }
    let further = failure.furtherLines.filter { !isQuiet || !$0.contains(": warning: ") }
    if failure.stage == .publish, further.count > Self.comparedLines {
      lines += further.prefix(Self.comparedLines).map { "  | \($0)" }
      lines.append(
        "  | \(further.count - Self.comparedLines) more in "
          + (record ?? "the record of the run"))
    } else {
      lines += further.map { "  | \($0)" }
    }
    if let log = failure.log { lines.append("  log: \(log)") }
    return lines
  }

  /// What follows from the cause in each region.
  private var consequences: [String] {
    failures.compactMap { failure in
      guard let reason = failure.reason, failure.message.hasPrefix("\(reason); ") else {
        return nil
      }
      return "\(failure.region): \(failure.message.dropFirst(reason.count + 2))"
    }
  }

  private func head(_ palette: Palette) -> String {
    let stage = listed(unrepeated(failures.map(\.stage.rawValue)))
    guard regions.count > 1 else {
      return palette.bad("\(failure.region): \(stage) failed")
    }
    let what = failure.isOfFullDisk ? "the disk is full" : "\(stage) failed"
    let more = regions.count - Self.namedRegions
    return palette.bad(what) + "; \(regions.count) regions wait for that: "
      + regions.prefix(Self.namedRegions).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }
}

extension RunFailure {
  /// The same for all failures with one remedy.
  var cause: String {
    isOfFullDisk
      ? "full disk"
      : reason ?? ([stage.rawValue, message] + furtherLines).joined(separator: "\n")
  }

  /// The last lines that are not part of the message.
  var furtherLines: [String] {
    lastLines.filter { line in
      if stage == .publish, message.contains(line) { return false }
      guard let mark = line.firstRange(of: ": error: ") else { return true }
      return !message.contains(line[mark.upperBound...])
    }
  }
}

extension Stage {
  /// Whether it validates a file whose own making has a column.
  fileprivate var isCompanionCheck: Bool {
    switch self {
    case .validateWaypoints, .validatePlaces, .validateTiles: true
    default: false
    }
  }

  /// Its name at the head of a column.
  var label: String {
    switch self {
    case .decodePBF, .parseOverpass: "decode"
    case .gridElevation: "grid"
    case .sampleElevation: "elevation"
    case .buildGraph: "graph"
    case .computeCosts: "costs"
    // The time of making it, without validation.
    case .collectPlaces, .validateWaypoints: "waypoints"
    case .indexPlaces, .validatePlaces: "search"
    case .buildTiles, .validateTiles: "tiles"
    case .computeVariant(let name): "costs+\(name)"
    default: rawValue
    }
  }
}
