// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import TrailData

/// The contents of a `.trails`, `.elevated` or `.graph` file.
package struct ContainerListing: Listing {
  private struct Column: Encodable {
    var name: String
    var type: String
    var count: Int
    var bytes: Int
  }

  private let file: String
  private let kind: String
  private let formatVersion: UInt32
  private let bytes: Int
  private let provenance: Provenance
  private let columns: [Column]

  /// Describes a file.
  package init(_ container: ContainerReader) {
    file = container.path
    kind = container.kind.fileExtension
    formatVersion = container.kind.formatVersion
    bytes = container.byteCount
    provenance = container.provenance
    columns = container.sections.map {
      Column(name: $0.name, type: $0.typeName, count: $0.count, bytes: $0.byteCount)
    }
  }

  package var lines: [String] {
    ["\(file): .\(kind), format version \(formatVersion), \(byteSize(bytes))"] + facts
      + columns.map {
        fact(
          $0.name,
          ($0.type + " ").padded(to: 8) + "\(grouped($0.count)) (\(grouped($0.bytes)) bytes)")
      }
  }

  private var facts: [String] {
    var rows = [("made by", provenance.tool)]
    if let source = provenance.source {
      rows.append(("source", "\(source.name), SHA-256 \(source.sha256)"))
    }
    if let changes = provenance.changes {
      rows.append(("changes", changes.map(\.name).joined(separator: ", ")))
    }
    rows.append(("data of", provenance.dataTimestamp ?? "unknown time"))
    rows.append(("region", provenance.region ?? "everything"))
    if let tiles = provenance.elevationTiles {
      rows.append(("elevation", tiles.isEmpty ? "none" : tiles.joined(separator: ", ")))
    }
    rows += provenance.counts.sorted { $0.key < $1.key }.map { ($0.key, grouped($0.value)) }
    return rows.map { fact($0.0, $0.1) }
  }
}
