// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import StageKit

extension RunSummary {
  /// Whether everything was there already.
  var isNothingToDo: Bool { regions.allSatisfy { $0.status == .cached } }

  /// The table at the end of a run, or one line if there was nothing to do.
  var text: String {
    if isNothingToDo {
      let count = regions.count == 1 ? "1 region" : "\(regions.count) regions"
      return "\(count) up to date, nothing to do (\(milliseconds(wallSeconds)))\n"
    }
    var rows = [["region", "edges", "size", "time", ""]]
    for region in regions {
      rows.append([
        region.id, region.edges.map { grouped($0) } ?? "–",
        region.bytes.map { humanBytes($0) } ?? "–",
        region.wallSeconds > 0 ? milliseconds(region.wallSeconds) : "–", word(region.status),
      ])
    }
    return table(rows) + "\(counts) in \(milliseconds(wallSeconds))\n"
  }

  /// What went wrong, for stderr: reason, end of the log, and where the log is.
  var failureLines: [String] {
    var lines: [String] = []
    for failure in failures {
      lines.append("\(failure.region): \(failure.stage.rawValue) failed: \(failure.message)")
      lines += failure.lastLines.map { "  | \($0)" }
      if let log = failure.log { lines.append("  log: \(log)") }
    }
    if let signal {
      let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal]
      lines.append(
        "stopped by \(name ?? "signal \(signal)"); what is finished is kept: "
          + "run the same command again to continue")
    }
    return lines
  }

  /// 0 if all regions are there, 1 if some failed, 75 if the run was stopped before its end.
  var exitCode: ExitCode {
    if regions.contains(where: { $0.status == .stopped }), signal != nil {
      return .temporaryFailure
    }
    return failures.isEmpty ? .success : .negative
  }

  /// The summary as the last event of `--progress json`.
  var json: JSONValue {
    .object([
      "event": "summary", "seconds": rounded(wallSeconds),
      "regions": .list(
        regions.map { region in
          .object([
            "id": .text(region.id), "status": .text(region.status.rawValue),
            "edges": region.edges.map { .integer($0) } ?? .null,
            "bytes": region.bytes.map { .integer($0) } ?? .null,
            "seconds": rounded(region.wallSeconds),
          ])
        }),
    ])
  }

  private var counts: String {
    let order: [RegionSummary.Status] = [.built, .cached, .failed, .stopped]
    return order.compactMap { status in
      let count = regions.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(word(status))"
    }.joined(separator: ", ")
  }

  private func word(_ status: RegionSummary.Status) -> String {
    status == .failed ? "FAILED" : status.rawValue
  }

  /// The first column and the last one to the left, numbers to the right.
  private func table(_ rows: [[String]]) -> String {
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += (column > 0 ? "  " : "") + (column % 4 == 0 ? cell + padding : padding + cell)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

/// `512 B`, `9.8 kB`, `1.2 MB`, `3.4 GB`.
func humanBytes(_ bytes: Int) -> String {
  let units = ["kB", "MB", "GB", "TB"]
  guard bytes >= 1000 else { return "\(bytes) B" }
  var tenths = bytes / 100
  var unit = 0
  while tenths >= 10_000, unit < units.count - 1 {
    tenths /= 1000
    unit += 1
  }
  return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
