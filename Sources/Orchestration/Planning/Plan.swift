// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnFormatting
import DownloadCache
import Manifests
import ResultStore
import SystemIO

/// A word of a stage's command line, before paths are known and with paths kept apart from their
/// content, since the result depends only on the content.
package indirect enum Argument: Equatable, Sendable {
  /// A literal word.
  case word(String)
  /// A word that the result does not depend on.
  case uncounted(String)
  /// A file that counts by its content and, since stages record it, by the name in `role`.
  case file(String, role: String)
  /// A profile file, compared by meaning: comments and the order of keys do not matter.
  case profile(String, role: String)
  /// A file of changes or a folder of them.
  case changes(String, role: String)
  /// A folder of elevation tiles.
  case tiles(String, role: String)
  /// A raster: the first of its files, all of which are compared by content.
  case raster([String], role: String)
  /// The result of another action of the plan, by its index.
  case product(of: Int, role: String)
  /// A region to cut out. The id only names the file and does not affect the result.
  case region(id: String, shape: Manifest.Shape)
  /// The box around a shape, `w,s,e,n`.
  case box(Manifest.Shape)
  /// A custom program.
  case program(String)
  /// An unknown value, with the reason: the action cannot be done.
  case obstacle(CairnError)
  /// The number of threads, which does not affect the result.
  case threads
  /// Several parts of one word.
  case joined([Argument])
  /// The file that the stage writes, or the folder if the stage cuts out regions.
  case output
  /// The folder of the files that the stage writes.
  case outputFolder
}

extension Argument {
  /// The word for display, with `<…>` for values known later.
  package var symbol: String {
    switch self {
    case .word(let word): word
    case .uncounted(let word): redactedURL(word)
    case .file(let path, _), .profile(let path, _), .changes(let path, _), .tiles(let path, _),
      .program(let path):
      path
    case .raster(let files, _): files.first ?? ""
    case .product(let index, _): "<\(index + 1)>"
    case .region(let id, .box(let box)): "--region \(id)=\(box)"
    case .region(let id, .polygon(let path)): "--region \(id)=\(path)"
    case .region(let id, .feature(let path, let index)): "--region \(id)=\(path)#\(index)"
    case .box: "<box>"
    case .obstacle(let error): "<\(error.message)>"
    case .threads: "<threads>"
    case .joined(let parts): parts.map(\.symbol).joined()
    case .output: "<result>"
    case .outputFolder: "<folder>"
    }
  }
}

extension CairnError.Code {
  /// The current content of a URL is unknown, since it has not been requested yet.
  package static let notAskedYet: Self = "not-asked-yet"
}

/// A stage for a region.
package struct Action: Equatable, Sendable {
  /// The index of the region in the plan.
  package let region: Int
  package let stage: Stage
  /// The command line without the options that do not change the result.
  package let arguments: [Argument]
  /// The indices of the actions whose results it reads.
  package let dependencies: [Int]
}

/// All actions of a manifest's regions, done or not.
///
/// An action's dependencies have lower indices than itself, and a region's actions are adjacent, so
/// the actions could be done in order.
package struct Plan: Sendable {
  /// How sources are downloaded.
  package struct Fetching: Equatable, Sendable {
    /// The cache that all manifests share; nil to do without.
    package var cache: DownloadCache?
    /// Whether downloads are limited to the cache.
    package var isOffline = false

    package init(cache: DownloadCache? = nil, isOffline: Bool = false) {
      self.cache = cache
      self.isOffline = isOffline
    }
  }

  package let manifest: Manifest
  private let fetching: Fetching
  package let regions: [Manifest.Region]
  package private(set) var actions: [Action] = []
  /// The indices of each region's actions.
  package private(set) var actionsOfRegions: [Range<Int>] = []
  /// The actions done together: those that download one source or cut regions out of it; all others
  /// are alone.
  package private(set) var batches: [[Int]] = []

  /// Plans the actions of the manifest's regions whose ids are in `selection`, or of all.
  ///
  /// Throws 64 for an id that the manifest does not have.
  package init(_ manifest: Manifest, selection: [String]?, fetching: Fetching = .init())
    throws(CairnError)
  {
    self.manifest = manifest
    self.fetching = fetching
    let known = Set(manifest.regions.map(\.id))
    for id in selection ?? [] where !known.contains(id) {
      let near = nearestWord(to: id, among: manifest.regions.map(\.id))
      throw CairnError(
        "unknown-region", .usage, "\(manifest.path) has no region “\(id)”",
        hint: near.map { "did you mean \($0)?" })
    }
    let selected = selection.map { Set($0) } ?? known
    regions = manifest.regions.filter { selected.contains($0.id) }
    for region in regions.indices {
      let first = actions.count
      addActions(region)
      actionsOfRegions.append(first..<actions.count)
    }
    batches = Self.batches(of: actions, sources: regions.map(\.source))
  }

  /// The actions that make the ways of a region and, if it has any, their elevations.
  private struct Ways {
    let decoded: Int
    let elevated: Int?
  }

  /// The role of a `.trails` file that is read beside another result.
  static let trailsRole = "trails"
  /// The role of the result of the stage before.
  static let inputRole = "input"

  private static func batches(of actions: [Action], sources: [String]) -> [[Int]] {
    var batches: [[Int]] = []
    var batchesOfSources: [String: Int] = [:]
    for (index, action) in actions.enumerated() {
      if action.stage.isForSource {
        let name = "\(action.stage.rawValue) \(sources[action.region])"
        if let batch = batchesOfSources[name] {
          batches[batch].append(index)
          continue
        }
        batchesOfSources[name] = batches.count
      }
      batches.append([index])
    }
    return batches
  }

  /// The programs that the plan needs.
  package var executables: [String] { Set(actions.compactMap(\.stage.executable)).sorted() }

  /// Throws 66 for missing executables, and for missing files of the manifest's configuration, such
  /// as profiles; 78 for an invalid profile. Sources and tiles are data: missing ones fail the
  /// regions that need them.
  package func check(_ programs: StagePrograms) throws(CairnError) {
    try manifest.checkFiles(regions: regions, data: .skipped)
    try programs.check(executables)
  }

  private mutating func addActions(_ index: Int) {
    let region = regions[index]
    guard let source = manifest.sources[region.source] else { return }
    let role = ActionKey.sourceRole + source.fileName
    let fetched = addFetch(index, source)
    let changes = source.changes.enumerated().flatMap { index, changes -> [Argument] in
      [.word("--changes"), .changes(changes.path, role: "\(ActionKey.changesRole)\(index + 1)")]
    }
    let highways =
      manifest.routableHighways.map {
        [Argument.word("--highways"), .word($0.joined(separator: ","))]
      } ?? []
    let decoder: Stage = source.format == .pbf ? .decodePBF : .parseOverpass
    let decoded = add(
      index, decoder,
      [
        .word("--input"),
        fetched.map { .product(of: $0, role: role) } ?? .file(source.path, role: role),
      ] + changes + highways + [
        .region(id: region.id, shape: region.shape), .word("--output-dir"), .output,
      ], dependencies: fetched.map { [$0] } ?? [])
    let hasElevation = !manifest.elevation(of: region).isEmpty
    let elevation = addElevation(index)
    let elevated =
      hasElevation
      ? add(
        index, .sampleElevation, after: decoded, elevation.arguments + samplingOptions(region),
        dependencies: elevation.tiles) : nil
    let ways = Ways(decoded: decoded, elevated: elevated)
    var known = [
      "decode-pbf": decoded, "parse-overpass": decoded, "sample-elevation": elevated ?? decoded,
    ]
    let databases = region.hasRouting ? addDatabases(index, reading: ways, &known) : []
    // Listed first, started first: the way to the routing database is the longest.
    let waypoints =
      manifest.hasWaypoints
      ? addPlaces(index, .collectPlaces, .validateWaypoints, reading: ways) : nil
    let places =
      manifest.hasSearch ? addPlaces(index, .indexPlaces, .validatePlaces, reading: ways) : nil
    let layers = manifest.tiles.layers.filter { hasElevation || !$0.kind.isTerrain }.map {
      (layer: $0, tiles: addTiles(index, $0, reading: ways, elevation))
    }
    let tiles = layers.flatMap(\.tiles)
    known["collect-places"] = waypoints?.first
    known["index-places"] = places?.first
    known["build-tiles"] = layers.first { $0.layer.kind == .trails }?.tiles.first
    let own = addCustomStages(index, after: known, decoded: decoded)
    add(
      index, .publish, [],
      // The published record lists the tiles of its elevations, a refusal those that are missing.
      dependencies: [decoded] + (elevated.map { [$0] } ?? []) + databases + (waypoints ?? [])
        + (places ?? []) + tiles + own
        + elevation.tiles)
  }

  /// Adds the graph of a region, its routing databases and their validations; returns the indices
  /// of all except the graph.
  private mutating func addDatabases(
    _ index: Int, reading ways: Ways, _ known: inout [String: Int]
  ) -> [Int] {
    let region = regions[index]
    let graph = add(index, .buildGraph, reading: ways)
    let (database, validated) = addDatabase(
      index, .computeCosts, .validate, manifest.profiles(of: region), after: graph)
    known["build-graph"] = graph
    known["compute-costs"] = database
    known["validate"] = validated
    let variants = region.variants.flatMap { variant in
      let (database, validated) = addDatabase(
        index, .computeVariant(variant.name), .validateVariant(variant.name), variant.profiles,
        after: graph)
      return [database, validated]
    }
    return [database, validated] + variants
  }

  /// Adds the costs of a database of a region, and its validation.
  private mutating func addDatabase(
    _ index: Int, _ costs: Stage, _ validation: Stage, _ profiles: [Manifest.Profile],
    after graph: Int
  ) -> (database: Int, validated: Int) {
    let region = regions[index]
    let chosen = profiles.flatMap { profile -> [Argument] in
      switch profile.kind {
      case .builtIn(let name): [.word("--profile"), .word(name)]
      case .file(let path):
        [.word("--profile"), .profile(path, role: "profile \(splitPath(path).name)")]
      }
    }
    let date = region.date.map { [Argument.word("--date"), .word($0.description)] } ?? []
    let threshold = region.islandThresholdKilometres.map {
      [Argument.word("--island-threshold"), .word("\($0)")]
    }
    let database = add(
      index, costs, after: graph, chosen + date + (threshold ?? []) + nameOptions(index))
    let isFlat = manifest.elevation(of: region).isEmpty && manifest.saysElevation(of: region)
    let validated = add(
      index, validation,
      [.word("--input"), .product(of: database, role: Self.inputRole), .word("--json")]
        + (isFlat ? [.word("--without-elevation")] : []),
      dependencies: [database])
    return (database, validated)
  }

  /// Adds a database of a region's places, and its validation; returns both.
  private mutating func addPlaces(
    _ index: Int, _ stage: Stage, _ validation: Stage, reading ways: Ways
  ) -> [Int] {
    let database = add(index, stage, reading: ways, nameOptions(index))
    let validated = add(
      index, validation,
      [.word("--input"), .product(of: database, role: Self.inputRole), .word("--json")],
      dependencies: [database])
    return [database, validated]
  }

  /// Adds an archive of map tiles of a region, and its validation; returns both. The terrain does
  /// not depend on the region's ways, so changed ways do not redraw it.
  private mutating func addTiles(
    _ index: Int, _ layer: TileLayer, reading ways: Ways, _ elevation: RegionElevation
  ) -> [Int] {
    let region = regions[index]
    var options: [Argument] = [
      .word("--kind"), .word(layer.kind.rawValue), .word("--format"), .word(layer.format.rawValue),
    ]
    if let zooms = manifest.tiles.zooms {
      options += [.word("--zooms"), .word("\(zooms.lowerBound)-\(zooms.upperBound)")]
    }
    options.append(.word("--region-name=\(region.name)"))
    let archive: Int
    if layer.kind.isTerrain {
      let texts = manifest.drawnElevation(of: region).compactMap(\.attribution)
      let attribution =
        texts.isEmpty
        ? [] : [Argument.word("--attribution=\(unrepeated(texts).joined(separator: "; "))")]
      archive = add(
        index, .buildTiles(layer),
        [.word("--bbox"), .box(region.shape)] + elevation.arguments + options
          + attribution + [.word("--output"), .output], dependencies: elevation.tiles)
    } else {
      archive = add(index, .buildTiles(layer), reading: ways, options)
    }
    let validated = add(
      index, .validateTiles(layer),
      [.word("--input"), .product(of: archive, role: Self.inputRole), .word("--json")],
      dependencies: [archive])
    return [archive, validated]
  }

  /// The region's id and name, for the metadata of a database.
  private func nameOptions(_ index: Int) -> [Argument] {
    let region = regions[index]
    return [.word("--region-id"), .word(region.id), .word("--region-name=\(region.name)")]
  }

  /// Adds the download of a region's source, if it is remote. Regions of one source share the
  /// result, since it has one key.
  private mutating func addFetch(_ region: Int, _ source: Manifest.Source) -> Int? {
    guard source.isRemote else { return nil }
    let stage = Stage.fetch(product: source.fileName)
    guard let sha256 = source.sha256, source.obstacle == nil else {
      let unknown = CairnError(
        .notAskedYet, .noInput, "has not been asked for yet",
        at: Location(file: redactedURL(source.path)))
      return add(region, stage, [.obstacle(source.obstacle ?? unknown), .output])
    }
    let partial = ActionStore(ofOutput: manifest.output).partialDownload(sha256)
    var options = fetching.cache.map { ["--cache", $0.path] } ?? []
    // An answer cannot be requested twice, and can only come from the cache.
    if fetching.cache != nil, fetching.isOffline || source.isAnswer {
      options.append("--offline")
    }
    if source.isLocked { options.append("--locked") }
    return add(
      region, stage,
      [
        .word("--sha256"), .word(sha256), .uncounted("--url"), .uncounted(source.path),
        .uncounted("--max-bytes"), .uncounted("\(source.maximumBytes)"),
      ] + options.map { .uncounted($0) } + [
        .uncounted("--partial"), .uncounted(partial), .uncounted("--output"), .output,
      ])
  }

  /// Adds the user's stages for a region and returns the indices of their actions.
  private mutating func addCustomStages(
    _ regionIndex: Int, after known: [String: Int], decoded: Int
  ) -> [Int] {
    let region = regions[regionIndex]
    var indices = known
    var added: [Int] = []
    for stage in manifest.stages {
      guard let before = indices[stage.after] else { continue }
      let products = stage.outputs.map { $0.replacing("{region}", with: region.id) }
      let argument = { (part: CommandPart) -> Argument in
        guard case .placeholder(let name) = part else {
          if case .text(let text) = part { return .word(text) }
          return .word("")
        }
        switch name {
        case "input": return .product(of: before, role: Self.inputRole)
        case "trails": return .product(of: decoded, role: Self.trailsRole)
        case "output": return .output
        case "output-dir": return .outputFolder
        case "region": return .word(region.id)
        case "region-name": return .word(region.name)
        case "bbox": return .box(region.shape)
        case "threads": return .threads
        default:
          let path = stage.inputs.first { $0.name == name }?.path ?? ""
          return .file(path, role: "input \(name)")
        }
      }
      let words = stage.command.dropFirst().map { word -> Argument in
        var parts = commandParts(word).map(argument)
        // A file outside the stage's inputs still counts by its content.
        if commandParts(word) == [.text(word)], let file = fileAtEnd(of: word) {
          let read = Argument.file(file, role: "file \(file)")
          parts = file == word ? [read] : [.word(String(word.dropLast(file.count))), read]
        }
        return parts.count == 1 ? parts[0] : .joined(parts)
      }
      let readsTrails = stage.command.contains { commandParts($0).contains(.placeholder("trails")) }
      let action = add(
        regionIndex, .custom(name: stage.name, products: products),
        [.program(stage.program ?? stage.command.first ?? "")] + words,
        dependencies: (readsTrails && before != decoded ? [decoded] : []) + [before])
      indices[stage.name] = action
      added.append(action)
    }
    return added
  }

  /// Adds a stage that reads the ways of a region, with their elevations if there are any.
  private mutating func add(
    _ region: Int, _ stage: Stage, reading ways: Ways, _ options: [Argument] = []
  ) -> Int {
    guard let elevated = ways.elevated else {
      return add(region, stage, after: ways.decoded, options)
    }
    return add(
      region, stage,
      [
        .word("--input"), .product(of: elevated, role: Self.inputRole),
        .word("--trails"), .product(of: ways.decoded, role: Self.trailsRole),
      ] + options + [.word("--output"), .output],
      dependencies: [ways.decoded, elevated])
  }

  mutating func add(
    _ region: Int, _ stage: Stage, after input: Int, _ options: [Argument] = [],
    dependencies: [Int] = []
  ) -> Int {
    add(
      region, stage,
      [.word("--input"), .product(of: input, role: Self.inputRole)] + options + [
        .word("--output"), .output,
      ],
      dependencies: [input] + dependencies)
  }

  @discardableResult
  mutating func add(
    _ region: Int, _ stage: Stage, _ arguments: [Argument], dependencies: [Int] = []
  ) -> Int {
    actions.append(
      Action(region: region, stage: stage, arguments: arguments, dependencies: dependencies))
    return actions.count - 1
  }
}
