// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit

/// A problem of a bundle.
package struct BundleFinding: Equatable, Sendable {
  /// The kind of problem.
  package enum Code: String, Sendable {
    /// `bundle.json` or `region.json` is missing or not Cairn's.
    case record
    /// A file of the bundle is missing.
    case missing
    /// A file's size differs from the record.
    case size
    /// A file's SHA-256 differs from the record.
    case digest
    /// A file is not recorded.
    case foreign
    /// `region.json` contradicts `bundle.json` or a database.
    case region
    /// A database breaks a rule.
    case database
    /// `index.json` contradicts the bundle.
    case index
  }

  package var code: Code
  /// The file, relative to the folder that was checked.
  package var file: String
  package var message: String
  /// A suggested remedy.
  package var advice: String

  /// The finding as one line: `west.routing.db: is missing (copy or download it again)`.
  package var line: String { printable("\(file): \(message) (\(advice))") }

  /// The finding as JSON.
  package var json: JSONValue {
    .object([
      "code": .text(code.rawValue), "file": .text(file), "message": .text(message),
      "advice": .text(advice),
    ])
  }

  static let copyAgain = "copy or download it again"
  static let publishAgain = "publish the region again with cairn run"
}

/// The findings about a bundle.
package struct BundleVerification: Equatable, Sendable {
  /// The folder.
  package var path: String
  /// The id of the region; the folder's name if the record does not state it.
  package var region: String
  package var files = 0
  package var bytes = 0
  package var findings: [BundleFinding] = []

  /// Whether there are no problems.
  package var isIntact: Bool { findings.isEmpty }

  /// The outcome as text: `west: 5 files, 1.2 MB: intact`, or the findings.
  package var text: String {
    let size = "\(grouped(files)) \(files == 1 ? "file" : "files"), \(byteSize(bytes))"
    guard !isIntact else { return "\(printable(region)): \(size): intact\n" }
    let count = findings.count == 1 ? "1 FINDING" : "\(grouped(findings.count)) FINDINGS"
    return "\(printable(region)): \(size): \(count)\n"
      + findings.map { "  \($0.line)\n" }.joined()
  }

  /// The outcome as JSON.
  package var json: JSONValue {
    .object([
      "path": .text(path), "region": .text(region), "intact": .boolean(isIntact),
      "files": .integer(files), "bytes": .integer(bytes),
      "findings": .list(findings.map(\.json)),
    ])
  }
}
