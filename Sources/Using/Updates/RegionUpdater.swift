// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDeltas
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Brings the regions in a folder up to date with a tree written by `cairn publish`.
///
/// A region is always either the installed bundle or the one named by the index. A new bundle is
/// assembled next to the old one and each file is checked against its digest; then the folders are
/// exchanged. If anything fails or the app ends, the old bundle stays, and the next update resumes
/// with the files already downloaded.
///
/// ```swift
/// let key = try RegionUpdater.publicKey(contentsOf: keyFile)  // of cairn keygen
/// let updater = RegionUpdater(
///   folder: regions, transport: URLSessionTransport(root: server),
///   cryptography: CryptoKitCryptography(), publicKey: key)
/// let plan = try await updater.check()
/// for region in plan.changed { try await updater.update(region) }
/// ```
public struct RegionUpdater: Sendable {
  /// The updater's work folder, inside the folder of the regions.
  static let workFolder = ".cairn-updates"
  /// The most bytes of a signature, which has some 400.
  private static let mostSignatureBytes = 4096

  /// The folder of the regions, each in a folder of its own.
  public let folder: URL
  /// The most memory, in bytes, that applying a delta may take; beyond that, whole files are
  /// downloaded.
  public var mostMemory = Int.max
  /// Whether ``check()`` reads all installed files, to find damaged ones that have the right size.
  /// Sizes are always checked, and after an interrupted exchange all files of that region.
  public var verifies = false
  /// Gives the present time.
  public var now: @Sendable () -> Date = { Date() }

  /// Exchanges two folders in one step; returns false if that is impossible.
  package var exchange: @Sendable (URL, URL) -> Bool = { UpdateFiles.exchange($0, $1) }

  let transport: any UpdateTransport
  let cryptography: any UpdateCryptography
  let publicKey: [UInt8]?

  /// Makes an updater. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - folder: The folder of the regions, created if missing.
  ///   - publicKey: The 32-byte key that must have signed the index. With nil every index is
  ///     accepted, so anyone who can impersonate the server can supply any data.
  public init(
    folder: URL, transport: any UpdateTransport, cryptography: any UpdateCryptography,
    publicKey: [UInt8]?
  ) {
    self.folder = folder
    self.transport = transport
    self.cryptography = cryptography
    self.publicKey = publicKey
  }

  var work: URL { folder.appending(path: Self.workFolder, directoryHint: .isDirectory) }

  func home(_ id: String) -> URL { folder.appending(path: id, directoryHint: .isDirectory) }

  /// Finds new versions, without changing any region.
  ///
  /// Throws ``UpdateError``. An index that is unsigned, expired, from the future, malformed or older
  /// than one seen before is refused here; without a key an older one is taken
  /// (``UpdatePlan/olderThan``).
  ///
  /// - Parameter remembers: Whether an older index is to be refused from now on; false to list new
  ///   versions without installing any, which writes nothing but to repair what an interrupted
  ///   update left.
  public func check(remembers: Bool = true) async throws(UpdateError) -> UpdatePlan {
    guard remembers || UpdateFiles.exists(work) else {
      let temporary = FileManager.default.temporaryDirectory
        .appending(path: "cairn-\(UUID().uuidString)", directoryHint: .isDirectory)
      try UpdateFiles.makeFolder(temporary)
      defer { try? UpdateFiles.remove(temporary) }
      return try await plan(remembers: false, Recovered(), downloadingTo: temporary)
    }
    let (lock, recovered) = try begin()
    defer { withExtendedLifetime(lock) {} }
    return try await plan(remembers: remembers, recovered, downloadingTo: work)
  }

  private func plan(remembers: Bool, _ recovered: Recovered, downloadingTo scratch: URL)
    async throws(UpdateError) -> UpdatePlan
  {
    let (index, digest) = try await fetchIndex(by: scratch.appending(path: "index"))
    try validate(index)
    let known = try accept(index, digest, remembers: remembers)
    var plan = UpdatePlan(index: index, regions: [], kept: recovered.kept, olderThan: known)
    plan.regions.reserveCapacity(index.regions.count)
    for entry in index.regions where entry.allFiles != nil {
      plan.regions.append(
        region(entry, isVerified: verifies || recovered.ids.contains(entry.id)))
    }
    let listed = Set(index.regions.map(\.id))
    for id in UpdateFiles.names(folder) where !listed.contains(id) && isRegionID(id) {
      guard let record = installed(id) else { continue }
      plan.regions.append(.init(id: id, name: record.name, kind: .left))
    }
    return plan
  }

  /// The record of the installed bundle; nil if there is none.
  public func installed(_ id: String) -> BundleRecord? {
    guard isRegionID(id), UpdateFiles.isFolder(home(id)),
      let record = try? BundleRecord(contentsOf: home(id).appending(path: BundleRecord.fileName)),
      record.id == id
    else { return nil }
    return record
  }

  /// Whether the folder of a region is a bundle of Cairn's whose record is damaged or missing.
  func isDamagedBundle(_ id: String) -> Bool {
    let home = home(id)
    guard isRegionID(id), UpdateFiles.isFolder(home),
      !UpdateFiles.exists(home.appending(path: BundleRecord.fileName))
        || (try? BundleRecord(contentsOf: home.appending(path: BundleRecord.fileName))) == nil
    else { return false }
    let region = try? RegionRecord(contentsOf: home.appending(path: RegionRecord.fileName))
    if region?.manifestId == id { return true }
    let database = id + ".routing.db"
    return UpdateFiles.head(home.appending(path: database))
      .map { isCairnDatabase(database, head: $0) } ?? false
  }

  /// Locks the folder and repairs what an interrupted updater left.
  func begin() throws(UpdateError) -> (UpdateLock, Recovered) {
    try UpdateFiles.makeFolder(work)
    let lock = try UpdateLock(work.appending(path: "lock"))
    return (lock, try recover())
  }

  // MARK: The index

  /// Gives the index and its digest.
  ///
  /// - Parameter file: Where it may be meanwhile.
  private func fetchIndex(by file: URL) async throws(UpdateError) -> (IndexRecord, String) {
    defer { try? UpdateFiles.remove(file) }
    var expected: FileRecord?
    var signature: IndexSignature?
    if publicKey != nil {
      let bytes = try await fetch(
        IndexSignature.fileName, file, nil, limit: Self.mostSignatureBytes)
      guard let found = try? JSONDecoder().decode(IndexSignature.self, from: Data(bytes)) else {
        throw .untrusted("its signature was not written by cairn publish")
      }
      guard ReleasePath.isDigest(found.index.sha256), found.index.bytes >= 0,
        found.index.bytes <= IndexRecord.mostBytes
      else { throw .invalid("the signature names no index") }
      (signature, expected) = (found, found.index)
    }
    let path = signature.map { ReleasePath.index($0.index.sha256) } ?? IndexRecord.fileName
    let data = try await fetch(
      path, file, expected, limit: expected?.bytes ?? IndexRecord.mostBytes)
    guard let digest = cryptography.sha256(of: file) else { throw UpdateFiles.failure(file) }
    if let publicKey {
      guard let signature, digest == signature.index.sha256 else {
        throw .invalid("the index does not match its signature")
      }
      guard let bytes = bytes(ofHexadecimal: signature.signature),
        cryptography.isValid(bytes, of: data, by: publicKey)
      else { throw .untrusted("it was signed by another key, or changed") }
    }
    do throws(BundleRecordError) { return (try IndexRecord(json: consume data), digest) } catch {
      throw .invalid("the index \(error.description)")
    }
  }

  private func fetch(_ path: String, _ file: URL, _ expected: FileRecord?, limit: Int)
    async throws(UpdateError) -> [UInt8]
  {
    try UpdateFiles.remove(file)
    do throws(UpdateError) {
      try await transport.download(
        path, to: file, expected: expected, limit: limit)
    } catch {
      if path == IndexSignature.fileName, case .missing(let reason) = error {
        throw .untrusted("it has no signature, or the address is wrong: \(reason)")
      }
      throw error
    }
    guard let size = UpdateFiles.size(file), size <= limit else {
      throw .invalid("\(path) has more than \(grouped(limit)) bytes")
    }
    do { return [UInt8](try Data(contentsOf: file)) } catch { throw UpdateFiles.failure(file) }
  }

  /// Throws for regions that cannot be.
  private func validate(_ index: IndexRecord) throws(UpdateError) {
    guard index.release != nil else { throw .invalid("the index was not written by cairn publish") }
    var ids: Set<String> = []
    for region in index.regions {
      guard isRegionID(region.id) else {
        throw .invalid("“\(printable(region.id))” is not a region id")
      }
      guard ids.insert(region.id).inserted else {
        throw .invalid("the index has the region \(region.id) twice")
      }
      guard let files = region.allFiles else {
        throw .invalid("the files of \(region.id) are not those of a bundle")
      }
      // Doubling it does not overflow, so no sum of sizes does.
      var left = Int.max / 4
      for file in files.values where left >= 0 { left -= min(file.bytes, Int.max / 2) }
      guard left >= 0 else { throw .invalid("the sizes of \(region.id) are impossible") }
      // Case-insensitive file systems treat these names as equal.
      guard Set(files.keys.map { $0.lowercased() }).count == files.count else {
        throw .invalid("\(region.id) has two files of one name")
      }
    }
  }

  // MARK: What is to be done

  private func region(_ entry: IndexRecord.Region, isVerified: Bool) -> UpdatePlan.Region {
    var region = UpdatePlan.Region(
      id: entry.id, name: entry.name, kind: .available, entry: entry)
    let record = installed(entry.id)
    if record != nil {
      let digest = cryptography.sha256(
        of: home(entry.id).appending(path: BundleRecord.fileName))
      region.kind = digest == entry.record?.sha256 ? .current : .changed
      region.damaged = damaged(entry.id, record?.files ?? [:], isVerified: isVerified)
    } else if isDamagedBundle(entry.id) {
      region.damaged = [BundleRecord.fileName]
    }
    // Without a record, files of the right size are tried.
    let isUnknown = record == nil && !region.damaged.isEmpty
    if !region.damaged.isEmpty { region.kind = .changed }
    guard region.kind != .current else { return region }
    let files = (entry.allFiles ?? [:]).sorted { $0.key < $1.key }
    region.steps.reserveCapacity(files.count)
    for (name, file) in files {
      let isLikely =
        isUnknown && UpdateFiles.size(home(entry.id).appending(path: name)) == file.bytes
      let old = isLikely ? file : record?.files[name]
      let source =
        region.damaged.contains(name) ? .whole : source(name, file, old: old, entry)
      region.steps.append(.init(name: name, file: file, source: source))
      switch source {
      case .installed: continue
      case .delta(let delta):
        region.bytes += delta.bytes
        region.diskBytes += delta.bytes
      case .whole: region.bytes += file.bytes
      }
      region.wholeBytes += file.bytes
      region.diskBytes += file.bytes
    }
    return region
  }

  /// The names of the files of an installed bundle that are not as its record says.
  private func damaged(_ id: String, _ files: [String: FileRecord], isVerified: Bool) -> [String] {
    files.filter { name, file in
      guard isPlainFileName(name) else { return false }
      let path = home(id).appending(path: name)
      return isVerified ? !isRight(path, file) : UpdateFiles.size(path) != file.bytes
    }.keys.sorted()
  }

  /// The cheapest way to a file.
  private func source(
    _ name: String, _ file: FileRecord, old: FileRecord?, _ entry: IndexRecord.Region
  ) -> UpdatePlan.Source {
    guard let old else { return .whole }
    if old == file { return .installed }
    let memory = DatabaseDelta.memory(old: old.bytes, new: file.bytes)
    let best = (entry.deltas ?? []).filter {
      $0.name == name && $0.old == old.sha256 && $0.bytes > 0 && $0.bytes < file.bytes
        && ReleasePath.isDigest($0.sha256)
    }.min { $0.bytes < $1.bytes }
    guard let best, memory <= mostMemory else { return .whole }
    return .delta(best)
  }
}
