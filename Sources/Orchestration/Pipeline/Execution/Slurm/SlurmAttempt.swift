import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import Glibc
import SystemIO

/// An attempt that runs, or ran, as a job of Slurm: its folder, and what was noted down there.
struct SlurmAttempt: Sendable {
  /// What is noted down before a job is submitted, and again when its id is known: of a kill in
  /// between the name is left, by which the job is found in the queue.
  struct Record: Codable, Equatable, Sendable {
    var name: String
    var job: String?
    /// The keys that the job works on, by region.
    var keys: [String: String]
    /// The memory that was asked for, if any.
    var memoryMiB: Int?
    /// What the job depends on, if its input was still to be made: then it finds the key itself.
    var open: [ActionKey.Component]?
  }

  /// What is to be run: written by the orchestrator, read by the job.
  static let orderName = "order.json"
  static let recordName = "slurm.json"

  /// The folder, within that of the attempt, of an input that another job is to make.
  static let inputFolder = "input"

  let folder: String
  var record: Record

  /// Names an attempt for Slurm: readable, and no other one's name.
  init(
    folder: String, region: String, stage: Stage, keys: [String: String], memoryMiB: Int?,
    open: [ActionKey.Component]? = nil
  ) throws(CairnError) {
    self.folder = folder
    let sum = SHA256Digest()
    sum.update(absolutePath(folder))
    for (region, key) in keys.sorted(by: { $0.key < $1.key }) { sum.update(" \(region) \(key)") }
    record = Record(
      name: "cairn.\(region).\(stage.rawValue).\(try sum.finish().prefix(16))", keys: keys,
      memoryMiB: memoryMiB, open: open)
  }

  /// Reads what an attempt's folder says; nil if that was no attempt of Slurm's.
  init?(folder: String) {
    guard let record: Record = readRecord(joinPath(folder, Self.recordName)) else { return nil }
    self.folder = folder
    self.record = record
  }

  /// Notes down what is known of the job.
  func save() throws(CairnError) {
    try writeCacheFile(try encodeJSON(record), to: joinPath(folder, Self.recordName))
  }

  /// Whether it does the work of some steps.
  func does(_ steps: [Step]) -> Bool {
    if let open = record.open {
      return steps.count == 1
        && steps.allSatisfy { JobOrder.matches(open, $0.resolved.key.components) }
    }
    return steps.allSatisfy { record.keys[$0.region] == $0.resolved.key.digest }
  }

  /// Whether it was submitted ahead of its time and never came to work: its input was not made, or
  /// Slurm dropped it with the job before, whose node was lost although it had handed its result
  /// over.
  var neverBegan: Bool {
    guard record.open != nil, result?.exit != 0 else { return false }
    let inputs = (try? folderContents(joinPath(folder, Self.inputFolder))) ?? []
    return inputs.isEmpty || result == nil && !pathExists(joinPath(folder, "command.json"))
  }

  /// How it ended, if it did.
  var result: ActionResult? { readRecord(joinPath(folder, "result.json")) }

  /// Writes the job's script and returns its path.
  ///
  /// - Parameter cairn: The path of the executable that runs the order.
  func writeScript(_ order: JobOrder, cairn: String) throws(CairnError) -> String {
    try writeCacheFile(try encodeJSON(order), to: joinPath(folder, Self.orderName))
    let words = [cairn, AttemptCommand.name, folder].map(shellQuoted).joined(separator: " ")
    let script = "#!/bin/sh\ncd \(shellQuoted(absolutePath("."))) && exec \(words)\n"
    let path = joinPath(folder, "job.sh")
    try writeCacheFile(Array(script.utf8), to: path)
    return absolutePath(path)
  }
}

/// A path from the root.
func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  return joinPath(String(cString: here), path == "." ? "" : path)
}

/// A word as `sh` reads it back: in single quotes, with those that are part of it written apart.
func shellQuoted(_ word: String) -> String {
  "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    + "'"
}

private func readRecord<Value: Decodable>(_ path: String) -> Value? {
  guard let bytes = try? InputFile(path).readAll(limit: 16 << 20) else { return nil }
  return try? JSONDecoder().decode(Value.self, from: Data(bytes))
}
