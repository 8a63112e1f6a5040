// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import FoundationEssentials
import Glibc
import Manifests
import ResultStore
import SystemIO

/// An attempt that runs, or ran, as a job of Slurm: its folder, and what is recorded there.
package struct SlurmAttempt: Sendable {
  /// What is recorded before a job is submitted, and again when its id is known: if the run is
  /// killed in between, the job is found in the queue by its name.
  package struct Record: Codable, Equatable, Sendable {
    package var name: String
    var job: String?
    /// The keys of the job's actions, by region.
    package var keys: [String: String]
    /// The memory that was asked for, if any.
    package var memoryMiB: Int?
    /// What the job depends on, if not all of its inputs existed yet: then it finds the key itself.
    package var open: [ActionKey.Component]?
  }

  /// What the job is to run: written by the orchestrator, read by the job.
  static let orderName = "order.json"
  package static let recordName = "slurm.json"
  /// What the job itself prints.
  static let logName = "slurm.log"

  /// The names of the files that an attempt on a cluster has besides those of every attempt.
  package static let fileNames = [
    orderName, recordName, logName, "job.sh", FollowingAttempt.inputFolder,
  ]

  package let folder: String
  package var record: Record

  /// Names an attempt for Slurm: readable and unique.
  package init(
    folder: String, region: String, stage: Stage, keys: [String: String], memoryMiB: Int?,
    open: [ActionKey.Component]? = nil
  ) throws(CairnError) {
    self.folder = folder
    let sum = SHA256Digest()
    sum.update(absolutePath(folder))
    for (region, key) in keys.sorted(by: { $0.key < $1.key }) { sum.update(" \(region) \(key)") }
    record = Record(
      name: "cairn.\(region).\(stage.rawValue).\(sum.finish().prefix(16))", keys: keys,
      memoryMiB: memoryMiB, open: open)
  }

  /// Reads the record in an attempt's folder; nil if it was not a job of Slurm.
  package init?(folder: String) {
    guard let record: Record = readRecord(joinPath(folder, Self.recordName)) else { return nil }
    self.folder = folder
    self.record = record
  }

  /// Records what is known of the job.
  package func save() throws(CairnError) {
    try writeCacheFile(try encodeJSON(record), to: joinPath(folder, Self.recordName))
  }

  /// Whether it does the work of some actions.
  package func does(_ actions: [ReadyAction]) -> Bool {
    if let open = record.open {
      return actions.count == 1
        && actions.allSatisfy { JobDescription.matches(open, $0.resolved.key.components) }
    }
    return actions.allSatisfy { record.keys[$0.region] == $0.resolved.key.digest }
  }

  /// Whether it was submitted ahead and never began: an input was not made, or Slurm dropped it
  /// with the job before, whose node was lost although it had handed over its result.
  var neverBegan: Bool {
    guard let open = record.open, result?.exit != 0 else { return false }
    let inputs = joinPath(folder, FollowingAttempt.inputFolder)
    return open.compactMap { FollowingAttempt.inputName(ofMark: $0.value) }
      .contains { !pathExists(joinPath(inputs, $0)) }
      || result == nil && !pathExists(joinPath(folder, "command.json"))
  }

  /// How it ended, if it did.
  package var result: ActionResult? { readRecord(joinPath(folder, "result.json")) }

  /// What it ran and why, if it has begun.
  package var command: ActionCommand? { readRecord(joinPath(folder, "command.json")) }

  /// Writes the job's script and returns its path.
  ///
  /// - Parameter cairn: The path of the executable that runs what is described.
  func writeScript(_ description: JobDescription, cairn: String) throws(CairnError) -> String {
    try writeCacheFile(
      try encodeJSON(description), to: joinPath(folder, Self.orderName), mode: 0o600)
    let words = [cairn, AttemptCommand.name, folder].map(shellQuoted).joined(separator: " ")
    let script = "#!/bin/sh\ncd \(shellQuoted(absolutePath("."))) && exec \(words)\n"
    let path = joinPath(folder, "job.sh")
    try writeCacheFile(Array(script.utf8), to: path)
    return absolutePath(path)
  }
}

/// A word as `sh` reads it back: in single quotes, with those that are part of it written apart.
func shellQuoted(_ word: String) -> String {
  "'" + word.replacing(scalar: "'", with: #"'\''"#) + "'"
}

private func readRecord<Value: Decodable>(_ path: String) -> Value? {
  guard let bytes = try? InputFile(path).readAll(limit: 16 << 20) else { return nil }
  return try? JSONDecoder().decode(Value.self, from: Data(bytes))
}
