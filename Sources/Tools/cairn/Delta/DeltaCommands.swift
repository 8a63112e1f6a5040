// SPDX-License-Identifier: Apache-2.0

import CairnDeltas
import CairnDiagnostics
import CairnFormatting
import CairnPlaceDatabase
import CairnRoutingDatabase
import CairnWaypoints
import CommandLineKit
import Requests
import SystemIO

/// `cairn delta make`: the changes between two versions of a file.
struct DeltaMakeCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn delta make",
    summary: "write the changes between two versions of a database",
    discussion: """
      Apps and cairn delta apply turn OLD and the delta into NEW, byte for byte. Routing databases \
      are compared by rows, other files by bytes. A bundle's folder stands for its routing \
      database.
      """,
    positionals: [
      .init("OLD", help: "the installed version"),
      .init("NEW", help: "the version to install"),
    ],
    options: [
      .option("output", "FILE", required: true, help: "delta to write"),
      .flag("bytes", help: "compare routing databases by bytes, too"),
    ],
    examples: ["cairn delta make monday/alps.routing.db alps.routing.db --output alps.delta"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let old = try routingPath(arguments.positionals[0])
    let new = try routingPath(arguments.positionals[1])
    let output = try AtomicOutput(
      try arguments.required("output"), replacing: DatabaseDelta.recognises(head:))
    let delta: DatabaseDelta
    do throws(DeltaError) {
      delta = try DatabaseDelta.make(
        from: old, to: new, method: arguments.has("bytes") ? .bytes : nil)
    } catch { throw error.ofCommand(at: nil) }
    try output.write(delta.fileContent)
    try output.commit()
    Console.note("cairn delta: \(delta.summary)")
    return .success
  }
}

/// `cairn delta apply`: the new version of a file.
struct DeltaApplyCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn delta apply",
    summary: "make the new version of a database from the old one",
    discussion: """
      OLD must be the version that the delta was made for. The result is checked before it gets \
      its name. It may replace OLD, which can be any file: a database, a tile archive.
      """,
    positionals: [
      .init("OLD", help: "the installed version"),
      .init("DELTA", help: "a file that cairn delta make wrote"),
    ],
    options: [.option("output", "NEW", required: true, help: "file to write")],
    examples: ["cairn delta apply alps.routing.db alps.delta --output alps.routing.db"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let (old, path) = (try routingPath(arguments.positionals[0]), arguments.positionals[1])
    let output: AtomicOutput
    do {
      let delta = try DatabaseDelta(path: path)
      let file = try arguments.required("output")
      output = try AtomicOutput(file) { isDatabase($0) || delta.isVersion(file) }
      try delta.rebuild(from: old) { bytes, offset throws(CairnError) in
        try output.write(bytes, at: offset)
      }
      try delta.check(output.temporaryPath)
    } catch let error as DeltaError { throw error.ofCommand(at: path) }
    try output.commit()
    return .success
  }

  private static func isDatabase(_ head: [UInt8]) -> Bool {
    RoutingSchema.recognises(head: head) || WaypointSchema.recognises(head: head)
      || PlaceSchema.recognises(head: head)
  }
}

/// `cairn delta show`: the versions and the content of a delta.
struct DeltaShowCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn delta show",
    summary: "print the versions that a delta is between",
    positionals: [.init("DELTA", help: "a file that cairn delta make wrote")],
    options: [.flag("json", help: "print JSON")],
    examples: ["cairn delta show alps.delta"])

  private struct Record: Encodable {
    struct Version: Encodable {
      var sha256: String
      var bytes: Int
      var osmDataDate: Nullable<String>

      init(_ version: DatabaseDelta.Version) {
        sha256 = version.sha256
        bytes = version.bytes
        osmDataDate = Nullable(version.dataDate)
      }
    }
    var formatVersion = DatabaseDelta.formatVersion
    var method: String
    var bytes: Int
    var old: Version
    var new: Version
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let path = arguments.positionals[0]
    let delta: DatabaseDelta
    do throws(DeltaError) { delta = try DatabaseDelta(path: path) } catch {
      throw error.ofCommand(at: path)
    }
    if arguments.has("json") {
      let record = Record(
        method: delta.method.name, bytes: delta.bytes, old: .init(delta.old),
        new: .init(delta.new))
      try Console.write(String(decoding: try encodeJSON(record), as: UTF8.self))
      return .success
    }
    var rows = [["delta", delta.summary]]
    for (name, version) in [("old", delta.old), ("new", delta.new)] {
      rows.append([
        name, "\(byteSize(version.bytes)), OpenStreetMap data of \(version.date)",
      ])
      rows.append(["", "SHA-256 \(version.sha256)"])
    }
    try Console.write(TextTable([.left, .left], rows: rows).text)
    return .success
  }
}

extension DatabaseDelta {
  /// Whether a file is one of the two versions, which no other program wrote; an unreadable one is
  /// not.
  fileprivate func isVersion(_ path: String) -> Bool {
    do throws(CairnError) {
      return [old.sha256, new.sha256].contains(try SHA256Digest.ofFile(path))
    } catch { return false }
  }

  fileprivate var summary: String {
    let share = new.bytes > 0 ? 100 * Double(bytes) / Double(new.bytes) : 100
    let size = "\(byteSize(bytes)), \(grouped(share, decimals: 2)) % of the new file"
    return "\(size), by \(method.name)"
  }
}

extension DatabaseDelta.Version {
  fileprivate var date: String { printable(dataDate ?? "unknown time") }
}

extension DatabaseDelta.Method {
  fileprivate var name: String { self == .rows ? "rows" : "bytes" }
}

extension DeltaError {
  /// The error of a command; with the path of the delta if it is about one.
  fileprivate func ofCommand(at path: String?) -> CairnError {
    let location: Location? =
      if case .unreadable = self { nil } else { path.map { Location(file: $0) } }
    return CairnError("delta", exitCode, description, at: location, hint: hint)
  }

  private var exitCode: ExitCode {
    switch self {
    case .unreadable: .noInput
    case .notADelta, .tooNew, .tooOld, .damaged, .wrongBase, .notReproduced: .dataError
    case .notWritten: .ioError
    }
  }

  private var hint: String? {
    switch self {
    case .wrongBase: "apply it to that version, or download the whole new file"
    case .tooNew, .notReproduced:
      "use the version of Cairn that made it, or download the whole "
        + "new file"
    case .damaged: "download it again, or download the whole new file"
    default: nil
    }
  }
}
