// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import Glibc
import Manifests
import Planning
import Publishing
import ResultStore
import SystemIO

/// Finds files that no run of a manifest needs any more.
///
/// It finds only files that look like Cairn's: results under their keys, remains of failed or
/// killed attempts, records of former regions, bundles beyond those to keep, and published bundles
/// of regions that left the manifest. Everything else is left alone, including the regions of other
/// manifests with the same output.
package struct GarbageCollector {
  /// Something that can be removed.
  package struct Item: Equatable {
    package var path: String
    package var bytes: Int
    /// A description.
    package var what: String
    /// The region; nil if it is of none, or if that cannot be told.
    package var region: String?
    /// Whether it is the result of a stage.
    package var isResult = false
    /// The region, for a bundle.
    var bundle: String?
  }

  private static let tileText = "a tile of a former region"
  /// Whether published bundles of regions that left the manifest are kept.
  package var keepsLeft = false
  private let plan: Plan
  private let folder: OutputFolder
  private let store: ActionStore
  private let resolver: ActionResolver
  package private(set) var publisher: Publisher
  private let keepPrevious: Int

  /// Throws 66 for missing files or stages, without which the needed results are unknown. A missing
  /// source or elevation folder keeps the last results of the regions that need it. Throws 73 if
  /// the index, which lists the property of other manifests, cannot be read.
  ///
  /// - Parameter formerName: The manifest's previous name: regions under that name are its own, or
  ///   left it. Throws 64 if there are none.
  package init(
    _ plan: Plan, _ folder: OutputFolder, _ options: Orchestrator.Options,
    formerName: String? = nil
  ) throws(CairnError) {
    try plan.check(options.programs)
    self.plan = plan
    self.folder = folder
    keepPrevious = max(options.keepPrevious, plan.manifest.deltasKept)
    store = folder.store
    resolver = folder.resolver(options.programs, sourceDateEpoch: options.sourceDateEpoch)
    publisher = folder.publisher()
    try publisher.index.check()
    guard let formerName, formerName != plan.manifest.name else { return }
    guard publisher.index.knownRegions().contains(where: { $0.manifest == formerName }) else {
      throw CairnError(
        "unknown-manifest", .usage, "no regions of a manifest “\(formerName)”",
        at: Location(file: plan.manifest.output))
    }
    publisher.index.formerNames = [formerName: plan.manifest.name]
  }

  /// The removable items, sorted by path.
  package func items() throws -> [Item] {
    guard folder.exists else { return [] }
    var (needed, unfinished) = neededKeys()
    let others = publisher.index.regionsOfOthers(plan.manifest)
    let regions = others.union(plan.manifest.regions.map(\.id))
    var stages = Set(
      plan.actions.map { "\(plan.regions[$0.region].id).\($0.stage.rawValue)" })
    // The results last used by runs of other manifests, as far as recorded.
    for name in names(store.latest) where others.contains(String(name.prefix { $0 != "." })) {
      stages.insert(name)
      unfinished.insert(name)
      if let key = store.lastKey(inRecord: name) { needed.insert(key) }
    }
    return results(besides: needed) + attempts(besides: unfinished) + lastKeys(besides: stages)
      + rejections(besides: regions) + warnings(besides: regions) + bundles(of: regions)
      + leftBundles() + downloads()
      + tiles(besides: regions)
  }

  /// The keys of the results that a run would use now, and the stages that it would run. If a stage
  /// must run, or its input cannot be read, its last results and those of later stages may fit
  /// again, so they are needed.
  private func neededKeys() -> (keys: Set<String>, unfinished: Set<String>) {
    var finished = [FinishedAction?](repeating: nil, count: plan.actions.count)
    var needed: Set<String> = []
    var unfinished: Set<String> = []
    for (index, action) in plan.actions.enumerated() where action.stage.isProcess {
      let region = plan.regions[action.region].id
      if action.dependencies.allSatisfy({ finished[$0] != nil }) {
        let resolved = try? resolver.resolve(action) { dependency throws(CairnError) in
          guard let product = finished[dependency] else {
            throw CairnError("unfinished-input", .software, "action \(dependency) is not finished")
          }
          return product
        }
        if let key = resolved?.key {
          needed.insert(key.digest)
          finished[index] = store.finished(key, product: action.stage.product)
        }
      }
      if finished[index] == nil {
        unfinished.insert("\(region).\(action.stage.rawValue)")
        if let last = store.lastKey(region: region, stage: action.stage) { needed.insert(last) }
      }
    }
    return (needed, unfinished)
  }

  private func results(besides needed: Set<String>) -> [Item] {
    names(store.actions).filter { isKey($0) && !needed.contains($0) }.compactMap { key in
      let folder = joinPath(store.actions, key)
      guard store.isOurs(folder) else { return nil }
      let command = store.command(inFolder: folder)
      var item = item(
        folder, command.map { "\($0.stage) of \($0.region)" } ?? "a damaged result",
        of: command?.region)
      item.isResult = true
      return item
    }
  }

  /// The remains of attempts, except the logs of failures that still matter.
  private func attempts(besides unfinished: Set<String>) -> [Item] {
    names(store.attempts).compactMap { name in
      let parts = name.split(separator: ".")
      guard parts.count == 4, parts[2...].allSatisfy({ Int($0) != nil }) else { return nil }
      let folder = joinPath(store.attempts, name)
      let isUnfinished = unfinished.contains("\(parts[0]).\(parts[1])")
      // One that may still be running is left to the next run.
      let isKept =
        pathExists(joinPath(folder, "result.json")) || ExecutorChoice.mayBeAtWork(in: folder)
      guard store.isOurs(folder), !(isUnfinished && isKept) else { return nil }
      return item(folder, "an attempt at \(parts[1]) of \(parts[0])", of: String(parts[0]))
    }
  }

  /// The records of the keys of former regions and stages.
  private func lastKeys(besides stages: Set<String>) -> [Item] {
    names(store.latest).compactMap { name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let path = joinPath(store.latest, name)
      guard !stages.contains(name), parts.count == 2,
        let bytes = try? InputFile(path).readAll(limit: 256),
        isKey(String(decoding: bytes.dropLast(), as: UTF8.self))
      else { return nil }
      return item(path, "a record of a former region", of: String(parts[0]))
    }
  }

  private func rejections(besides regions: Set<String>) -> [Item] {
    names(store.rejected).compactMap { name in
      let path = joinPath(store.rejected, name)
      guard name.hasSuffix(".json"), !regions.contains(String(name.dropLast(5))),
        let record = BundleRecord(path), "\(record.id).json" == name
      else { return nil }
      return item(path, "a record of a former region", of: record.id)
    }
  }

  private func warnings(besides regions: Set<String>) -> [Item] {
    let left = keepsLeft ? [] : Set(publisher.index.leftRegions(plan.manifest).map(\.id))
    let records = WarningRecords(ofOutput: publisher.index.output)
    return names(store.warnings).compactMap { name in
      let id = String(name.dropLast(5))
      guard name.hasSuffix(".json"), !regions.contains(id), records.isRecorded(id),
        left.contains(id) || publisher.index.published(id) == nil
      else { return nil }
      return item(joinPath(store.warnings, name), "the warnings of a former region", of: id)
    }
  }

  private func bundles(of regions: Set<String>) -> [Item] {
    let left = Set(publisher.index.leftRegions(plan.manifest).map(\.id))
    return names(store.previous).flatMap { id -> [Item] in
      let numbers = store.previousNumbers(id)
      // A published one missing from the index, which somebody removed, still has an owner.
      let isKept =
        regions.contains(id) || !left.contains(id) && publisher.index.published(id) != nil
      let surplus = isKept ? numbers.dropLast(keepPrevious) : numbers[...]
      return surplus.compactMap { number in
        let folder = joinPath(store.previous, "\(id)/\(number)")
        guard BundleRecord(inFolder: folder)?.id == id else { return nil }
        var item = item(folder, "an earlier bundle of \(id)", of: id)
        item.bundle = id
        return item
      }
    }
  }

  /// The published bundles of regions that left the manifest.
  private func leftBundles() -> [Item] {
    guard !keepsLeft else { return [] }
    return publisher.index.leftRegions(plan.manifest).map { region in
      let folder = publisher.index.folder(region.id)
      var found = item(
        folder, "the bundle of \(region.id), which left the manifest", of: region.id)
      found.bundle = region.id
      return found
    }
  }

  /// Unfinished downloads of files that the manifest no longer names.
  private func downloads() -> [Item] {
    let needed = Set(plan.manifest.sources.values.compactMap(\.sha256))
    return names(store.downloads).compactMap { name in
      // cairn-fetch keeps the state of a partial file next to it.
      let suffix = [".part", ".part.state"].first(where: name.hasSuffix) ?? ""
      let digest = String(name.dropLast(suffix.count))
      guard !suffix.isEmpty, isKey(digest), !needed.contains(digest) else { return nil }
      return item(joinPath(store.downloads, name), "an unfinished download")
    }
  }

  /// Elevation tiles of former regions, and of servers that the manifest no longer names.
  private func tiles(besides regions: Set<String>) -> [Item] {
    let root = joinPath(store.root, "tiles")
    let patterns = Set(
      plan.manifest.elevationFolders().filter { $0.pattern != nil }.map { splitPath($0.path).name })
    return names(root).flatMap { pattern in
      names(joinPath(root, pattern)).flatMap { region -> [Item] in
        guard !patterns.contains(pattern) || !regions.contains(region) else { return [] }
        let folder = joinPath(root, "\(pattern)/\(region)")
        return names(folder).filter(TilePattern.isTile).map {
          item(joinPath(folder, $0), Self.tileText, of: region)
        }
      }
    }
  }

  private func names(_ folder: String) -> [String] { (try? folderContents(folder)) ?? [] }

  private func isKey(_ name: String) -> Bool {
    name.utf8.count == 64 && name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private func item(_ path: String, _ what: String, of region: String? = nil) -> Item {
    Item(path: path, bytes: treeSize(path), what: what, region: region)
  }

  /// Removes the items found. Returns a note for each folder with foreign files; these are kept.
  package func remove(_ items: [Item]) throws -> [String] {
    guard folder.exists else { return [] }
    var notes: [String] = []
    for item in items {
      if let id = item.bundle {
        if item.path == publisher.index.folder(id) {
          notes += try publisher.withdraw(id, of: plan.manifest).map { ["\(id): \($0)"] } ?? []
        } else {
          notes += try publisher.files.discard(item.path, id: id).map { ["\(id): \($0)"] } ?? []
        }
      } else if unlink(item.path) != 0, let target = try store.discard(item.path) {
        notes.append("\(item.what): moved other files to \(target)")
      }
    }
    // An earlier version also listed regions that no run had published.
    if IndexRecord(inFolder: plan.manifest.output) != nil {
      try publisher.index.write(plan.manifest, [:])
    }
    for id in names(store.previous) { rmdir(joinPath(store.previous, id)) }
    let tiles = items.filter { $0.what == Self.tileText }
    for path in Set(tiles.map { splitPath($0.path).folder }) {
      rmdir(path)
      rmdir(splitPath(path).folder)
    }
    let history = folder.history()
    history.keep(
      publisher.index.regionsOfOthers(plan.manifest).union(plan.manifest.regions.map(\.id)))
    try? history.save()
    return notes
  }
}
