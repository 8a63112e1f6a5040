// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDeltas
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import Manifests
import Planning
import Publishing
import ResultStore
import SystemIO

/// `cairn publish`: a tree for web servers and buckets.
package struct PublishCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn publish",
    summary: "copy published bundles to a tree for a web server or a bucket",
    discussion: """
      Copies new bundles and deltas from the output of MANIFEST to the tree, each under its \
      SHA-256, and writes the index last, so that clients always see the old state or the new one. \
      Keeps the files of the last indexes. Does not replace or remove files of other programs. \
      With --sign, writes a signature beside the index, which shows clients that the index is \
      yours, current and not out of date. Exit code 65: the last index is from the future; 66: nothing was published to the output; 73: \
      the folder has other files; 74: a file does not match its bundle's record; 75: a run is \
      using the output.
      """,
    positionals: [.manifest],
    options: [
      .option("to", "DIR", required: true, help: "the tree; created if missing"),
      .option("sign", "KEY", help: "a private key that cairn keygen wrote"),
      .option(
        "expires", "DAYS",
        help: "days after which clients refuse the index (default 30 if signed, otherwise never)"),
      .flag("verify", help: "read all files of the tree, not only those that changed"),
      .flag(
        "after-future",
        help: "go on after an index that was published with a wrong clock, or has no next number"),
      .option("keep", "N", help: "indexes to keep with their files (default 7)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
    ],
    examples: ["cairn publish pipelines/sample.yaml --to build/tree"])

  /// Publishes.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let manifest = try Manifest.load(argument: arguments.positionals.first)
    let key = try arguments.value("sign").map { path throws(CairnError) in
      try KeyFile.read(path, .secret)
    }
    let days = try arguments.integer("expires", in: 1...3650) ?? (key == nil ? nil : 30)
    let keep = try arguments.integer("keep", in: 1...1000) ?? 7
    let folder = OutputFolder(manifest)
    guard folder.exists, let index = IndexRecord(inFolder: manifest.output) else {
      throw CairnError(
        "not-published", .noInput, "has no index; run cairn run first",
        at: Location(file: manifest.output), hint: "cairn run \(manifest.path)")
    }
    let lock = try folder.lock()
    let outcome = try withExtendedLifetime(lock) {
      var contents = ReleaseContents(folder)
      let released = try contents.index(index)
      let tree = try ReleaseTree(
        try arguments.required("to"), folder.digests, verifies: arguments.has("verify"),
        followsFuture: arguments.has("after-future"))
      let outcome = try tree.publish(
        released, from: contents.sources, now: Int64(time(nil)), lifetimeDays: days, key: key,
        keep: keep)
      // It only saves time.
      try? folder.digests.save()
      return outcome
    }
    for name in outcome.repaired {
      Console.note(printable("note: was damaged, copied again: \(name)"))
    }
    for path in outcome.kept {
      Console.note(
        printable("note: a file that is damaged or not Cairn's was in the way and is now \(path)"))
    }
    if !arguments.has("quiet") { try Console.write(outcome.text) }
    return .success
  }
}

extension ReleaseTree.Outcome {
  /// One line.
  fileprivate var text: String {
    let files =
      "\(grouped(copied)) \(copied == 1 ? "file" : "files") (\(byteSize(copiedBytes))) copied"
    return
      "index \(number)\(isNew ? "" : ", as before"): \(files), \(grouped(present)) there already"
      + (removed > 0 ? ", \(grouped(removed)) of earlier indexes removed" : "") + "\n"
  }
}

/// The content of an output folder for a tree.
struct ReleaseContents {
  private let folder: OutputFolder
  /// The deltas by the digest of the new file.
  private let deltas: [String: [String]]
  /// The sources of the tree's files, by their paths there.
  private(set) var sources: [String: String] = [:]

  init(_ folder: OutputFolder) {
    self.folder = folder
    deltas = DeltaFolder(folder.store.deltas).oldDigests()
  }

  /// The index with the additions of a tree: the records of bundles, and the deltas.
  mutating func index(_ index: IndexRecord) throws -> IndexRecord {
    var result = index
    result.regions = []
    for entry in index.regions where entry.status != .left && entry.files != nil {
      var region = entry
      let bundle = folder.index.folder(region.id)
      guard BundleRecord(inFolder: bundle) != nil else {
        throw CairnError(
          "bundle-damaged", .dataError, "is damaged or missing",
          at: Location(file: joinPath(bundle, BundleRecord.fileName)),
          hint: "cairn run writes it again")
      }
      region.record = try FileRecord(of: joinPath(bundle, BundleRecord.fileName))
      guard let files = region.allFiles else {
        throw CairnError(
          "bundle-damaged", .dataError, "has no plain name or no files in the index",
          at: Location(file: bundle), hint: "run cairn bundle verify for details")
      }
      var found: [DeltaRecord] = []
      for (name, file) in files.sorted(by: { $0.key < $1.key }) {
        sources[ReleasePath.file(file.sha256, name)] = joinPath(bundle, name)
        for old in deltas[file.sha256] ?? [] {
          let path = DeltaFolder(folder.store.deltas).path(old: old, new: file.sha256)
          let record = try FileRecord(of: path)
          let delta: DatabaseDelta
          // An unreadable one is skipped; the next run makes it again.
          do { delta = try DatabaseDelta(path: path) } catch { continue }
          guard delta.old.sha256 == old, delta.new.sha256 == file.sha256 else { continue }
          found.append(
            DeltaRecord(
              name: name, old: old, oldBytes: delta.old.bytes, bytes: record.bytes,
              sha256: record.sha256))
          sources[ReleasePath.delta(old: old, new: file.sha256)] = path
        }
      }
      region.deltas = found.isEmpty ? nil : found
      result.regions.append(region)
    }
    result.totalBytes = result.regions.reduce(0) { $0 &+ ($1.totalBytes ?? 0) }
    return result
  }
}
