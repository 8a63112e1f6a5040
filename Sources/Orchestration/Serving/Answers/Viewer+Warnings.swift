// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Pipeline
import SystemIO

extension Viewer {
  /// Examples of each kind of warning.
  private static let mostExamples = 20

  /// The warnings of the regions' bundles, as printed by `cairn warnings --json`, and the
  /// changed figures.
  func warnings(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let regions = try data.parts.map { part throws(CairnError) in
      let (output, id) = splitPath(splitPath(part.path).folder)
      let found = try RegionWarnings(
        id, inOutput: output, database: part.path, limit: Self.mostExamples)
      guard case .object(var object) = found.json else { return found.json }
      let rows = found.drift.flatMap { report in
        report.rows.filter { $0.old != $0.new }.map { $0.summary(limit: report.limit) }
      }
      object["drift"] = .list(rows.map { .text($0) })
      return .object(object)
    }
    return HTTPAnswer(try encodeJSON(JSONValue.object(["regions": .list(regions)])))
  }
}
