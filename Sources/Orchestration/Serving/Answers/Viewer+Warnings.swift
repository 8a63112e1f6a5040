// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Pipeline
import SystemIO

extension Viewer {
  /// Examples of each kind of warning.
  private static let mostExamples = 20

  /// The regions of the last runs; empty if no run of this machine made the databases. Throws if
  /// the records are damaged, since otherwise it would look as if there were no warnings.
  private static func recorded(_ output: String) throws(CairnError) -> [String: RecordedRun.Region]
  {
    do throws(CairnError) { return try RecordedRun.newestRegions(ofOutput: output) } catch {
      guard error.exitCode == .noInput else { throw error }
      return [:]
    }
  }

  /// The warnings of the last runs in the regions, as printed by `cairn warnings --json`, and the
  /// changed figures.
  func warnings(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    var outputs: [String: [String: RecordedRun.Region]] = [:]
    let regions = try data.parts.map { part throws(CairnError) in
      let (output, id) = splitPath(splitPath(part.path).folder)
      if outputs[output] == nil { outputs[output] = try Self.recorded(output) }
      let recorded = outputs[output] ?? [:]
      let known = recorded[id]
      var json = try RegionWarnings(id, known, database: part.path, limit: Self.mostExamples).json
      if case .object(var object) = json {
        let rows = (known?.drift ?? []).flatMap { report in
          report.rows.filter { $0.old != $0.new }.map { $0.summary(limit: report.limit) }
        }
        object["drift"] = .list(rows.map { .text($0) })
        json = .object(object)
      }
      return json
    }
    return HTTPAnswer(try encodeJSON(JSONValue.object(["regions": .list(regions)])))
  }
}
