// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import Glibc
import JSONKit
import SystemIO
import Validation

extension RunSummary {
  /// Whether everything existed already.
  package var isNothingToDo: Bool {
    indexFailure == nil && regions.allSatisfy { $0.status == .cached && !$0.isHeld }
  }

  /// 0 if all regions are published, 1 if some failed, 75 if the run was stopped, and the code of
  /// the error if the index could not be written.
  package var exitCode: ExitCode {
    if regions.contains(where: { $0.status == .stopped }), signal != nil {
      return .temporaryFailure
    }
    if let indexFailure { return indexFailure.exitCode }
    return failures.isEmpty ? .success : .negative
  }

  /// The summary as the last event of `--progress json`.
  package var json: [String: JSONValue] {
    [
      "seconds": rounded(wallSeconds), "exitCode": .integer(Int(exitCode.rawValue)),
      "regions": .list(regions.map { .object($0.json) }),
      "failures": .list(failures.map { .object($0.json) }),
      "left": .list(left.map { .text($0) }),
    ]
  }
}

extension RunFailure {
  /// The failure as JSON.
  package var json: [String: JSONValue] {
    var object: [String: JSONValue] = [
      "region": .text(region), "stage": .text(stage.rawValue), "message": .text(message),
    ]
    if let exitCode { object["exitCode"] = .integer(Int(exitCode)) }
    if let log { object["log"] = .text(log) }
    if !lastLines.isEmpty { object["lastLines"] = .list(lastLines.map { .text($0) }) }
    return object
  }
}

extension RegionSummary {
  /// The region as JSON.
  var json: [String: JSONValue] {
    var object: [String: JSONValue] = [
      "id": .text(id), "status": .text(status.rawValue), "held": .boolean(isHeld),
      "edges": edges.map { .integer($0) } ?? .null, "bytes": bytes.map { .integer($0) } ?? .null,
      "seconds": rounded(wallSeconds), "warnings": warnings.map { .integer($0.total) } ?? .null,
      "stages": .list(
        stages.map { stage in
          var object: [String: JSONValue] = [
            "stage": .text(stage.stage.rawValue), "cached": .boolean(stage.seconds == nil),
            "warnings": .integer(stage.warnings),
          ]
          if let seconds = stage.seconds { object["seconds"] = rounded(seconds) }
          if let start = stage.startSeconds { object["start"] = rounded(start) }
          if let key = stage.key { object["key"] = .text(key) }
          if let bytes = stage.peakBytes { object["peakBytes"] = .integer(bytes) }
          return .object(object)
        }),
    ]
    if let heldBack { object["heldBack"] = .text(heldBack) }
    if !drift.isEmpty { object["drift"] = .list(drift.map(\.json)) }
    return object
  }
}

extension DriftReport {
  /// The report as JSON, without the path of the baseline, which the publishing moves.
  var json: JSONValue {
    let rows = rows.map { row -> JSONValue in
      .object([
        "name": .text(row.name), "old": .number(row.old), "new": .number(row.new),
        "change": row.change.map { .number($0) } ?? .null, "exceeds": .boolean(row.exceeds),
      ])
    }
    return .object([
      "baseline": "", "limit": limit.map { .number($0) } ?? .null, "rows": .list(rows),
    ])
  }
}
