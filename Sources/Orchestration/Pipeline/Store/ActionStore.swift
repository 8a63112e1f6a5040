import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import Glibc
import SystemIO

/// A file's size and content.
struct FileRecord: Codable, Equatable, Sendable {
  var bytes: Int
  var sha256: String
}

/// How an attempt ended, as `result.json` says it: written last, and the only thing believed.
struct ActionResult: Codable, Equatable, Sendable {
  /// The exit status, or nil if a signal ended it.
  var exit: Int32?
  /// The signal that ended it, if one did.
  var signal: Int32?
  /// Why the orchestrator stopped it, if it did.
  var reason: String?
  /// Whether another attempt may end better although it was ended from elsewhere: its node was lost.
  var mayPass: Bool?
  var wallSeconds: Double
  var cpuSeconds: Double
  var peakBytes: Int
  /// What it made, by file name; nothing unless `exit` is 0.
  var outputs: [String: FileRecord] = [:]
}

/// What was run and why, as `command.json` says it.
struct ActionCommand: Codable, Sendable {
  var region: String
  var stage: String
  var key: String
  var components: [ActionKey.Component]
  var command: [String]
}

/// An action whose result is there.
struct FinishedAction: Sendable {
  /// The folder that holds the result, the log and the report.
  let folder: String
  /// The path of the result.
  let product: String
  /// Its size and digest.
  let record: FileRecord
  /// How it was made.
  let result: ActionResult

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

/// The folder `OUTPUT/.cairn`, where results wait for their next use.
///
/// An attempt runs in `attempts/REGION.STAGE.PID.RANDOM` and, once it has succeeded and its
/// `result.json` is written, becomes `actions/KEY` by a rename. What lies under `actions` is
/// therefore whole; what a killed run leaves under `attempts` is never looked at again, not even
/// where a stage that outlived its orchestrator still writes there.
struct ActionStore: Sendable {
  /// `OUTPUT/.cairn`.
  let root: String
  /// Whether results are read again before they are believed.
  var isParanoid = false

  /// The names of the files that are written beside results.
  static let ownNames = [
    "command.json", "result.json", "report.json", "stdout.log", "stderr.log", "events.jsonl",
    "order.json", "slurm.json", "slurm.log", "job.sh", "region.elevated", "region.graph",
    "region.routing.db", "validation.json", SlurmAttempt.inputFolder,
  ]

  var lockPath: String { joinPath(root, "lock") }
  var digestsPath: String { joinPath(root, "digests.json") }
  var historyPath: String { joinPath(root, "history.json") }
  var attempts: String { joinPath(root, "attempts") }
  var actions: String { joinPath(root, "actions") }
  var latest: String { joinPath(root, "latest") }
  /// Folders of the bundles that were published before, by region.
  var previous: String { joinPath(root, "previous") }
  /// The records of the bundles that were rolled back, by region.
  var rejected: String { joinPath(root, "rejected") }
  /// A folder for each run that came to its end.
  var runs: String { joinPath(root, "runs") }

  /// A folder for what is put together before it is published.
  var staging: String { joinPath(root, "staging") }

  /// What was fetched so far of a file that is to have a digest.
  func partialDownload(_ sha256: String) -> String { joinPath(downloads, "\(sha256).part") }
  var downloads: String { joinPath(root, "downloads") }

  /// Makes the folders.
  func prepare() throws(CairnError) {
    for folder in [attempts, actions, latest, staging, rejected, runs, downloads] {
      try makeFolders(folder)
    }
  }

  /// The result for a key, if it is there and whole.
  func finished(_ key: ActionKey, product: String) -> FinishedAction? {
    let folder = joinPath(actions, key.digest)
    guard let result: ActionResult = read(joinPath(folder, "result.json")), result.exit == 0,
      let record = result.outputs[product],
      isFile(joinPath(folder, product), ofBytes: record.bytes)
    else { return nil }
    for (name, record) in isParanoid ? result.outputs : [:] {
      let digest = try? SHA256Digest.ofFile(joinPath(folder, name))
      guard digest == record.sha256 else { return nil }
    }
    return FinishedAction(
      folder: folder, product: joinPath(folder, product), record: record, result: result)
  }

  /// How the last attempt at a region's stage ended and where its log lies, if it failed and was
  /// an attempt at this key.
  func lastFailure(region: String, stage: Stage, key: ActionKey) -> (
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

  /// Makes an attempt that succeeded the result for its key, in the place of an older one.
  func adopt(_ attempt: String, as key: ActionKey) throws {
    let folder = joinPath(actions, key.digest)
    if rename(attempt, folder) == 0 { return }
    // A result is there already: --force, or one that lost its output.
    try discard(folder)
    try renamePath(attempt, to: folder)
  }

  /// The folders of the attempts at a region's stage, the last of a run behind those before it.
  func attempts(region: String, stage: Stage) throws(CairnError) -> [String] {
    let prefix = "\(region).\(stage.rawValue)."
    return try folderContents(attempts).filter { $0.hasPrefix(prefix) }
      .map { joinPath(attempts, $0) }
  }

  /// Makes the folder of a new attempt and removes what earlier attempts left.
  ///
  /// - Parameter removing: Called with each folder that is about to go.
  func newAttempt(region: String, stage: Stage, removing: (String) -> Void = { _ in }) throws
    -> String
  {
    let prefix = "\(region).\(stage.rawValue)."
    for folder in try attempts(region: region, stage: stage) {
      removing(folder)
      try discard(folder)
    }
    // A stage that outlived its orchestrator may still write into the folder that it was given;
    // process numbers come again.
    for _ in 1...1000 {
      let folder = joinPath(
        attempts, "\(prefix)\(getpid()).\(UInt32.random(in: .min ... .max))")
      if mkdir(folder, 0o755) == 0 { return folder }
      guard errno == EEXIST else { throw systemFailure(folder, "create folder") }
    }
    throw systemFailure(attempts, "create folder")
  }

  /// Writes one of an attempt's records.
  func write(_ value: some Encodable, _ name: String, in attempt: String) throws(CairnError) {
    try writeCacheFile(try encodeJSON(value), to: joinPath(attempt, name))
  }

  /// What the last successful run of a region's stage depended on, or nil if there was none.
  func lastComponents(region: String, stage: Stage) -> [ActionKey.Component]? {
    guard let key = lastKey(region: region, stage: stage) else { return nil }
    return command(inFolder: joinPath(actions, key))?.components
  }

  /// What an attempt or a result says of its command.
  func command(inFolder folder: String) -> ActionCommand? { read(joinPath(folder, "command.json")) }

  /// What an attempt or a result says of its end, or nil if it has not come to one.
  func result(inFolder folder: String) -> ActionResult? { read(joinPath(folder, "result.json")) }

  /// Notes which key a region's stage has now.
  func setLast(_ key: ActionKey, region: String, stage: Stage) throws(CairnError) {
    guard lastKey(region: region, stage: stage) != key.digest else { return }
    try writeCacheFile(Array("\(key.digest)\n".utf8), to: lastPath(region, stage))
  }

  /// The key of the last successful run of a region's stage, or nil if there was none.
  func lastKey(region: String, stage: Stage) -> String? {
    guard let bytes = try? InputFile(lastPath(region, stage)).readAll(limit: 256) else {
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

extension ActionStore {
  /// The store of a manifest's output folder.
  init(_ manifest: Manifest, isParanoid: Bool = false) {
    self.init(root: joinPath(manifest.output, ".cairn"), isParanoid: isParanoid)
  }
}
