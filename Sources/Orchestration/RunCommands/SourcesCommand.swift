// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import DownloadCache
import Manifests
import MovingSources
import Pipeline
import Planning
import SystemIO

/// `cairn sources list`, `update` and `query`.
package struct SourcesCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn sources",
    summary: "list or update the remote sources of a manifest, or show their queries",
    discussion: """
      list prints what the lock file beside the manifest records and whether it is in the cache; \
      it asks no server and writes nothing. update checks for new versions, downloads all that the \
      regions need into the cache of downloads, including elevation tiles, and renews the lock \
      file, without building anything. query prints the Overpass query for a region. Exit code 0: \
      done; 1: some sources are not available; 73: the lock file cannot be written; 78: the \
      manifest or lock file is invalid, or a region cannot be queried.
      """,
    positionals: [
      .init("ACTION", help: "list, update or query"),
      .manifest,
      .init("REGION", repeats: true, required: false, help: "only what these regions need"),
    ],
    options: [
      .flag(
        "update",
        help: "update: ask again for Overpass answers of any age, and for tiles"),
      .flag("json", help: "list and update: print JSON"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ],
    examples: [
      "cairn sources update pipelines/alps.yaml",
      "cairn sources query pipelines/alps.yaml valley-west",
    ])

  /// Runs the requested action.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let words = arguments.positionals
    let actions = ["list", "update", "query"]
    guard let action = words.first, actions.contains(action) else {
      let word = words.first ?? ""
      throw arguments.usageError(
        "unknown action “\(printable(word))”: use list, update or query",
        hint: nearestWord(to: word, among: actions).map { "did you mean \($0)?" })
    }
    let (manifest, ids) = try Manifest.load(words: Array(words.dropFirst()))
    let regions = try Plan(manifest, selection: ids.isEmpty ? nil : ids).regions
    if action == "query" { return try printQueries(manifest, regions) }
    let options = try SourceOptions(arguments)
    let programs = try Orchestrator.Options(arguments).programs
    let isQuiet = arguments.has("quiet")
    var resolver = options.resolver(
      manifest, regions, programs, Interruption(), progress: { _, _ in }
    ) { source, message in
      if !isQuiet { Console.note(printable("cairn sources: \(source): \(message)")) }
    }
    if action == "list" { resolver.mode = .planning }
    let resolved = try resolver.resolve()
    var states = SourceState.all(resolved, of: regions, resolver)
    if action == "update" {
      for index in states.indices { states[index].fetch(resolver) }
    }
    if arguments.has("json") {
      let json = JSONValue.object(["sources": .list(states.map(\.json))])
      try Console.write(String(decoding: try encodeJSON(json), as: UTF8.self))
    } else if !isQuiet {
      let rows =
        [["source", "region", "size", "sha256", "state"]]
        + states.map { $0.row(isBrief: action == "update") }
      try Console.write(TextTable([.left, .left, .right, .left, .left], rows: rows).text)
    }
    guard action == "update" else { return .success }
    let obstacles =
      states.compactMap(\.obstacle)
      + regions.compactMap { resolved.tileObstacles[$0.id] }
    for error in obstacles { Console.note("cairn sources: error: \(error)") }
    return obstacles.isEmpty ? .success : .negative
  }

  private static func printQueries(_ manifest: Manifest, _ regions: [Manifest.Region]) throws
    -> ExitCode
  {
    let asked = regions.filter { manifest.sources[$0.source]?.isAnswer ?? false }
    guard !asked.isEmpty else {
      throw CairnError(
        .unfitForOverpass, .configuration, "no region has an overpass-api as its source",
        at: Location(file: manifest.path))
    }
    let shapes = RegionShapes()
    for region in asked { try Console.write(manifest.query(region, shapes).text) }
    return .success
  }
}

/// The state of a remote source, or of an answer for a region.
private struct SourceState {
  var source: Manifest.Source
  var region: String?
  var bytes: Int?
  var isAtHand = false
  var obstacle: CairnError?

  /// The remote sources of some regions, each once.
  static func all(_ manifest: Manifest, of regions: [Manifest.Region], _ resolver: SourceResolver)
    -> [SourceState]
  {
    let lock = try? SourceLock(file: SourceLock.path(ofManifest: manifest.path))
    let ids = Set(regions.map(\.id))
    var known: Set<String> = []
    return manifest.regions.filter { ids.contains($0.id) }.compactMap { region in
      guard let source = manifest.sources[region.source], source.isRemote,
        known.insert(region.source).inserted
      else { return nil }
      let state = SourceState(
        source: source, region: source.isAnswer ? region.id : nil, obstacle: source.obstacle)
      return state.located(lock, resolver)
    }
  }

  private func located(_ lock: SourceLock?, _ resolver: SourceResolver) -> SourceState {
    var state = self
    state.bytes =
      region.map { lock?.answers[source.name]?[$0]?.bytes } ?? lock?.sources[source.name]?.bytes
    guard let sha256 = source.sha256 else { return state }
    let cached = resolver.supply.cachedBytes(sha256)
    state.bytes = state.bytes ?? cached
    state.isAtHand = cached != nil || resolver.supply.has(source, sha256, bytes: state.bytes ?? 0)
    return state
  }

  /// Downloads missing files with a known digest.
  mutating func fetch(_ resolver: SourceResolver) {
    guard !isAtHand, obstacle == nil, let sha256 = source.sha256, !source.isAnswer else { return }
    do throws(CairnError) {
      resolver.note(source.name, "downloading \(redactedURL(source.path))")
      let answer = try resolver.supply.ask(
        FetchRequest(
          url: source.path, maximumBytes: source.maximumBytes, content: source.format.rawValue,
          sha256: sha256))
      if case .received(let file) = answer { bytes = file.bytes }
      isAtHand = true
    } catch { obstacle = error }
  }

  private var text: String {
    obstacle.map { $0.code == .notAskedYet ? "not asked for yet" : $0.description }
      ?? (isAtHand ? "at hand" : "not at hand")
  }

  /// - Parameter isBrief: Whether errors are reported elsewhere.
  func row(isBrief: Bool) -> [String] {
    [
      source.name, region ?? "", bytes.map(byteSize) ?? "–",
      source.sha256.map { "\($0.prefix(12))…" } ?? "–",
      isBrief && obstacle != nil ? "failed" : printable(text),
    ]
  }

  var json: JSONValue {
    .object([
      "source": .text(source.name), "region": region.map { .text($0) } ?? .null,
      "url": .text(redactedURL(source.path)), "bytes": bytes.map { .integer($0) } ?? .null,
      "sha256": source.sha256.map { .text($0) } ?? .null, "isAtHand": .boolean(isAtHand),
      "error": obstacle.map { .text($0.description) } ?? .null,
    ])
  }
}
