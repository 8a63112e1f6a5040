// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import ResultStore
import SystemIO

/// `runs/NUMBER/report.json`: the record of a run for later. Unlike published files it contains
/// times.
package struct RunRecord: Sendable {
  /// The number of records kept.
  package static let limit = 100

  package let store: ActionStore

  package init(store: ActionStore) {
    self.store = store
  }

  /// The numbers of the recorded runs, in order. Throws if they cannot be listed.
  package func numbers() throws(CairnError) -> [Int] {
    guard pathExists(store.runs) else { return [] }
    return try folderContents(store.runs).compactMap { Int($0) }
      .filter { isRealFolder(joinPath(store.runs, "\($0)")) && pathExists(path($0)) }.sorted()
  }

  package func path(_ number: Int) -> String { joinPath(store.runs, "\(number)/report.json") }

  /// Writes the record of a run and removes old ones. Returns its path.
  ///
  /// - Parameters:
  ///   - startTime: The start of the run, in seconds since 1970.
  ///   - manifest: The manifest's file.
  package func write(_ summary: RunSummary, manifest: String, startTime: Int) throws(CairnError)
    -> String
  {
    // If they are unknown, a new record might replace the first one.
    let old = try numbers()
    let number = (old.last ?? 0) + 1
    let folder = joinPath(store.runs, "\(number)")
    removeLink(folder)
    try makeOwnFolder(store.runs)
    try makeOwnFolder(folder)
    var record = summary.json
    record["run"] = .integer(number)
    record["manifest"] = .text(manifest)
    record["started"] = .text(timestampText(seconds: Int64(startTime)) ?? "")
    record["version"] = .text(cairnVersion)
    if let signal = summary.signal { record["signal"] = .text(signalName(signal)) }
    if let failure = summary.indexFailure { record["indexFailure"] = .text(failure.description) }
    let path = path(number)
    try writeCacheFile(try encodeJSON(JSONValue.object(record)), to: path)
    for number in old.dropLast(Self.limit - 1) {
      unlink(self.path(number))
      rmdir(joinPath(store.runs, "\(number)"))
    }
    return path
  }
}
