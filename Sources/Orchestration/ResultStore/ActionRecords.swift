// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import SystemIO
import TrailData

/// How an attempt ended: the content of `result.json`, which is written last.
package struct ActionResult: Decodable, Equatable, Sendable {
  /// The exit status, or nil if a signal ended it.
  package var exit: Int32?
  /// The signal that ended it, if any.
  package var signal: Int32?
  /// Why the orchestrator stopped it, if it did.
  package var reason: String?
  /// Whether another attempt may succeed although this one was ended from outside: its node was
  /// lost.
  package var mayPass: Bool?
  package var wallSeconds: Double
  package var cpuSeconds: Double
  package var peakBytes: Int
  /// Its outputs, by file name; empty unless `exit` is 0.
  package var outputs: [String: FileRecord] = [:]
  /// The stage's report, part of which is published; nil if there is none, or in a record of an
  /// older version.
  package var report: FileRecord?
  /// The ``systemStart`` since which the outputs were written, if they were not flushed. After a
  /// reboot they are compared with their digests before use.
  package var start: String?

  package init(
    exit: Int32? = nil, signal: Int32? = nil, reason: String? = nil, mayPass: Bool? = nil,
    wallSeconds: Double, cpuSeconds: Double, peakBytes: Int, outputs: [String: FileRecord] = [:],
    report: FileRecord? = nil, start: String? = nil
  ) {
    self.exit = exit
    self.signal = signal
    self.reason = reason
    self.mayPass = mayPass
    self.wallSeconds = wallSeconds
    self.cpuSeconds = cpuSeconds
    self.peakBytes = peakBytes
    self.outputs = outputs
    self.report = report
    self.start = start
  }
}

extension ActionResult {
  /// The content of the file.
  package var json: JSONValue {
    var object: [String: JSONValue] = [
      "wallSeconds": .number(wallSeconds), "cpuSeconds": .number(cpuSeconds),
      "peakBytes": .integer(peakBytes), "outputs": .object(outputs.mapValues(\.json)),
    ]
    object["exit"] = exit.map { .integer(Int($0)) }
    object["signal"] = signal.map { .integer(Int($0)) }
    object["reason"] = reason.map { .text($0) }
    object["mayPass"] = mayPass.map { .boolean($0) }
    object["report"] = report?.json
    object["start"] = start.map { .text($0) }
    return .object(object)
  }
}

extension FileRecord {
  fileprivate var json: JSONValue {
    .object(["bytes": .integer(bytes), "sha256": .text(sha256)])
  }
}

/// The command and the reason for running it: the content of `command.json`.
package struct ActionCommand: Codable, Sendable {
  package var region: String
  package var stage: String
  package var key: String
  package var components: [ActionKey.Component]
  package var command: [String]

  package init(
    region: String, stage: String, key: String, components: [ActionKey.Component],
    command: [String]
  ) {
    self.region = region
    self.stage = stage
    self.key = key
    self.components = components
    self.command = command
  }

  /// The content of the file.
  package var json: JSONValue {
    .object([
      "region": .text(region), "stage": .text(stage), "key": .text(key),
      "components": .list(
        components.map { .object(["name": .text($0.name), "value": .text($0.value)]) }),
      "command": .list(command.map { .text($0) }),
    ])
  }
}

/// An action with an existing result.
package struct FinishedAction: Sendable {
  /// The folder that holds the result, the log and the report.
  package let folder: String
  /// The path of the result.
  package let product: String
  /// Its size and digest.
  package let record: FileRecord
  /// How it was made.
  package let result: ActionResult
  /// Its inputs.
  package var components: [ActionKey.Component] = []

  package init(
    folder: String, product: String, record: FileRecord, result: ActionResult,
    components: [ActionKey.Component] = []
  ) {
    self.folder = folder
    self.product = product
    self.record = record
    self.result = result
    self.components = components
  }

  /// A file that an action made.
  package struct Product: Sendable {
    package let path: String
    package let record: FileRecord

    package init(path: String, record: FileRecord) {
      self.path = path
      self.record = record
    }
  }

  /// The result that later stages read.
  package var main: Product { Product(path: product, record: record) }

  /// All results by their names.
  package var products: [String: Product] {
    Dictionary(
      uniqueKeysWithValues: result.outputs.map { name, record in
        (name, Product(path: joinPath(folder, name), record: record))
      })
  }
}

extension ActionResult {
  /// The result of a program that was ended from outside.
  package init(signal: Int32? = nil, reason: String, mayPass: Bool = false) {
    self.init(
      exit: nil, signal: signal, reason: reason, wallSeconds: 0, cpuSeconds: 0, peakBytes: 0)
    self.mayPass = mayPass
  }

  /// Sizes and digests of a successful program's outputs; nil if one is missing.
  package static func outputs(_ names: [String], in folder: String) throws(CairnError)
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
  package init?(inFolder folder: String) {
    guard let bytes = Self.bytes(inFolder: folder) else { return nil }
    self.init(json: bytes)
  }

  /// The warnings of a report alone, which are a small part of it; none if it cannot be read.
  package static func warnings(inFolder folder: String) -> [WarningTally.Entry] {
    bytes(inFolder: folder).flatMap { warnings(json: $0) } ?? []
  }

  private static func bytes(inFolder folder: String) -> [UInt8]? {
    try? InputFile(joinPath(folder, ActionStore.reportName)).readAll(limit: 16 << 20)
  }
}

extension [ActionKey.Component] {
  /// The digest of the source, if the action reads one.
  package var sourceDigest: String? { first { $0.name.hasPrefix(ActionKey.sourceRole) }?.value }

  /// Whether the components of another key are the same but for the changes to the source.
  package func differOnlyInChanges(from other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        $0 == $1 || $0.name == $1.name && $0.name.hasPrefix(ActionKey.changesRole)
      }
  }
}

extension FileRecord {
  /// Reads a stage's result; of a container only its description.
  package init(ofResult path: String) throws(CairnError) {
    if let digest = try ContainerDigest.of(path) {
      self.init(bytes: try InputFile(path).size, sha256: digest)
    } else {
      try self.init(of: path)
    }
  }
}

extension ActionResult {
  /// How a program failed, with the cause if known: `cairn-decode-pbf ended with exit code 65 (bad
  /// input data): a.osm.pbf: is not a PBF file`.
  package func ending(of program: String, log: String) -> String {
    if let reason { return "\(program) \(reason)" }
    guard let exit else {
      let signal = signal ?? 0
      let hint =
        switch signal {
        case SIGKILL: ": it may have run out of memory"
        case SIGBUS: ": a file may have been truncated while being read, or the disk failed"
        default: ""
        }
      return "\(program) was ended by signal \(signal) (\(signalName(signal)))\(hint)"
    }
    let meaning = ExitCode(rawValue: exit).map { " (\($0.meaning))" } ?? ""
    let error = lastError(log).map { ": " + printable($0) } ?? ""
    return "\(program) ended with exit code \(exit)\(meaning)\(error)"
  }
}
