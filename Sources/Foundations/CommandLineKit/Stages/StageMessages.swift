// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// How far a stage is, as it reports it.
package struct StageProgress: Equatable, Sendable {
  /// The current task, such as `nodes`.
  package var phase: String
  /// Units of work that are done.
  package var done: Int
  /// Units of work of this phase, or 0 if unknown.
  package var total: Int

  package init(phase: String, done: Int, total: Int) {
    self.phase = phase
    self.done = done
    self.total = total
  }

  /// Reads a line of progress; nil if it is something else.
  init?(line: [UInt8]) {
    guard let object = JSONValue(json: line)?.object, let phase = object["phase"]?.text,
      let done = object["done"]?.integer, let total = object["total"]?.integer
    else { return nil }
    self.init(phase: phase, done: done, total: total)
  }

  /// The finished percentage of the phase, if known.
  package var percent: Int? {
    guard total > 0, done >= 0 else { return nil }
    return done >= total ? 100 : Int(Double(done) / Double(total) * 100)
  }
}

/// Separates a stage's stderr: progress lines are reported, all others are logged.
package final class StageMessages {
  /// A longer line is not progress.
  private static let lineLimit = 2048
  private static let progressHead = Array(#"{"event":"progress""#.utf8)

  private let log: BoundedLog
  private let report: (StageProgress) -> Void
  private var line: [UInt8] = []
  /// Whether the rest of the line goes to the log like its beginning.
  private var isLogging = false

  /// - Parameter report: Called with each progress line.
  package init(log: BoundedLog, report: @escaping (StageProgress) -> Void) {
    self.log = log
    self.report = report
  }

  /// Takes the next bytes, which may end within a line.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let isWhole = rest[end - 1] == UInt8(ascii: "\n")
      take(UnsafeRawBufferPointer(rebasing: rest[..<end]), isWhole: isWhole)
      rest = rest[end...]
    }
  }

  /// Logs an unfinished line, and ends the log.
  package func finish() {
    logLine()
    log.finish()
  }

  private func take(_ part: UnsafeRawBufferPointer, isWhole: Bool) {
    if isLogging {
      log.append(part)
    } else {
      line.append(contentsOf: part)
      if !mayBeProgress {
        logLine()
        isLogging = true
      } else if isWhole {
        if let progress = StageProgress(line: line) {
          report(progress)
          line.removeAll(keepingCapacity: true)
        } else {
          logLine()
        }
      }
    }
    if isWhole { isLogging = false }
  }

  private var mayBeProgress: Bool {
    line.count <= Self.lineLimit
      && line.prefix(Self.progressHead.count).elementsEqual(Self.progressHead.prefix(line.count))
  }

  private func logLine() {
    line.withUnsafeBytes { log.append($0) }
    line.removeAll(keepingCapacity: true)
  }
}
