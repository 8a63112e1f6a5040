// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Validation

/// The contents of a `.waypoints.db` or `.places.db`.
package struct CompanionListing: Listing {
  private let file: String
  private let kind: String
  private let statistics: CompanionStatistics

  /// Describes a file.
  package init(_ path: String, _ kind: CompanionKind) throws(CairnError) {
    file = path
    self.kind = "\(kind.rawValue).db"
    statistics = try CompanionStatistics(path, kind)
  }

  package var lines: [String] {
    var lines = [
      "\(file): .\(kind)",
      fact(String(kind.dropLast(3)), grouped(statistics.rows)),
      fact("with elevation", grouped(statistics.withElevation)),
    ]
    if let names = statistics.names, let words = statistics.words {
      lines.append(fact("names", "\(grouped(names)) of \(grouped(words)) words"))
    }
    if let pieces = statistics.linePieces { lines.append(fact("pieces of lines", grouped(pieces))) }
    if !statistics.categories.isEmpty {
      lines += ["categories"] + Self.counts(statistics.categories)
    }
    lines += ["kinds"] + Self.counts(statistics.kinds)
    return lines + ["metadata"]
      + statistics.metadata.sorted { $0.key < $1.key }.map { fact($0.key, $0.value) }
  }

  /// The most frequent ones first.
  private static func counts(_ counts: [String: Int]) -> [String] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { fact($0.key, grouped($0.value)) }
  }

  private enum CodingKeys: String, CodingKey { case file, kind }

  package func encode(to encoder: any Encoder) throws {
    try statistics.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(file, forKey: .file)
    try values.encode(kind, forKey: .kind)
  }
}
