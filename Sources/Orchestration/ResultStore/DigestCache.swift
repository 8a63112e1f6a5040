// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Elevation
import FoundationEssentials
import Glibc
import OSMInput
import SystemIO

/// SHA-256 digests of files, cached by the identity of the file, so that a source of many gigabytes
/// is read once and not in every run.
///
/// A file counts as unchanged while device, inode, size, modification time and status change time
/// are the same. A digest is kept beyond this run only if the file had not changed for a while when
/// it was read, since a recently changed file may change again within a tick of its clock.
package final class DigestCache: Sendable {
  /// The identity of a file.
  fileprivate struct Identity: Hashable, Sendable {
    /// Device and inode.
    let name: String
    /// Size and times: which state of it.
    let state: String
    /// Size and time of modification. A link that the file gets or loses changes its status alone.
    let content: String
    /// The time of the last status change, which cannot be set back, in nanoseconds.
    let changed: Int

    init(_ path: String) throws(CairnError) {
      var status = Glibc.stat()
      guard stat(path, &status) == 0 else {
        throw CairnError(.cannotRead, .noInput, systemMessage(errno), at: Location(file: path))
      }
      name = "\(status.st_dev):\(status.st_ino)"
      changed = nanoseconds(status.st_ctim)
      content = "\(status.st_size):\(nanoseconds(status.st_mtim))"
      state = "\(content):\(changed)"
    }

    /// Which file in which state.
    var whole: String { "\(name) \(state)" }

    /// Whether it had not changed for a while, at a time in nanoseconds.
    func isSettled(at time: Int) -> Bool {
      changed < time &- DigestCache.settlingNanoseconds
    }
  }

  private struct Entry: Equatable, Decodable, Sendable {
    var state: String
    var sha256: String
    /// The ``systemStart`` since which the file was written, if it may not be on disk yet: after a
    /// reboot its times may be there without its content.
    var start: String?
    /// A name of the file; nil in records of earlier versions not used since.
    var path: String?

    var json: JSONValue {
      var object: [String: JSONValue] = ["state": .text(state), "sha256": .text(sha256)]
      object["start"] = start.map { .text($0) }
      object["path"] = path.map { .text($0) }
      return .object(object)
    }
  }

  private struct Stored: Decodable {
    var version: Int
    var files: [String: Entry]
  }

  private struct State {
    var entries: [String: Entry]
    /// The identities of programs that were read in this run.
    var programs: [Identity: String] = [:]
    var unsettled: Set<String> = []
    var isChanged = false
  }

  /// The time for which a file must have been unchanged.
  private static let settlingNanoseconds = 2_000_000_000
  /// The number of times that a file is read if its status changes meanwhile: other runs may link
  /// it into bundles.
  private static let readings = 10
  /// The number of bytes read of earlier runs' cache.
  static let readLimit = 64 << 20
  /// The most digests written, so that with usual paths all can be read again.
  static let entryLimit = 100_000

  private let path: String
  private let entryLimit: Int
  private let state: Monitor<State>
  private let reading = KeyedLock<String>()

  /// Reads the cache of earlier runs; a damaged, missing or untrusted one is empty.
  package convenience init(_ path: String, isTrusted: Bool = true) {
    self.init(path, isTrusted: isTrusted, entryLimit: Self.entryLimit)
  }

  /// - Parameter entryLimit: The most digests written.
  init(_ path: String, isTrusted: Bool = true, entryLimit: Int) {
    self.path = path
    self.entryLimit = entryLimit
    state = Monitor(State(entries: isTrusted ? Self.load(path) : [:]))
  }

  private static func load(_ path: String) -> [String: Entry] {
    guard let bytes = try? InputFile(path).readAll(limit: readLimit),
      let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)), stored.version == 1
    else { return [:] }
    return stored.files.filter { $0.value.start == nil || $0.value.start == systemStart }
  }

  /// The digest of a file's content. Throws 66 if it cannot be read, and 75 if it changes while
  /// being read.
  ///
  /// - Parameter compute: Reads the file.
  package func digest(
    ofFile path: String, by compute: (String) throws -> String = { try SHA256Digest.ofFile($0) }
  ) throws -> String {
    let name = try Identity(path).name
    return try reading.withLock([name]) {
      for _ in 0..<Self.readings {
        let identity = try Identity(path)
        if let known = known(identity, path) { return known }
        let isSettled = identity.isSettled(at: now())
        let digest = try compute(path)
        let after = try Identity(path)
        if after == identity {
          remember(identity, digest, path, isSettled: isSettled)
          return digest
        }
        guard after.name == identity.name, after.content == identity.content else { break }
      }
      throw CairnError(
        .inputOutput, .temporaryFailure, "changes while it is read",
        at: Location(file: path), hint: "run again when it is complete")
    }
  }

  /// A state of a file whose digest is not known.
  package struct Unread: Sendable {
    fileprivate let path: String
    fileprivate let identity: Identity
    fileprivate let isSettled: Bool
    /// Which file in which state.
    package var state: String { identity.whole }
  }

  /// The state of a file whose digest would have to be computed; nil if it is known. Throws 66 if the
  /// file cannot be found.
  package func unread(_ path: String) throws(CairnError) -> Unread? {
    let identity = try Identity(path)
    guard known(identity, path) == nil else { return nil }
    return Unread(path: path, identity: identity, isSettled: identity.isSettled(at: now()))
  }

  /// Which file a path names, and in which state; see ``Unread/state``.
  package func state(ofFile path: String) throws(CairnError) -> String {
    try Identity(path).whole
  }

  /// Records the digest that a program computed of a file in a state, in which the file still is.
  package func record(_ digest: String, of unread: Unread) {
    remember(unread.identity, digest, unread.path, isSettled: unread.isSettled)
  }

  /// Records the digest of a file written by Cairn and changed by nothing else.
  ///
  /// - Parameter isFlushed: Whether the file is on disk.
  package func remember(_ digest: String, ofFile path: String, isFlushed: Bool = true) {
    guard let identity = try? Identity(path) else { return }
    remember(identity, digest, path, isSettled: true, start: isFlushed ? nil : systemStart ?? "")
  }

  /// The identity of a program, which is read again if its file has changed.
  func identity(ofExecutable path: String, by read: (String) throws -> String) throws -> String {
    let identity = try Identity(path)
    if let known = state.access({ $0.programs[identity] }) { return known }
    let value = try read(path)
    // A file that changes within a tick of its clock has to be read again.
    if try Identity(path) == identity, identity.isSettled(at: now()) {
      state.access { $0.programs[identity] = value }
    }
    return value
  }

  /// The digest of a file in a state, if known; the path is then recorded.
  private func known(_ identity: Identity, _ path: String) -> String? {
    state.access { state in
      guard let known = state.entries[identity.name], known.state == identity.state else {
        return nil
      }
      if known.path == nil { state.isChanged = true }
      if known.path != path { state.entries[identity.name]?.path = path }
      return known.sha256
    }
  }

  private func remember(
    _ identity: Identity, _ digest: String, _ path: String, isSettled: Bool, start: String? = nil
  ) {
    state.access { state in
      state.entries[identity.name] = Entry(
        state: identity.state, sha256: digest, start: start, path: path)
      state.isChanged = true
      if isSettled {
        state.unsettled.remove(identity.name)
      } else {
        state.unsettled.insert(identity.name)
      }
    }
  }

  /// Writes the cache, if it changed, without files that are gone or have changed since.
  package func save() throws(CairnError) {
    let state = state.access { $0 }
    guard state.isChanged else { return }
    let settled = state.entries.filter { name, entry in
      guard !state.unsettled.contains(name), let path = entry.path,
        let identity = try? Identity(path)
      else { return false }
      return identity.name == name && identity.state == entry.state
    }
    let kept = Dictionary(uniqueKeysWithValues: settled.prefix(entryLimit).map { ($0, $1) })
    let json = JSONValue.object(["version": 1, "files": .object(kept.mapValues(\.json))])
    try writeCacheFile(try encodeJSON(json), to: path)
  }
}

/// The present time in nanoseconds.
private func now() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return nanoseconds(now)
}

private func nanoseconds(_ time: timespec) -> Int {
  time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
}

extension DigestCache {
  /// The digest of a change file or a folder of them: of their names and contents in the order of
  /// application.
  package func digest(ofChanges path: String) throws -> String {
    let digest = SHA256Digest()
    for file in try ChangeFolder.files(at: path) {
      digest.update("\(splitPath(file).name)\n\(try self.digest(ofFile: file))\n")
    }
    return digest.finish()
  }

  /// The digest of a folder of elevation tiles: of the names and contents of all files that
  /// `cairn-sample-elevation` may read as tiles. Other files are ignored.
  package func digest(ofTiles folder: String) throws -> String {
    let digest = SHA256Digest()
    for path in try Self.tiles(in: folder) {
      digest.update("\(splitPath(path).name)\n\(try self.digest(ofFile: path))\n")
    }
    return digest.finish()
  }

  /// The states of the files whose contents are in ``digest(ofChanges:)``.
  package func states(ofChanges path: String) throws(CairnError) -> [String] {
    try ChangeFolder.files(at: path).map { file throws(CairnError) in try state(ofFile: file) }
  }

  /// The states of the files whose contents are in ``digest(ofTiles:)``.
  package func states(ofTiles folder: String) throws(CairnError) -> [String] {
    try Self.tiles(in: folder).map { file throws(CairnError) in try state(ofFile: file) }
  }

  /// The paths of the elevation tiles in a folder.
  private static func tiles(in folder: String) throws(CairnError) -> [String] {
    try folderContents(folder).filter { ElevationTileID(fileName: $0) != nil }
      .map { joinPath(folder, $0) }
  }

  /// Takes the digests of folders of elevation tiles ahead, as long as `isWanted` returns true. An error
  /// is not kept: ``digest(ofTiles:)`` reads what is missing, and throws it.
  package func prepare(tiles folders: [String], while isWanted: () -> Bool) {
    for folder in folders {
      for path in (try? Self.tiles(in: folder)) ?? [] {
        guard isWanted() else { return }
        _ = try? digest(ofFile: path) { path in
          try SHA256Digest.ofFile(try InputFile(path), while: isWanted)
        }
      }
    }
  }
}
