// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import SystemIO
import TrailData

/// The result that a region had with other changes to the same extract.
///
/// If the provenance would be the same now, the same changes reach the region, and so its content is
/// the same, see ``ChangeReach``. Two cases are excepted: the change files state versions of an object
/// in descending order, so that one that does not reach the region may decide which of the others
/// counts; and routes are nested so deeply that far ones decide how near ones are read.
struct EarlierExtract: Sendable {
  /// The key in reports of the number of changes that are older than those before.
  static let overtakenKey = "overtakenChanges"

  let path: String
  let provenance: Provenance
  let report: StageReport

  /// The files of a command line by the ids of their regions, without those that cannot be read. Throws
  /// 64 for an invalid word.
  static func all(_ arguments: Arguments) throws(CairnError) -> [String: EarlierExtract] {
    var found: [String: EarlierExtract] = [:]
    for word in arguments.all("earlier") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else {
        throw arguments.usageError("--earlier takes ID=FILE, not “\(printable(word))”")
      }
      found[String(parts[0])] = EarlierExtract(String(parts[1]))
    }
    return found
  }

  /// Nil if the file or its report cannot be read: the region is cut out anew then.
  private init?(_ path: String) {
    let reportPath = joinPath(splitPath(path).folder, "report.json")
    guard let provenance = (try? Provenance.ofContainer(path)) ?? nil,
      let bytes = try? InputFile(reportPath).readAll(limit: 16 << 20),
      let report = StageReport(json: bytes)
    else { return nil }
    (self.path, self.provenance, self.report) = (path, provenance, report)
  }

  /// Whether the changes that reach a region decide its content.
  var isSeparable: Bool {
    report.input[Self.overtakenKey] == nil && Self.areSeparable(report.warnings)
  }

  /// Whether that holds for candidates.
  static func isSeparable(_ candidates: OSMCandidates) -> Bool {
    candidates.overtakenChanges == 0 && areSeparable(candidates.warnings.entries)
  }

  private static func areSeparable(_ warnings: [WarningTally.Entry]) -> Bool {
    !warnings.contains { $0.kind == RouteMembership.tooDeepWarning }
  }
}
