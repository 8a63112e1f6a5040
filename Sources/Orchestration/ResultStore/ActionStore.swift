// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import Glibc
import Manifests
import SystemIO
import TrailData

/// The folder `OUTPUT/.cairn`, which keeps results under their keys.
///
/// An attempt runs in `attempts/REGION.STAGE.PID.RANDOM` and, once it has succeeded and its
/// `result.json` is written, becomes `actions/KEY` by a rename. What is under `actions` is
/// therefore complete; what a killed run leaves under `attempts` is never used, not even where a
/// stage that outlived its orchestrator still writes there.
package struct ActionStore: Sendable {
  /// `OUTPUT/.cairn`.
  package let root: String
  /// Whether the digests of results are checked before they are used.
  package var isParanoid = false
  /// What is known of the digests of files; nil if they are to be read.
  package var digests: DigestCache?
  /// The present ``systemStart``.
  package var systemStart = SystemIO.systemStart

  /// The name of a stage's report in the folder of its attempt.
  package static let reportName = "report.json"

  /// The store at a path.
  package init(root: String, isParanoid: Bool = false, digests: DigestCache? = nil) {
    self.root = root
    self.isParanoid = isParanoid
    self.digests = digests
  }

  /// The store of an output folder, which need not exist.
  package init(ofOutput output: String) { self.init(root: joinPath(output, StoreFolder.name)) }

  package var lockPath: String { joinPath(root, "lock") }
  package var digestsPath: String { joinPath(root, "digests.json") }
  package var historyPath: String { joinPath(root, "history.json") }
  package var attempts: String { joinPath(root, "attempts") }
  package var actions: String { joinPath(root, "actions") }
  package var latest: String { joinPath(root, "latest") }
  /// Folders of the bundles that were published before, by region.
  package var previous: String { joinPath(root, "previous") }
  /// Deltas from earlier files to published ones, by the digest of the old file.
  package var deltas: String { joinPath(root, "deltas") }
  /// The records of the bundles that were rolled back, by region.
  package var rejected: String { joinPath(root, "rejected") }
  /// A folder for each run that came to an end.
  package var runs: String { joinPath(root, "runs") }

  /// A folder in which bundles are assembled before they are published.
  package var staging: String { joinPath(root, "staging") }

  /// The part of a download that was received so far, by the digest that it must have.
  package func partialDownload(_ sha256: String) -> String { joinPath(downloads, "\(sha256).part") }
  package var downloads: String { joinPath(root, "downloads") }

  /// Makes the folders. Throws 73 if one of them is a symbolic link.
  package func prepare() throws(CairnError) {
    try makeOwnFolder(root)
    for folder in [attempts, actions, latest, staging, rejected, runs, downloads] {
      try makeOwnFolder(folder)
    }
    for folder in [previous, kept] where nameExists(folder) { try makeOwnFolder(folder) }
  }

  /// The result for a key, if it exists and is complete.
  package func finished(_ key: ActionKey, product: String) -> FinishedAction? {
    let folder = joinPath(actions, key.digest)
    guard let result: ActionResult = read(joinPath(folder, "result.json")), result.exit == 0,
      let record = result.outputs[product],
      isFile(joinPath(folder, product), ofBytes: record.bytes)
    else { return nil }
    let isSettled = result.start == nil || result.start == systemStart
    for (name, record) in result.outputs {
      let path = joinPath(folder, name)
      if isParanoid || !isSettled || isShared(path) {
        guard isUnchanged(path, record) else { return nil }
      }
    }
    // It is small, so it is always read: what is published of it must be what the stage wrote.
    if let report = result.report {
      guard (try? FileRecord(of: joinPath(folder, Self.reportName))) == report else { return nil }
    }
    return FinishedAction(
      folder: folder, product: joinPath(folder, product), record: record, result: result,
      components: key.components)
  }

  /// Whether a file has other names, such as one in a bundle, by which somebody may change it.
  private func isShared(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_nlink > 1
  }

  /// Whether a result still has the content that was recorded.
  private func isUnchanged(_ path: String, _ record: FileRecord) -> Bool {
    let compute = { (path: String) throws -> String in
      record.isOfContainer
        ? try ContainerDigest.ofWhole(path) ?? "damaged" : try SHA256Digest.ofFile(path)
    }
    let digest =
      isParanoid || digests == nil
      ? try? compute(path) : try? digests?.digest(ofFile: path, by: compute)
    return digest == record.sha256
  }

  /// How the last attempt at a region's stage ended and where its log is, if it failed and had this
  /// key.
  package func lastFailure(region: String, stage: Stage, key: ActionKey) -> (
    result: ActionResult, log: String
  )? {
    let prefix = "\(region).\(stage.rawValue)."
    let names = ((try? folderContents(attempts)) ?? []).filter { $0.hasPrefix(prefix) }
    for name in names.reversed() {
      let folder = joinPath(attempts, name)
      let command: ActionCommand? = read(joinPath(folder, "command.json"))
      if command?.key == key.digest,
        let result: ActionResult = read(joinPath(folder, "result.json")), result.exit != 0
      {
        return (result, joinPath(folder, "stderr.log"))
      }
    }
    return nil
  }

  /// Makes an attempt that succeeded the result for its key, instead of an older one.
  package func adopt(_ attempt: String, as key: ActionKey) throws {
    let folder = joinPath(actions, key.digest)
    if rename(attempt, folder) == 0 { return }
    // A result exists: --force, or one that lost its output.
    try discard(folder)
    try renamePath(attempt, to: folder)
  }

  /// The folders of the attempts at a region's stage, by name.
  package func attempts(region: String, stage: Stage) throws(CairnError) -> [String] {
    let prefix = "\(region).\(stage.rawValue)."
    return try folderContents(attempts).filter { $0.hasPrefix(prefix) }
      .map { joinPath(attempts, $0) }.filter { !removeLink($0) }
  }

  /// Makes the folder of a new attempt and removes what earlier attempts left.
  ///
  /// - Parameter removing: Called with each folder that is about to be removed.
  package func newAttempt(region: String, stage: Stage, removing: (String) -> Void = { _ in })
    throws
    -> String
  {
    let prefix = "\(region).\(stage.rawValue)."
    for folder in try attempts(region: region, stage: stage) {
      removing(folder)
      try discard(folder)
    }
    // A stage that outlived its orchestrator may still write into its folder, and process ids are
    // reused.
    for _ in 1...1000 {
      let folder = joinPath(
        attempts, "\(prefix)\(getpid()).\(UInt32.random(in: .min ... .max))")
      if mkdir(folder, 0o755) == 0 { return folder }
      guard errno == EEXIST else { throw systemFailure(folder, "create folder") }
    }
    throw systemFailure(attempts, "create folder")
  }

  /// Writes one of an attempt's records.
  package func write(_ value: some Encodable, _ name: String, in attempt: String) throws(CairnError)
  {
    try writeCacheFile(try encodeJSON(value), to: joinPath(attempt, name))
  }

  /// What the last successful run of a region's stage depended on, or nil if there was none.
  package func lastComponents(region: String, stage: Stage) -> [ActionKey.Component]? {
    guard let key = lastKey(region: region, stage: stage) else { return nil }
    return command(inFolder: joinPath(actions, key))?.components
  }

  /// What an attempt or a result says about its command.
  package func command(inFolder folder: String) -> ActionCommand? {
    read(joinPath(folder, "command.json"))
  }

  /// How an attempt or a result ended, or nil if it has not.
  package func result(inFolder folder: String) -> ActionResult? {
    read(joinPath(folder, "result.json"))
  }

  /// Records which key a region's stage has now.
  package func setLast(_ key: ActionKey, region: String, stage: Stage) throws(CairnError) {
    guard lastKey(region: region, stage: stage) != key.digest else { return }
    try writeCacheFile(Array("\(key.digest)\n".utf8), to: lastPath(region, stage))
  }

  /// The key of the last successful run of a region's stage, or nil if there was none.
  package func lastKey(region: String, stage: Stage) -> String? {
    lastKey(inRecord: "\(region).\(stage.rawValue)")
  }

  /// The key in a record of ``latest``, by the record's name.
  package func lastKey(inRecord name: String) -> String? {
    guard let bytes = try? InputFile(joinPath(latest, name)).readAll(limit: 256) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private func lastPath(_ region: String, _ stage: Stage) -> String {
    joinPath(latest, "\(region).\(stage.rawValue)")
  }

  private func read<Value: Decodable>(_ path: String) -> Value? {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(bytes))
  }
}
