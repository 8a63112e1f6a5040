// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDeltas
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import Glibc
import ResultStore
import SystemIO

/// A tree for any web server or bucket: the files of bundles and deltas by their content, and the
/// index that names them.
///
/// At every instant, all files named by an index exist and are complete: files are written before
/// the index, and those of earlier indexes stay for clients that are downloading. Only the index
/// and its signature are replaced, and only files named by an index of this tree are removed.
struct ReleaseTree {
  /// The result of a call.
  struct Outcome {
    var number: Int
    var copied = 0
    var copiedBytes = 0
    var present = 0
    /// The damaged files of Cairn's that were copied again.
    var repaired: [String] = []
    /// Where files of others are now that had names of an index or its signature.
    var kept: [String] = []
    var removed = 0
    var isNew = true
  }

  let path: String
  /// The index of the last call; nil in a new tree.
  let present: IndexRecord?
  /// Whether that index is missing or damaged at its place, and was found among those kept.
  private let isRestored: Bool
  /// The digests of files that have not changed since they were read.
  private let digests: DigestCache
  /// Whether all files are read nevertheless.
  private let verifies: Bool
  /// Whether an index from the future, or one with an impossible number, is followed by another.
  private let followsFuture: Bool
  /// The greatest number of an index: that of a watch's `Int`.
  private static let mostNumber = Int(Int32.max)

  private var isSigned: Bool { nameExists(joinPath(path, IndexSignature.fileName)) }

  /// An empty folder in a tree that has no index yet. A folder appears at once, so a call that was
  /// ended at any instant leaves an empty tree or one that the next call recognises.
  private static let marker = ".cairn-publish"

  /// Opens a tree, or creates its folder. Throws 73 if the folder contains anything else.
  init(
    _ path: String, _ digests: DigestCache, verifies: Bool = false, followsFuture: Bool = false
  ) throws(CairnError) {
    self.path = path
    self.digests = digests
    self.verifies = verifies
    self.followsFuture = followsFuture
    try makeFolders(path)
    let found = IndexRecord(inFolder: path)
    let kept = found?.release == nil ? try Self.newest(of: path) : nil
    isRestored = kept != nil
    present = kept ?? found
    if present?.release != nil { return }
    let marker = joinPath(path, Self.marker)
    let isEmpty = try folderContents(path).isEmpty
    guard isEmpty || isRealFolder(marker) && !nameExists(joinPath(path, IndexRecord.fileName))
    else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "is not empty, and was not written by cairn publish",
        at: Location(file: path), hint: "give an empty folder")
    }
    try makeOwnFolder(marker)
    try syncFolder(path)
  }

  /// Publishes the regions of an index.
  ///
  /// - Parameters:
  ///   - index: The index of an output folder, with all files of its bundles and their deltas.
  ///   - sources: The source of the file for a path in the tree.
  ///   - key: The private key to sign with.
  ///   - keep: The number of indexes to keep with their files.
  func publish(
    _ index: IndexRecord, from sources: [String: String], now: Int64, lifetimeDays: Int?,
    key: [UInt8]?, keep: Int
  ) throws -> Outcome {
    guard key != nil || !isSigned else {
      throw CairnError(
        "not-signed", .configuration, "was signed before, and clients refuse an unsigned index",
        at: Location(file: path),
        hint: "add --sign KEY, or remove \(IndexSignature.fileName) if no client has the public key"
      )
    }
    var index = index
    index.release = present?.release
    let doubt = doubt(now)
    if let doubt, !followsFuture {
      throw CairnError(
        "from-future", .dataError, doubt,
        at: Location(file: joinPath(path, IndexRecord.fileName)),
        hint: "if the clock is right now, add --after-future: the next index replaces it")
    }
    try removeUnfinished(index)
    var outcome = Outcome(number: try nextNumber())
    for (path, record) in Self.files(index).sorted(by: { $0.key < $1.key }) {
      guard let source = sources[path] else { continue }
      try copy(source, to: path, record, &outcome)
    }
    if index == present, key == nil, lifetimeDays == nil, doubt == nil, !isRestored {
      outcome.number = present?.release?.number ?? 0
      outcome.isNew = false
      return outcome
    }
    index.release = Release(
      number: outcome.number, published: timestamp(now),
      expires: lifetimeDays.map { timestamp(now + Int64($0) * 86_400) })
    let bytes = try encodeJSON(index)
    let record = FileRecord(bytes: bytes.count, sha256: digest(bytes))
    let name = ReleasePath.index(record.sha256)
    try keepForeign(name, &outcome) { try isRight($0, record) }
    try write(bytes, to: name)
    if isRestored { try keepForeign(IndexRecord.fileName, &outcome) { _ in false } }
    try write(bytes, to: IndexRecord.fileName)
    if let key {
      let signature = IndexSignature(
        index: record, key: hexadecimal(Ed25519.publicKey(of: key)),
        signature: hexadecimal(Ed25519.sign(bytes, with: key)))
      try keepForeign(IndexSignature.fileName, &outcome) { path in
        let bytes = try InputFile(path).readAll(limit: 1 << 16)
        return (try? JSONDecoder().decode(IndexSignature.self, from: Data(bytes))) != nil
      }
      try write(try encodeJSON(signature), to: IndexSignature.fileName)
    }
    rmdir(joinPath(path, Self.marker))
    outcome.removed = try prune(keep: keep, number: outcome.number)
    return outcome
  }

  /// Why clients refuse an index after the present one, or the present one; nil if they do not.
  private func doubt(_ now: Int64) -> String? {
    guard let release = present?.release else { return nil }
    guard (1..<Self.mostNumber).contains(release.number) else {
      return "has the number \(release.number), after which there is none"
    }
    guard let published = parsedTimestamp(release.published) else {
      return "was published at “\(printable(release.published))”, which is not a time"
    }
    guard published.timeIntervalSince1970 > Double(now) + 86_400 else { return nil }
    return
      "was published at \(release.published), but it is \(timestamp(now)) now; clients refuse an "
      + "index from the future"
  }

  /// The number after the greatest one that an index of this tree has. Impossible ones do not count,
  /// nor, after an index from the future, those that would leave few.
  private func nextNumber() throws -> Int {
    let most = followsFuture ? Self.mostNumber / 2 : Self.mostNumber
    let kept = try Self.indexes(of: path).map(\.record)
    let last = (kept + [present]).compactMap { $0?.release?.number }
      .filter { (1..<most).contains($0) }.max()
    // Clients may have seen a later one that is damaged in both of its places.
    return (last ?? 0) + (isRestored ? kept.count { $0 == nil } : 0) + 1
  }

  private func timestamp(_ seconds: Int64) -> String { timestampText(seconds: seconds) ?? "" }

  private func digest(_ bytes: [UInt8]) -> String {
    let digest = SHA256Digest()
    digest.update(bytes)
    return digest.finish()
  }

  /// Moves a file aside that has the name of one of the tree's and is not Cairn's.
  private func keepForeign(
    _ name: String, _ outcome: inout Outcome, isOwn: (_ path: String) throws -> Bool
  ) throws {
    let path = joinPath(path, name)
    guard nameExists(path) else { return }
    do { if isRealFile(path), try isOwn(path) { return } } catch {
      // What cannot be read may be somebody's.
    }
    var number = 1
    while nameExists("\(path).kept-\(number)") { number += 1 }
    try renamePath(path, to: "\(path).kept-\(number)")
    outcome.kept.append("\(path).kept-\(number)")
  }

  private func write(_ bytes: [UInt8], to name: String) throws(CairnError) {
    let path = joinPath(path, name)
    try makeFolders(splitPath(path).folder)
    try AtomicOutput.write(bytes, to: path, flushing: true) { _ in true }
  }

  /// All files that an index names, by their paths.
  private static func files(_ index: IndexRecord) -> [String: FileRecord] {
    var files: [String: FileRecord] = [:]
    for region in index.regions { files.merge(region.filesByPath) { first, _ in first } }
    return files
  }

  /// Copies a file to the path of its digest, unless it is there.
  private func copy(
    _ source: String, to name: String, _ record: FileRecord, _ outcome: inout Outcome
  ) throws {
    let target = joinPath(path, name)
    if nameExists(target) {
      if try isRight(target, record) {
        outcome.present += 1
        return
      }
      try keepForeign(name, &outcome, isOwn: isSigned)
      outcome.repaired.append(name)
    }
    try makeFolders(splitPath(target).folder)
    try removeUnfinished(in: splitPath(target).folder) { _ in true }
    let output = try AtomicOutput(target) { _ in true }
    let digest = SHA256Digest()
    try output.write(contentOf: source, addingTo: digest)
    guard digest.finish() == record.sha256 else {
      throw CairnError(
        .inputOutput, .ioError, "does not match its bundle record", at: Location(file: source),
        hint: "run cairn bundle verify for details; the next run publishes it again")
    }
    try output.commit(flushing: true)
    digests.remember(record.sha256, ofFile: target)
    outcome.copied += 1
    outcome.copiedBytes += record.bytes
  }

  /// Removes the unfinished files of killed calls, except beside files of an index, which are looked
  /// for when they are copied again.
  private func removeUnfinished(_ index: IndexRecord) throws(CairnError) {
    try removeUnfinished(in: path) { [IndexRecord.fileName, IndexSignature.fileName].contains($0) }
    try removeUnfinished(in: joinPath(path, "indexes")) {
      $0.hasSuffix(".json") && ReleasePath.isDigest(String($0.dropLast(5)))
    }
    let named = Set(Self.files(index).keys.map { splitPath($0).folder })
    for kind in ["files", "deltas"] where isRealFolder(joinPath(path, kind)) {
      for name in try folderContents(joinPath(path, kind))
      where ReleasePath.isDigest(name) && !named.contains(joinPath(kind, name)) {
        let folder = joinPath(joinPath(path, kind), name)
        try removeUnfinished(in: folder) { _ in true }
        rmdir(folder)
      }
    }
  }

  /// Removes the unfinished files in a folder, by their final names.
  private func removeUnfinished(in folder: String, where isOwn: (String) -> Bool)
    throws(CairnError)
  {
    guard isRealFolder(folder) else { return }
    for name in try folderContents(folder) {
      guard let final = AtomicOutput.finalName(ofTemporary: name), isOwn(final),
        isRealFile(joinPath(folder, name))
      else { continue }
      unlink(joinPath(folder, name))
    }
  }

  /// Whether a path is the file of a record. A file is read if it has changed since it was read last,
  /// or if all are to be.
  private func isRight(_ path: String, _ record: FileRecord) throws -> Bool {
    guard isRealFile(path), fileSize(path) == record.bytes else { return false }
    return try record.sha256
      == (verifies ? SHA256Digest.ofFile(path) : digests.digest(ofFile: path))
  }

  /// Whether a file has the signature of a file of Cairn's, which may be damaged behind it.
  private func isSigned(_ path: String) throws -> Bool {
    let file = try InputFile(path)
    let head = try file.read(0..<min(128, file.size))
    return isCairnDatabase(splitPath(path).name, head: head) || DatabaseDelta.recognises(head: head)
  }

  /// The index with the greatest number that a tree has kept; nil if it has none.
  private static func newest(of tree: String) throws(CairnError) -> IndexRecord? {
    let known = try indexes(of: tree).compactMap(\.record).filter {
      $0.release.map { (1..<mostNumber).contains($0.number) } ?? false
    }
    return known.max { ($0.release?.number ?? 0) < ($1.release?.number ?? 0) }
  }

  /// The indexes that a tree has kept by their digests; without a record if one is damaged.
  private static func indexes(of tree: String) throws(CairnError) -> [(
    path: String, record: IndexRecord?
  )] {
    let folder = joinPath(tree, "indexes")
    guard isRealFolder(folder) else { return [] }
    var indexes: [(path: String, record: IndexRecord?)] = []
    for name in try folderContents(folder) {
      let path = joinPath(folder, name)
      // A file without its digest as name is not ours.
      guard name.hasSuffix(".json"), ReleasePath.isDigest(String(name.dropLast(5))) else {
        continue
      }
      var record: IndexRecord?
      if isRealFile(path), try SHA256Digest.ofFile(path) == name.dropLast(5) {
        record = try? IndexRecord(contentsOf: URL(filePath: path))
      }
      indexes.append((path, record))
    }
    return indexes
  }

  /// Removes files named only by indexes that are not kept. Returns their number: none if the names
  /// in one of those indexes are unknown.
  private func prune(keep: Int, number: Int) throws -> Int {
    var indexes: [(number: Int, path: String, record: IndexRecord)] = []
    for (path, record) in try Self.indexes(of: path) {
      // The files of a damaged index may still be needed, so nothing is removed.
      guard let record, let release = record.release else { return 0 }
      // One with a greater number has been replaced.
      indexes.append((release.number > number ? .min : release.number, path, record))
    }
    indexes.sort { $0.number > $1.number }
    let kept = Set(indexes.prefix(keep).flatMap { $0.record.regions.flatMap(\.paths) })
    var removed = 0
    for index in indexes.dropFirst(keep) {
      for (name, record) in Self.files(index.record) where !kept.contains(name) {
        let target = joinPath(path, name)
        // Anything else is not ours.
        guard nameExists(target), try isRight(target, record) || isSigned(target) else { continue }
        if unlink(target) == 0 { removed += 1 }
        rmdir(splitPath(target).folder)
      }
      // Last, so that the next call can still find the files to remove.
      if unlink(index.path) == 0 { removed += 1 }
    }
    return removed
  }
}
