// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// A finding of an earlier run.
package struct EarlierFinding: Equatable, Sendable {
  /// See ``MapFinding/id``.
  package var id: String
  /// Its feature, as it was written.
  var feature: JSONValue

  /// The findings in a file written by `cairn lint` as GeoJSON or for MapRoulette, except those
  /// that were gone then. Throws 65 for another file, 66 if it cannot be read.
  package static func read(_ path: String) throws(CairnError) -> [EarlierFinding] {
    let bytes = try InputFile(path).readAll(limit: 1 << 30)
    // A file of one format has no record separators, and one of the other has nothing else.
    var found: [EarlierFinding] = []
    for record in bytes.split(separator: recordSeparator) {
      guard let features = JSONValue(json: Array(record))?.object?["features"]?.list else {
        throw unreadable(path)
      }
      for feature in features {
        guard case .object(var parts) = feature, case .text(let id)? = parts["id"],
          case .object(var properties)? = parts["properties"], isFindingID(id)
        else { throw unreadable(path) }
        if properties["change"] == "gone" { continue }
        properties["change"] = "gone"
        parts["properties"] = .object(properties)
        found.append(EarlierFinding(id: id, feature: .object(parts)))
      }
    }
    return found
  }

  private static func unreadable(_ path: String) -> CairnError {
    CairnError(
      .wrongFileKind, .dataError, "has no findings from an earlier run", at: Location(file: path),
      hint: "give the output of cairn lint with --format geojson or maproulette")
  }
}

/// The ids in a list of ignored findings: one a line, with remarks after `#`.
///
/// Throws 65 for an invalid line, 66 if the file cannot be read.
package func ignoredFindings(_ path: String) throws(CairnError) -> Set<String> {
  let bytes = try InputFile(path).readAll(limit: 64 << 20)
  var ids: Set<String> = []
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    let text = line.prefix { $0 != UInt8(ascii: "#") }
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let word = words.first else { continue }
    guard words.count == 1, isFindingID(word) else {
      throw CairnError(
        "finding-id", .dataError,
        "is not a finding: “\(text.count > 80 ? "a long line" : words.joined(separator: " "))”",
        at: Location(file: path, .line(index + 1, column: 1)),
        hint: "give one id per line, such as loose-end/n123, as cairn lint prints it")
    }
    ids.insert(String(word))
  }
  return ids
}

/// Whether a text has the form of ``MapFinding/id``; its kind may be one of another version.
func isFindingID(_ text: some StringProtocol) -> Bool {
  let parts = text.split(separator: "/", omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[0].isEmpty,
    parts[0].utf8.allSatisfy({ 97...122 ~= $0 || $0 == UInt8(ascii: "-") })
  else { return false }
  return parts[1].split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
    ["n", "w", "r"].contains($0.prefix(1)) && Int64($0.dropFirst()) != nil
  }
}
