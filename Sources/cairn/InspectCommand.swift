// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import TrailData

/// `cairn inspect`: what is in a `.trails`, `.elevated` or `.graph` file.
struct InspectCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn inspect",
    summary: "show what is in a .trails, .elevated or .graph file",
    positionals: [.init("FILE", help: "a file that a stage wrote")],
    options: [.flag("json", help: "print JSON")],
    examples: ["cairn inspect build/valley.graph"])

  private struct Listing: Encodable {
    struct Column: Encodable {
      var name: String
      var type: String
      var count: Int
      var bytes: Int
    }
    var file: String
    var kind: String
    var formatVersion: UInt32
    var bytes: Int
    var provenance: Provenance
    var columns: [Column]
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let container = try ContainerReader(arguments.positionals[0])
    if arguments.has("json") {
      let listing = Listing(
        file: container.path, kind: container.kind.fileExtension,
        formatVersion: container.kind.formatVersion, bytes: container.byteCount,
        provenance: container.provenance,
        columns: container.sections.map {
          .init(name: $0.name, type: $0.typeName, count: $0.count, bytes: $0.byteCount)
        })
      try Console.write(String(decoding: try encodeJSON(listing), as: UTF8.self))
      return .success
    }
    var lines = [
      "\(container.path): .\(container.kind.fileExtension), format version "
        + "\(container.kind.formatVersion), \(grouped(container.byteCount)) bytes"
    ]
    lines += facts(container.provenance)
    for section in container.sections {
      lines.append(
        "  \(section.name.padded(to: 20))\(section.typeName.padded(to: 8))"
          + "\(grouped(section.count)) (\(grouped(section.byteCount)) bytes)")
    }
    try Console.write(lines.map { printable($0) + "\n" }.joined())
    return .success
  }

  private static func facts(_ provenance: Provenance) -> [String] {
    var rows = [("made by", provenance.tool)]
    if let source = provenance.source {
      rows.append(("source", "\(source.name), SHA-256 \(source.sha256)"))
    }
    rows.append(("data of", provenance.dataTimestamp ?? "unknown time"))
    rows.append(("region", provenance.region ?? "everything"))
    if let tiles = provenance.elevationTiles {
      rows.append(("elevation", tiles.isEmpty ? "none" : tiles.joined(separator: ", ")))
    }
    rows += provenance.counts.sorted { $0.key < $1.key }.map { ($0.key, grouped($0.value)) }
    return rows.map { "  \($0.0.padded(to: 20))\($0.1)" }
  }
}

extension String {
  /// The text followed by spaces up to a width, at least one.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
