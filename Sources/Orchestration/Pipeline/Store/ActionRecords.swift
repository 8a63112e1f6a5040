// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Formatting
import FoundationEssentials
import Glibc
import SystemIO
import TrailData

/// A file's size and content.
struct FileRecord: Codable, Equatable, Sendable {
  var bytes: Int
  /// The SHA-256 of the file; of a result that is a container its ``ContainerDigest``, since reading
  /// all of it would take about as long as a stage does.
  var sha256: String

  /// Whether ``sha256`` is the digest of a container.
  var isOfContainer: Bool { sha256.hasPrefix(ContainerDigest.prefix) }
}

/// How an attempt ended: the content of `result.json`, which is written last.
struct ActionResult: Codable, Equatable, Sendable {
  /// The exit status, or nil if a signal ended it.
  var exit: Int32?
  /// The signal that ended it, if one did.
  var signal: Int32?
  /// Why the orchestrator stopped it, if it did.
  var reason: String?
  /// Whether another attempt may succeed although this one was ended from outside: its node was lost.
  var mayPass: Bool?
  var wallSeconds: Double
  var cpuSeconds: Double
  var peakBytes: Int
  /// What it made, by file name; empty unless `exit` is 0.
  var outputs: [String: FileRecord] = [:]
  /// The stage's report, of which a part is published; nil if there is none, or if an older version
  /// of Cairn recorded this.
  var report: FileRecord?
  /// The ``systemStart`` since which the outputs were written, if nobody waited until they were on
  /// the disk. After another start they are compared with their digests before they are used.
  var start: String?
}

/// What was run and why: the content of `command.json`.
struct ActionCommand: Codable, Sendable {
  var region: String
  var stage: String
  var key: String
  var components: [ActionKey.Component]
  var command: [String]
}

/// An action whose result exists.
struct FinishedAction: Sendable {
  /// The folder that holds the result, the log and the report.
  let folder: String
  /// The path of the result.
  let product: String
  /// Its size and digest.
  let record: FileRecord
  /// How it was made.
  let result: ActionResult
  /// What it depended on.
  var components: [ActionKey.Component] = []

  /// A file that an action made.
  struct Product: Sendable {
    let path: String
    let record: FileRecord
  }

  /// The result that later stages read.
  var main: Product { Product(path: product, record: record) }

  /// All results by their names.
  var products: [String: Product] {
    Dictionary(
      uniqueKeysWithValues: result.outputs.map { name, record in
        (name, Product(path: joinPath(folder, name), record: record))
      })
  }
}

extension ActionResult {
  /// Sizes and digests of what a program left that succeeded; nil if something is missing.
  static func outputs(_ names: [String], in folder: String) throws(CairnError)
    -> [String: FileRecord]?
  {
    var outputs: [String: FileRecord] = [:]
    for name in names {
      let path = joinPath(folder, name)
      guard isFile(path) else { return nil }
      outputs[name] = try FileRecord(ofResult: path)
    }
    return outputs
  }
}

extension StageReport {
  /// Reads the report in the folder of an attempt or a result; nil if there is none.
  init?(inFolder folder: String) {
    let path = joinPath(folder, ActionStore.reportName)
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let report = try? JSONDecoder().decode(StageReport.self, from: Data(bytes))
    else { return nil }
    self = report
  }

  /// The digest of the source that a decoder read, if it says it.
  var sourceDigest: String? {
    if case .text(let digest)? = input["sha256"] { digest } else { nil }
  }
}

extension [ActionKey.Component] {
  /// The digest of the source, if the action reads one.
  var sourceDigest: String? { first { $0.name.hasPrefix(ActionKey.sourceRole) }?.value }
}

extension FileRecord {
  /// Reads a result of a stage; of a container only what describes it.
  init(ofResult path: String) throws(CairnError) {
    if let digest = try ContainerDigest.of(path) {
      self.init(bytes: try InputFile(path).size, sha256: digest)
    } else {
      try self.init(of: path)
    }
  }

  /// Reads a file.
  init(of path: String) throws(CairnError) {
    self.init(bytes: try InputFile(path).size, sha256: try SHA256Digest.ofFile(path))
  }
}

extension ActionResult {
  /// How a program failed, and why as far as that is known: `cairn-decode-pbf ended with exit code
  /// 65 (bad input data): a.osm.pbf: is not a PBF file`.
  func ending(of program: String, log: String) -> String {
    if let reason { return "\(program) \(reason)" }
    guard let exit else {
      let signal = signal ?? 0
      let hint =
        switch signal {
        case SIGKILL: ": perhaps memory ran out"
        case SIGBUS: ": perhaps a file was truncated while it was read, or the disk failed"
        default: ""
        }
      return "\(program) was ended by signal \(signal) (\(signalName(signal)))\(hint)"
    }
    let meaning = ExitCode(rawValue: exit).map { " (\($0.meaning))" } ?? ""
    let error = lastError(log).map { ": " + printable($0) } ?? ""
    return "\(program) ended with exit code \(exit)\(meaning)\(error)"
  }
}
