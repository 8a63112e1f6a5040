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
/// An attempt runs in `attempts/REGION.STAGE.PID.RANDOM`. Once it has succeeded and its
/// `result.json` is written, it is renamed to `actions/KEY`. So everything under `actions` is
/// complete, and the remains of a killed run under `attempts` are never used, even while a stage
/// that outlived its orchestrator still writes there.
package struct ActionStore: Sendable {
  /// `OUTPUT/.cairn`.
  package let root: String
  /// Whether the digests of results are checked before use.
  package var isParanoid = false
  /// The known digests of files; nil to read the files.
  package var digests: DigestCache?
  /// The present ``systemStart``.
  package var systemStart = SystemIO.systemStart

  /// The name of a stage's report in the folder of its attempt.
  package static let reportName = "report.json"
  /// The name of what a stage wrote to stderr, in the same folder.
  package static let logName = "stderr.log"

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
  /// Folders of earlier bundles, by region.
  package var previous: String { joinPath(root, "previous") }
  /// Deltas from earlier files to published ones, by the digest of the old file.
  package var deltas: String { joinPath(root, "deltas") }
  /// The folder of a copy of the published index.
  package var published: String { joinPath(root, "published") }
  /// The records of the bundles that were rolled back, by region.
  package var rejected: String { joinPath(root, "rejected") }
  /// The warnings of bundles, by region.
  package var warnings: String { joinPath(root, "warnings") }
  package func warningsPath(_ region: String) -> String { joinPath(warnings, "\(region).json") }
  /// A folder for each run that came to an end.
  package var runs: String { joinPath(root, "runs") }

  /// The folder for assembling bundles before publishing.
  package var staging: String { joinPath(root, "staging") }

  /// The received part of a download, by its required digest.
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
    // It is small, so it is always read: the published part must be what the stage wrote.
    if let report = result.report {
      guard (try? FileRecord(of: joinPath(folder, Self.reportName))) == report else { return nil }
    }
    return FinishedAction(
      folder: folder, product: joinPath(folder, product), record: record, result: result,
      components: key.components)
  }

  /// Whether a file has other names, such as one in a bundle, through which it may be changed.
  package func isShared(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_nlink > 1
  }

  /// Whether a result still has its recorded content.
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

  /// The last failed attempt at a region's stage with this key, with its log.
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
        return (result, joinPath(folder, Self.logName))
      }
    }
    return nil
  }

  /// The folder of the last attempt at a region's stage, whether it failed or not; nil if none is kept.
  package func lastAttempt(region: String, stage: Stage) throws(CairnError) -> String? {
    let prefix = "\(region).\(stage.rawValue)."
    let names = pathExists(attempts) ? try folderContents(attempts) : []
    // A later attempt removes the one before.
    let open = names.filter { $0.hasPrefix(prefix) }.map { joinPath(attempts, $0) }
      .filter(isRealFolder)
    let result = lastKey(region: region, stage: stage).map { joinPath(actions, $0) }
    return open.last ?? result.flatMap { isRealFolder($0) ? $0 : nil }
  }

  /// Makes a successful attempt with a recorded result the one for its key, replacing an older one.
  /// Throws 74 if its product is not there.
  package func adopt(_ attempt: String, _ result: ActionResult, as key: ActionKey, product: String)
    throws -> FinishedAction
  {
    let folder = joinPath(actions, key.digest)
    if rename(attempt, folder) != 0 {
      // A result exists: --force, or one that lost its output.
      try discard(folder)
      try renamePath(attempt, to: folder)
    }
    let path = joinPath(folder, product)
    if isParanoid {
      if let finished = finished(key, product: product) { return finished }
    } else if let record = result.outputs[product], isFile(path, ofBytes: record.bytes) {
      return FinishedAction(
        folder: folder, product: path, record: record, result: result, components: key.components)
    }
    throw CairnError(
      .inputOutput, .ioError, "disappeared right after it was made", at: Location(file: folder))
  }

  /// The folders of the attempts at a region's stage, by name.
  package func attempts(region: String, stage: Stage) throws(CairnError) -> [String] {
    let prefix = "\(region).\(stage.rawValue)."
    return try folderContents(attempts).filter { $0.hasPrefix(prefix) }
      .map { joinPath(attempts, $0) }.filter { !removeLink($0) }
  }

  /// Creates the folder of a new attempt and removes those of earlier ones.
  ///
  /// - Parameter removing: Called with each folder about to be removed.
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
  package func write(_ value: JSONValue, _ name: String, in attempt: String) throws(CairnError) {
    try writeCacheFile(try encodeJSON(value), to: joinPath(attempt, name))
  }

  /// The inputs of the last successful run of a region's stage; nil if there was none.
  package func lastComponents(region: String, stage: Stage) -> [ActionKey.Component]? {
    guard let key = lastKey(region: region, stage: stage) else { return nil }
    return command(inFolder: joinPath(actions, key))?.components
  }

  /// The recorded command of an attempt or a result.
  package func command(inFolder folder: String) -> ActionCommand? {
    read(joinPath(folder, "command.json"))
  }

  /// The recorded ending of an attempt or a result; nil if it has not ended.
  package func result(inFolder folder: String) -> ActionResult? {
    read(joinPath(folder, "result.json"))
  }

  /// Records the current key of a region's stage.
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
