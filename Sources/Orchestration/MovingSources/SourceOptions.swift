// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import DownloadCache
import Glibc
import Manifests
import Planning
import ResultStore
import SystemIO

/// How a command treats sources on the network.
package struct SourceOptions: Sendable {
  /// The cache of downloads; nil if there is no place for one.
  package var cache: DownloadCache?
  package var mode = SourceResolver.Mode.asking
  /// Whether Overpass APIs are queried again regardless of the age of their answers.
  var isUpdating = false

  /// The options of a command line.
  package static let definitions: [CommandDefinition.Option] = [
    .flag("frozen", help: "use moving sources as recorded in the lock file, and ask no server"),
    .flag("offline", help: "download nothing; use the cache of downloads"),
    .flag(
      "update", help: "ask again for Overpass answers of any age, and for tiles"),
  ]

  /// Reads the options of a command line, as far as the command has them.
  package init(_ arguments: Arguments) throws(CairnError) {
    self.init(cacheAt: DownloadCache.location { getenv($0).map { String(cString: $0) } })
    isUpdating = arguments.has("update")
    let chosen = ["frozen", "offline", "update"].filter(arguments.has)
    if chosen.count > 1, isUpdating {
      throw arguments.usageError("--update cannot be combined with --\(chosen[0])")
    }
    // Both together: as in the lock file, without downloads.
    if arguments.has("offline") { mode = .offline }
    if arguments.has("frozen") { mode = .frozen }
    isOffline = arguments.has("offline")
    if isOffline, cache == nil {
      throw CairnError(
        .cannotCreate, .cannotCreate, "--offline needs the cache of downloads, and HOME is not set",
        hint: "set CAIRN_CACHE to a folder")
    }
  }

  package init(cacheAt path: String?) { cache = path.map { DownloadCache($0) } }

  /// Whether downloads are limited to the cache.
  package var isOffline = false

  /// How the stages download.
  package var fetching: Plan.Fetching { Plan.Fetching(cache: cache, isOffline: isOffline) }

  /// Makes the resolver of sources.
  ///
  /// - Parameters:
  ///   - programs: The executables, including `cairn-fetch`.
  ///   - progress: Called with the number of bytes received.
  package func resolver(
    _ manifest: Manifest, _ regions: [Manifest.Region], _ programs: StagePrograms,
    _ interruption: Interruption,
    progress: @escaping @Sendable (FetchRequest, Int) -> Void = { _, _ in },
    note: @escaping @Sendable (_ source: String, _ message: String) -> Void = { _, _ in }
  ) -> SourceResolver {
    let folder = OutputFolder(manifest)
    let stored = StoredDownloads(
      manifest: manifest, store: folder.store,
      resolver: folder.resolver(programs, sourceDateEpoch: nil))
    let process = cache.map { cache in
      FetchProcess(
        program: programs.path(of: "cairn-fetch"), cache: cache, interruption: interruption,
        progress: progress)
    }
    var resolver = SourceResolver(
      manifest, regions, mode: mode, shapes: folder.shapes,
      supply: DownloadSupply(
        stored: stored, process: process, digests: folder.digests, isOffline: isOffline))
    resolver.isUpdating = isUpdating
    resolver.note = note
    return resolver
  }
}

/// Earlier downloads, and a process that downloads the rest.
private struct DownloadSupply: SourceSupply {
  let stored: StoredDownloads
  /// Downloads into the cache; nil if there is no place for one.
  let process: FetchProcess?
  let digests: DigestCache
  let isOffline: Bool

  func has(_ source: Manifest.Source, _ sha256: String, bytes: Int) -> Bool {
    process?.cache.has(sha256, bytes: bytes) ?? false || stored.has(source, sha256)
  }

  func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer {
    guard let process else {
      throw CairnError(
        .cannotCreate, .cannotCreate, "no folder for downloads: HOME is not set",
        hint: "set CAIRN_CACHE to a folder")
    }
    guard !isOffline else {
      throw CairnError(
        .sourceFailed, .noInput, "is not at hand, and --offline forbids to fetch it",
        at: Location(file: redactedURL(request.url)), hint: "run once without --offline")
    }
    guard process.interruption.signal == nil else {
      throw CairnError(.sourceFailed, .temporaryFailure, "the run was stopped")
    }
    return try process.ask(request)
  }

  func cachedBytes(_ sha256: String) -> Int? {
    guard let cache = process?.cache, cache.has(sha256) else { return nil }
    return fileSize(cache.file(sha256))
  }

  func takeFromCache(_ sha256: String, as path: String) throws(CairnError) -> Bool {
    try process?.cache.take(sha256, as: path) != nil
  }

  func digest(ofFile path: String) -> String? { try? digests.digest(ofFile: path) }
}

/// The local files, for planning: nothing is requested or taken, and missing files do not matter.
struct ReadOnlySupply: SourceSupply {
  private let digests: DigestCache

  init(_ folder: OutputFolder) { digests = folder.digests }

  func has(_ source: Manifest.Source, _ sha256: String, bytes: Int) -> Bool { false }

  func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer {
    throw CairnError(.notAskedYet, .noInput, "has not been asked for yet")
  }

  func cachedBytes(_ sha256: String) -> Int? { nil }

  func takeFromCache(_ sha256: String, as path: String) throws(CairnError) -> Bool { false }

  func digest(ofFile path: String) -> String? { try? digests.digest(ofFile: path) }
}

/// The downloads that are among a manifest's results.
struct StoredDownloads: Sendable {
  let manifest: Manifest
  let store: ActionStore
  let resolver: ActionResolver

  /// Whether a source was downloaded with this digest.
  func has(_ source: Manifest.Source, _ sha256: String) -> Bool {
    var manifest = manifest
    var known = source
    known.sha256 = sha256
    known.obstacle = nil
    manifest.sources[source.name] = known
    guard let region = manifest.regions.first(where: { $0.source == source.name }),
      let plan = try? Plan(manifest, selection: [region.id]), let action = plan.actions.first,
      case .fetch = action.stage,
      let resolved = try? resolver.resolve(
        action,
        product: { _ in throw CairnError("unfinished-input", .software, "there is no input") })
    else { return false }
    return store.finished(resolved.key, product: action.stage.product) != nil
  }
}
