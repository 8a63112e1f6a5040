// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// A step of a region's way from source to bundle.
enum Stage: String, Sendable, CaseIterable {
  case decodePBF = "decode-pbf"
  case parseOverpass = "parse-overpass"
  case sampleElevation = "sample-elevation"
  case buildGraph = "build-graph"
  case computeCosts = "compute-costs"
  case validate
  /// Checks and publishes; done by the orchestrator itself.
  case publish

  /// The program that does it, or nil for what the orchestrator does itself.
  var executable: String? { self == .publish ? nil : "cairn-\(rawValue)" }

  /// To be raised when a stage is called in another way, so that old results are not taken.
  var formatVersion: Int { cutsRegions ? 2 : 1 }

  /// Whether one process may do the stage for several regions: it writes `ID.trails` for each
  /// into one folder.
  var cutsRegions: Bool { self == .decodePBF || self == .parseOverpass }

  /// The name of its result within an action's folder.
  var product: String {
    switch self {
    case .decodePBF, .parseOverpass: "region.trails"
    case .sampleElevation: "region.elevated"
    case .buildGraph: "region.graph"
    case .computeCosts: "region.routing.db"
    case .validate: "validation.json"
    case .publish: "bundle.json"
    }
  }

  /// Whether the result is what the stage prints, and not a file that it writes.
  var printsProduct: Bool { self == .validate }
}

/// A word of a stage's command line, before paths are known and with paths kept apart from what
/// they hold: where a file lies does not matter to the result, its content does.
enum Argument: Equatable, Sendable {
  /// A word as it is.
  case word(String)
  /// A file that counts by its content and, as stages note it down, by the name in `role`.
  case file(String, role: String)
  /// A profile file, which counts by what it says: comments and the order of keys do not matter.
  case profile(String, role: String)
  /// A folder of elevation tiles.
  case tiles(String, role: String)
  /// The result of another action of the plan, by its number.
  case product(of: Int)
  /// What is cut out. The id names the file and so has no part in the result.
  case region(id: String, shape: Manifest.Shape)
  /// The file that the stage writes, or the folder if it is one that cuts out regions.
  case output
}

/// One step for one region.
struct Action: Equatable, Sendable {
  /// The number of the region in the plan.
  let region: Int
  /// What is done.
  let stage: Stage
  /// The command line without the options that do not change the result.
  let arguments: [Argument]
  /// The actions that must be done before: those whose results it reads.
  let dependencies: [Int]
}

/// All that a run has to see to, before anybody looks at what is done already.
///
/// An action's dependencies have lower numbers than itself, and a region's actions stand
/// together, so that the order of the numbers is one in which the work could be done.
struct Plan: Sendable {
  let manifest: Manifest
  let regions: [Manifest.Region]
  private(set) var actions: [Action] = []
  /// The actions by what is done together: those that cut regions out of one file, and each other
  /// one by itself.
  private(set) var jobs: [[Int]] = []

  /// Lays out the chain of each of the manifest's regions whose id is in `selection`, or of all.
  ///
  /// Throws 64 for an id that the manifest does not have.
  init(_ manifest: Manifest, selection: [String]?) throws(CairnError) {
    self.manifest = manifest
    for id in selection ?? [] where !manifest.regions.contains(where: { $0.id == id }) {
      let near = nearestWord(to: id, among: manifest.regions.map(\.id))
      throw CairnError(
        "unknown-region", .usage, "\(manifest.path) has no region “\(id)”",
        hint: near.map { "did you mean \($0)?" })
    }
    regions = manifest.regions.filter { selection?.contains($0.id) ?? true }
    for number in regions.indices { addChain(number) }
    jobs = Self.jobs(of: actions, sources: regions.map(\.source))
  }

  private static func jobs(of actions: [Action], sources: [String]) -> [[Int]] {
    var jobs: [[Int]] = []
    var jobsOfSources: [String: Int] = [:]
    for (number, action) in actions.enumerated() {
      if action.stage.cutsRegions {
        let source = sources[action.region]
        if let job = jobsOfSources[source] {
          jobs[job].append(number)
          continue
        }
        jobsOfSources[source] = jobs.count
      }
      jobs.append([number])
    }
    return jobs
  }

  /// The programs that the plan needs.
  var executables: [String] { Set(actions.compactMap(\.stage.executable)).sorted() }

  private mutating func addChain(_ number: Int) {
    let region = regions[number]
    guard let source = manifest.sources[region.source] else { return }
    let folders = manifest.elevation.enumerated().flatMap { place, folder -> [Argument] in
      [.word("--hgt"), .tiles(folder.path, role: "elevation folder \(place + 1)")]
    }
    let cleaning = [
      ("--smoothing-metres", manifest.elevationOptions.smoothingMetres),
      ("--threshold-metres", manifest.elevationOptions.thresholdMetres),
      ("--step-metres", manifest.elevationOptions.stepMetres),
    ].flatMap { name, metres -> [Argument] in
      metres.map { [.word(name), .word("\($0)")] } ?? []
    }
    let profiles = manifest.profiles.flatMap { profile -> [Argument] in
      switch profile.kind {
      case .builtIn(let name): [.word("--profile"), .word(name)]
      case .file(let path):
        [.word("--profile"), .profile(path, role: "profile \(splitPath(path).name)")]
      }
    }
    let date = region.date.map { [Argument.word("--date"), .word($0.description)] } ?? []
    let decoder: Stage = source.format == .pbf ? .decodePBF : .parseOverpass
    let decoded = add(
      number, decoder,
      [
        .word("--input"), .file(source.path, role: "source \(splitPath(source.path).name)"),
        .region(id: region.id, shape: region.shape), .word("--output-dir"), .output,
      ])
    let elevated = add(number, .sampleElevation, after: decoded, folders + cleaning)
    let graph = add(number, .buildGraph, after: elevated)
    let threshold = region.islandThresholdKilometres.map {
      [Argument.word("--island-threshold"), .word("\($0)")]
    }
    let database = add(number, .computeCosts, after: graph, profiles + date + (threshold ?? []))
    let validated = add(
      number, .validate, [.word("--input"), .product(of: database), .word("--json")],
      dependencies: [database])
    add(number, .publish, [], dependencies: [decoded, database, validated])
  }

  private mutating func add(
    _ region: Int, _ stage: Stage, after input: Int, _ options: [Argument] = []
  ) -> Int {
    add(
      region, stage,
      [.word("--input"), .product(of: input)] + options + [.word("--output"), .output],
      dependencies: [input])
  }

  @discardableResult
  private mutating func add(
    _ region: Int, _ stage: Stage, _ arguments: [Argument], dependencies: [Int] = []
  ) -> Int {
    actions.append(
      Action(region: region, stage: stage, arguments: arguments, dependencies: dependencies))
    return actions.count - 1
  }
}
