// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import DownloadCache
import Formatting
import Glibc
import SystemIO

/// How a command treats sources on the network.
struct SourceOptions: Sendable {
  /// The cache of downloads; nil if there is no place for one.
  var cache: DownloadCache?
  var mode = SourceResolver.Mode.asking
  /// Whether answers of Overpass APIs are asked for again, however young they are.
  var isUpdating = false

  /// The options of a command line.
  static let definitions: [CommandDefinition.Option] = [
    .flag("frozen", help: "take moving sources as the lock file names them, and ask no server"),
    .flag("offline", help: "download nothing: take what is in the cache of downloads"),
    .flag(
      "update", help: "ask Overpass APIs again, however young their answers are, and for tiles"),
  ]

  /// Reads the options of a command line, as far as the command has them.
  init(_ arguments: Arguments) throws(CairnError) {
    self.init(cacheAt: DownloadCache.location { getenv($0).map { String(cString: $0) } })
    isUpdating = arguments.has("update")
    let chosen = ["frozen", "offline", "update"].filter(arguments.has)
    if chosen.count > 1, isUpdating {
      throw arguments.usageError("--update asks servers, which --\(chosen[0]) forbids")
    }
    // Both together: as the lock file says, and nothing is downloaded.
    if arguments.has("offline") { mode = .offline }
    if arguments.has("frozen") { mode = .frozen }
    isOffline = arguments.has("offline")
    if isOffline, cache == nil {
      throw CairnError(
        .cannotCreate, .cannotCreate, "--offline needs the cache of downloads, and HOME is not set",
        hint: "name its folder by CAIRN_CACHE")
    }
  }

  init(cacheAt path: String?) { cache = path.map { DownloadCache($0) } }

  /// Whether nothing is downloaded that is not in the cache.
  var isOffline = false

  /// How the stages download.
  var fetching: Plan.Fetching { Plan.Fetching(cache: cache, isOffline: isOffline) }

  /// What finds out what the sources give.
  ///
  /// - Parameters:
  ///   - programs: The executables, among them `cairn-fetch`.
  ///   - progress: Told how many bytes have come.
  func resolver(
    _ manifest: Manifest, _ regions: [Manifest.Region], _ programs: StagePrograms,
    _ interruption: Interruption,
    progress: @escaping @Sendable (FetchRequest, Int) -> Void = { _, _ in },
    note: @escaping @Sendable (_ source: String, _ message: String) -> Void = { _, _ in }
  ) -> SourceResolver {
    let folder = OutputFolder(manifest)
    var resolver = SourceResolver(
      manifest: manifest, regions: regions, mode: mode, isUpdating: isUpdating,
      shapes: folder.shapes)
    let stored = StoredDownloads(
      manifest: manifest, store: folder.store,
      resolver: folder.resolver(programs, sourceDateEpoch: nil))
    resolver.isAtHand = { [cache] source, sha256, bytes in
      cache?.has(sha256, bytes: bytes) ?? false || stored.has(source, sha256)
    }
    resolver.cachedBytes = { [cache] sha256 in
      guard let cache, cache.has(sha256) else { return nil }
      return fileSize(cache.file(sha256))
    }
    resolver.takeFromCache = { [cache] sha256, path throws(CairnError) in
      try cache?.take(sha256, as: path) != nil
    }
    resolver.digest = { [digests = folder.digests] in try? digests.digest(ofFile: $0) }
    resolver.note = note
    guard let cache else {
      resolver.ask = { _ throws(CairnError) in
        throw CairnError(
          .cannotCreate, .cannotCreate, "there is no folder for downloads: HOME is not set",
          hint: "name one by CAIRN_CACHE")
      }
      return resolver
    }
    let process = FetchProcess(
      program: programs.path(of: "cairn-fetch"), cache: cache, interruption: interruption,
      progress: progress)
    resolver.ask = { [isOffline] request throws(CairnError) in
      guard !isOffline else {
        throw CairnError(
          .sourceFailed, .noInput, "is not at hand, and --offline forbids to fetch it",
          at: Location(file: redactedURL(request.url)), hint: "run once without --offline")
      }
      guard interruption.signal == nil else {
        throw CairnError(.sourceFailed, .temporaryFailure, "the run was stopped")
      }
      return try process.ask(request)
    }
    return resolver
  }
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
