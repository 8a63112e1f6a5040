// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDeltas
import CairnDiagnostics
import Glibc
import SystemIO

/// The deltas of an output folder, each in a folder named after the old file, by the digest of the
/// new one. They depend on earlier publications, so they are not part of a bundle.
package struct DeltaFolder: Sendable {
  /// A shorter file is downloaded as quickly as a delta.
  private static let leastBytes = 4096

  private let path: String

  /// Opens the folder, which need not exist.
  package init(_ path: String) { self.path = path }

  /// The path of the delta between two files.
  package func path(old: String, new: String) -> String {
    joinPath(path, "\(old)/\(new).delta")
  }

  /// The digests of the old files by that of the new one, in alphabetical order.
  package func oldDigests() -> [String: [String]] {
    var found: [String: [String]] = [:]
    for old in names(path).sorted() where ReleasePath.isDigest(old) {
      for name in names(joinPath(path, old)) {
        let new = String(name.dropLast(6))
        guard name.hasSuffix(".delta"), ReleasePath.isDigest(new) else { continue }
        found[new, default: []].append(old)
      }
    }
    return found
  }

  /// Updates the deltas of a region: from its last earlier bundles to the published one.
  ///
  /// Existing deltas stay. One more than half as long as the file is useless; an empty file takes
  /// its place, so that it is not made again.
  ///
  /// - Parameters:
  ///   - bundle: The published bundle.
  ///   - earlier: The bundles before it, latest last.
  package func update(_ bundle: String, from earlier: [String]) throws {
    guard let record = BundleRecord(inFolder: bundle) else { return }
    for old in earlier {
      for (name, file) in BundleRecord(inFolder: old)?.filesToFetch ?? [] {
        guard let new = record.files[name], new.sha256 != file.sha256,
          new.bytes > Self.leastBytes
        else { continue }
        let target = path(old: file.sha256, new: new.sha256)
        guard !nameExists(target), isPlainFileName(name) else { continue }
        let delta = try delta(from: joinPath(old, name), to: joinPath(bundle, name))
        // A file changed by hand is not a published version.
        guard delta.old.sha256 == file.sha256, delta.new.sha256 == new.sha256 else { continue }
        try makeOwnFolder(path)
        try makeOwnFolder(splitPath(target).folder)
        let isUseful = delta.bytes <= delta.new.bytes / 2
        try AtomicOutput.write(isUseful ? delta.fileContent : [], to: target) { _ in true }
      }
    }
  }

  /// Removes the deltas that do not lead from an earlier bundle to a published one.
  ///
  /// - Parameter bundles: The published bundles, each with the earlier ones.
  package func prune(_ bundles: [(published: String, earlier: [String])]) {
    var needed: Set<String> = []
    for (published, earlier) in bundles {
      guard let record = BundleRecord(inFolder: published) else { continue }
      for old in earlier {
        for (name, file) in BundleRecord(inFolder: old)?.files ?? [:] {
          if let new = record.files[name] { needed.insert(path(old: file.sha256, new: new.sha256)) }
        }
      }
    }
    for (new, olds) in oldDigests() {
      for old in olds {
        let path = path(old: old, new: new)
        guard !needed.contains(path) else { continue }
        unlink(path)
        rmdir(splitPath(path).folder)
      }
    }
  }

  private func delta(from old: String, to new: String) throws(CairnError) -> DatabaseDelta {
    do throws(DeltaError) { return try DatabaseDelta.make(from: old, to: new) } catch {
      throw CairnError(
        "delta", .ioError, "has no delta from its earlier version: \(error.description)",
        at: Location(file: new))
    }
  }

  private func names(_ folder: String) -> [String] {
    guard isRealFolder(folder) else { return [] }
    return (try? folderContents(folder)) ?? []
  }
}
