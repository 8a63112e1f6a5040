// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDeltas
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of updating a region.
public struct RegionUpdate: Sendable {
  /// The bytes downloaded in complete files and deltas.
  public var bytes = 0
  /// The files that were made with deltas.
  public var patched: [String] = []
  /// Files in the old folder that were not of the bundle, or took the name of one that is, were
  /// moved to this folder.
  public var kept: URL?
  /// The changes in the routing database; nil if there are none or they are unknown.
  public var changes: WayChanges?
}

extension RegionUpdater {
  /// Installs a region, or brings it up to date.
  ///
  /// Close the databases of the region first, or reopen them afterwards: open ones keep reading the
  /// old files.
  ///
  /// - Parameter progress: Receives the bytes of each file when it is complete.
  public func update(
    _ region: UpdatePlan.Region,
    progress: @Sendable (_ file: String, _ bytes: Int) -> Void = { _, _ in }
  ) async throws(UpdateError) -> RegionUpdate {
    guard let entry = region.entry, let record = entry.record else {
      throw .noSuchRegion(region.id)
    }
    var update = RegionUpdate()
    guard region.kind != .current else { return update }
    let (lock, _) = try begin()
    defer { withExtendedLifetime(lock) {} }
    let home = home(region.id)
    guard !UpdateFiles.exists(home) || installed(region.id) != nil || isDamagedBundle(region.id)
    else { throw .foreign(home.path) }
    let staged = work.appending(path: "\(region.id)+\(record.sha256.prefix(16))")
    // Leftovers of another version are of no use.
    for name in UpdateFiles.names(work)
    where name.hasPrefix(region.id + "+") && name != staged.lastPathComponent {
      try UpdateFiles.remove(work.appending(path: name))
    }
    try checkSpace(region, staged)
    try UpdateFiles.makeFolder(staged)
    for step in region.steps {
      try await get(step, from: home, into: staged, &update)
      progress(step.name, step.file.bytes)
    }
    try complete(staged, region)
    let database = entry.routingDbFilename
    let old = database.flatMap { installed(region.id)?.files[$0] == nil ? nil : $0 }
    let earlier = try swap(staged, home)
    if let old {
      update.changes = WayChanges(
        from: earlier.appending(path: old), to: home.appending(path: old))
    }
    update.kept = try discard(earlier, region.id, otherwise: entry.files)
    return update
  }

  private func checkSpace(_ region: UpdatePlan.Region, _ staged: URL) throws(UpdateError) {
    let names = UpdateFiles.names(staged)
    let present = names.reduce(0) {
      $0 + (UpdateFiles.size(staged.appending(path: $1)) ?? 0)
    }
    let needed = region.diskBytes - min(region.diskBytes, present) + 1 << 20
    guard let free = UpdateFiles.free(work), free < needed else { return }
    throw .noSpace(needed: needed, free: free)
  }

  func isRight(_ file: URL, _ record: FileRecord) -> Bool {
    UpdateFiles.size(file) == record.bytes && cryptography.sha256(of: file) == record.sha256
  }

  private func get(
    _ step: UpdatePlan.Step, from home: URL, into staged: URL, _ update: inout RegionUpdate
  ) async throws(UpdateError) {
    let target = staged.appending(path: step.name)
    if UpdateFiles.exists(target), isRight(target, step.file) { return }
    try UpdateFiles.remove(target)
    let old = home.appending(path: step.name)
    switch step.source {
    case .installed:
      if isRight(old, step.file) { return try UpdateFiles.share(old, as: target) }
    case .delta(let delta):
      if try await patch(delta, old, step, into: staged) {
        update.bytes += delta.bytes
        return update.patched.append(step.name)
      }
    case .whole: break
    }
    let part = staged.appending(path: ".\(step.name).part")
    let path = "files/\(step.file.sha256)/\(Self.encoded(step.name))"
    try await download(path, to: part, step.file)
    try UpdateFiles.rename(part, to: target)
    update.bytes += step.file.bytes
  }

  /// Makes a file with a delta; returns false if that fails and the whole file is needed.
  private func patch(_ delta: DeltaRecord, _ old: URL, _ step: UpdatePlan.Step, into staged: URL)
    async throws(UpdateError) -> Bool
  {
    guard isRight(old, FileRecord(bytes: delta.oldBytes, sha256: delta.old)) else { return false }
    let file = staged.appending(path: ".\(step.name).delta")
    let path = ReleasePath.delta(old: delta.old, new: step.file.sha256)
    do throws(UpdateError) {
      try await download(path, to: file, FileRecord(bytes: delta.bytes, sha256: delta.sha256))
    } catch {
      switch error {
      // The delta is missing or not as the index describes; the whole file may still be there.
      case .invalid, .unreachable, .missing: return false
      default: throw error
      }
    }
    let target = staged.appending(path: step.name)
    var failure: DeltaError?
    do throws(DeltaError) {
      let content = try DatabaseDelta(contentsOf: file)
      if content.new.sha256 == step.file.sha256, content.memory <= mostMemory {
        try content.apply(to: old, output: target)
      }
    } catch { failure = error }
    try UpdateFiles.remove(file)
    if case .notWritten(let reason) = failure { throw .notWritten(reason) }
    return UpdateFiles.size(target) == step.file.bytes
  }

  /// Downloads a file, starting over if a partial one turns out wrong.
  private func download(_ path: String, to file: URL, _ record: FileRecord)
    async throws(UpdateError)
  {
    for attempt in 0..<2 {
      if attempt > 0 { try UpdateFiles.remove(file) }
      if let size = UpdateFiles.size(file), size == record.bytes, isRight(file, record) { return }
      try await transport.download(path, to: file, expected: record, limit: record.bytes)
      if isRight(file, record) { return }
    }
    try UpdateFiles.remove(file)
    throw .invalid("\(path) does not match the index")
  }

  /// A name as a part of a URL.
  static func encoded(_ name: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    var text = ""
    for byte in name.utf8 {
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }

  /// Checks that a bundle is complete, removes other files, and flushes it to disk.
  private func complete(_ staged: URL, _ region: UpdatePlan.Region) throws(UpdateError) {
    let path = staged.appending(path: BundleRecord.fileName)
    guard let record = try? BundleRecord(contentsOf: path), record.id == region.id,
      record.files == region.entry?.files
    else {
      try UpdateFiles.remove(staged)
      throw .invalid("the bundle of \(region.id) has other files than the index")
    }
    let names = Set(region.steps.map(\.name))
    for name in UpdateFiles.names(staged) where !names.contains(name) {
      try UpdateFiles.remove(staged.appending(path: name))
    }
    for name in names { try UpdateFiles.flush(staged.appending(path: name)) }
    try UpdateFiles.flush(staged)
  }

  // MARK: The swap

  /// Replaces the installed bundle with a complete one. Returns the new location of the old one.
  private func swap(_ staged: URL, _ home: URL) throws(UpdateError) -> URL {
    defer { try? UpdateFiles.flush(folder) }
    let earlier = work.appending(path: home.lastPathComponent + Self.swapSuffix)
    guard UpdateFiles.exists(home) else {
      try UpdateFiles.rename(staged, to: home)
      return earlier
    }
    // From here on recover() recognizes the folder as an earlier bundle, possibly with other files.
    try UpdateFiles.rename(staged, to: earlier)
    if exchange(earlier, home) { return earlier }
    // If folders cannot be exchanged, the region is missing for an instant; recover() restores it
    // if the app ends then.
    let old = work.appending(path: home.lastPathComponent + Self.oldSuffix)
    try UpdateFiles.rename(home, to: old)
    do throws(UpdateError) { try UpdateFiles.rename(earlier, to: home) } catch {
      try UpdateFiles.rename(old, to: home)
      throw error
    }
    return old
  }

  private static let swapSuffix = "+swap"
  private static let oldSuffix = "+old"

  /// Restores a bundle that was moved away and not replaced, and discards one that was replaced.
  func recover() throws(UpdateError) -> Recovered {
    var recovered = Recovered()
    for name in UpdateFiles.names(work) {
      let folder = work.appending(path: name)
      let isOld = name.hasSuffix(Self.oldSuffix)
      guard isOld || name.hasSuffix(Self.swapSuffix) else { continue }
      let id = String(name.dropLast(isOld ? Self.oldSuffix.count : Self.swapSuffix.count))
      guard isRegionID(id) else { continue }
      if isOld, !UpdateFiles.exists(home(id)) {
        try UpdateFiles.rename(folder, to: home(id))
      } else {
        if let files = try discard(folder, id) { recovered.kept.append(files) }
      }
      recovered.ids.insert(id)
    }
    return recovered
  }

  /// What an interrupted exchange left.
  struct Recovered {
    /// The regions that were exchanged.
    var ids: Set<String> = []
    /// Where other files in the folders of their bundles are now.
    var kept: [URL] = []
  }

  /// Whether a file is what a bundle's record names, or a damaged file of Cairn's under that name. A
  /// user's file, folder or link may have taken the name.
  private func isOwn(_ file: URL, _ record: FileRecord) -> Bool {
    guard UpdateFiles.size(file) != nil else { return false }
    let name = file.lastPathComponent
    if let head = UpdateFiles.head(file), isCairnDatabase(name, head: head) { return true }
    if name == RegionRecord.fileName, (try? RegionRecord(contentsOf: file)) != nil { return true }
    return isRight(file, record)
  }

  /// Removes the files of an old bundle. Keeps any other files in its folder, and returns the
  /// folder then.
  ///
  /// - Parameter files: The files of the bundle if its record cannot be read.
  private func discard(_ old: URL, _ id: String, otherwise files: [String: FileRecord]? = nil)
    throws(UpdateError) -> URL?
  {
    guard UpdateFiles.exists(old) else { return nil }
    let record = try? BundleRecord(
      contentsOf: old.appending(path: BundleRecord.fileName))
    for (name, file) in record?.files ?? files ?? [:]
    where isPlainFileName(name) && isOwn(old.appending(path: name), file) {
      try UpdateFiles.remove(old.appending(path: name))
    }
    if record != nil { try UpdateFiles.remove(old.appending(path: BundleRecord.fileName)) }
    if UpdateFiles.removeIfEmpty(old) { return nil }
    let kept = work.appending(path: "kept", directoryHint: .isDirectory)
    try UpdateFiles.makeFolder(kept)
    var number = 1
    while UpdateFiles.exists(kept.appending(path: "\(id)-\(number)")) { number += 1 }
    let target = kept.appending(path: "\(id)-\(number)")
    try UpdateFiles.rename(old, to: target)
    return target
  }
}
