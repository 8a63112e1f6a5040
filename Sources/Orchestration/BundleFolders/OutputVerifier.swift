// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import SystemIO

/// The findings about a folder: a bundle, or an output folder with several.
package struct OutputVerification: Sendable {
  /// The bundles in the order of their ids.
  package var bundles: [BundleVerification]
  /// The problems of the index.
  package var findings: [BundleFinding]

  /// Whether there are no problems.
  package var isIntact: Bool { findings.isEmpty && bundles.allSatisfy(\.isIntact) }

  /// Checks a bundle, or all bundles of an output folder in parallel.
  ///
  /// Throws 66 if there is no such folder, and 65 if it is neither.
  package init(_ path: String, threads: Int) throws(CairnError) {
    (bundles, findings) = ([], [])
    guard folderExists(path) else {
      throw CairnError(
        "no-bundle", .noInput, pathExists(path) ? "is a file, not a folder" : "no such folder",
        at: Location(file: path))
    }
    let indexPath = joinPath(path, IndexRecord.fileName)
    // Left by a run that was killed before it could rename the index.
    let next = IndexRecord(inFolder: joinPath(path, StoreFolder.staging))
    let hasIndex = nameExists(indexPath)
    guard hasIndex || next != nil, !nameExists(joinPath(path, BundleRecord.fileName)) else {
      try verifyBundle(path, threads)
      return
    }
    guard var index = hasIndex ? IndexRecord(inFolder: path) : IndexRecord(regions: [], of: "")
    else {
      findings.append(
        BundleFinding(
          code: .index, file: IndexRecord.fileName, message: "is not a Cairn index",
          advice: "run cairn run to write it again"))
      verify(try Self.folders(path), [:], path, threads)
      return
    }
    if let next, next != index, next.isTrue(of: path, insteadOf: index) {
      findings.append(Self.behind(index, next))
      index = next
    }
    try verifyOutput(path, index, threads)
  }

  /// Reports the regions for which an index lags behind the next one.
  private static func behind(_ index: IndexRecord, _ next: IndexRecord) -> BundleFinding {
    let changed = Set(next.regions.filter { !index.regions.contains($0) }.map(\.id))
      .union(Set(index.regions.map(\.id)).subtracting(next.regions.map(\.id)))
    let ids = changed.sorted().joined(separator: ", ")
    return BundleFinding(
      code: .index, file: IndexRecord.fileName,
      message: "does not match the published bundles of \(ids): a run was interrupted before "
        + "writing it, or is still running", advice: "run cairn run to write it")
  }

  private mutating func verifyBundle(_ path: String, _ threads: Int) throws(CairnError) {
    let isBundle = [BundleRecord.fileName, RegionRecord.fileName].contains {
      nameExists(joinPath(path, $0))
    }
    guard isBundle else {
      throw CairnError(
        "not-a-bundle", .dataError,
        "is neither a bundle nor an output folder: it has no \(BundleRecord.fileName) and no "
          + IndexRecord.fileName, at: Location(file: path),
        hint: "give the folder of a region, or the output of a manifest")
    }
    // Next to a copy of a bundle there is no index, or an unrelated one.
    let index = IndexRecord(inFolder: splitPath(simplifiedPath(absolutePath(path))).folder)
    let record = BundleRecord(inFolder: path)
    let entry = index?.regions.first {
      $0.id == record?.id && splitPath(simplifiedPath(absolutePath(path))).name == $0.id
    }
    var verifier = BundleVerifier(path, entry: entry, threads: threads)
    bundles = [verifier.run()]
  }

  private mutating func verifyOutput(_ path: String, _ index: IndexRecord, _ threads: Int)
    throws(CairnError)
  {
    var entries: [String: IndexRecord.Region] = [:]
    func add(_ message: String, _ advice: String) {
      findings.append(
        BundleFinding(
          code: .index, file: IndexRecord.fileName, message: message, advice: advice))
    }
    for entry in index.regions where entry.files != nil {
      guard isPlainFileName(entry.id), entries.updateValue(entry, forKey: entry.id) == nil else {
        add(
          "lists the region “\(entry.id)” twice, or its id is invalid",
          "run cairn run to write "
            + "it again")
        continue
      }
    }
    let folders = try Self.folders(path)
    for name in folders where entries[name] == nil {
      add("does not list the bundle \(name)", "run the manifest that it belongs to")
    }
    for id in entries.keys.sorted() where !folders.contains(id) {
      add("lists \(id), which has no bundle", BundleFinding.publishAgain)
    }
    let bytes = entries.values.reduce(0) { $0 &+ ($1.totalBytes ?? 0) }
    if index.totalBytes != bytes {
      add(
        "totalBytes is \(index.totalBytes), its regions have \(bytes)",
        "run cairn run to write it again")
    }
    verify(folders, entries, path, threads)
  }

  /// The names of the folders in an output folder that are bundles.
  private static func folders(_ path: String) throws(CairnError) -> [String] {
    try folderContents(path).filter { name in
      !name.hasPrefix(".") && isRealFolder(joinPath(path, name))
        && nameExists(joinPath(joinPath(path, name), BundleRecord.fileName))
    }.sorted()
  }

  private mutating func verify(
    _ names: [String], _ entries: [String: IndexRecord.Region], _ path: String, _ threads: Int
  ) {
    let queue = WorkQueue(count: names.count)
    let results = Collector<BundleVerification>(count: names.count)
    let workers = max(1, min(threads, names.count))
    runWorkers(workers) { _ in
      while let index = queue.next() {
        var verifier = BundleVerifier(
          joinPath(path, names[index]), entry: entries[names[index]],
          threads: max(1, threads / workers))
        results.set(index, verifier.run())
      }
    }
    bundles = results.values()
  }
}
