// SPDX-License-Identifier: Apache-2.0
import BundleFolders

/// A step on the way from source to bundle: an executable that turns one file into the next, or the
/// publishing at the end.
package enum Stage: Hashable, Sendable {
  /// Downloads a source; its result has the name of the file at the URL.
  case fetch(product: String)
  case decodePBF
  case parseOverpass
  /// Makes an HGT tile of a square degree out of the rasters of a source of elevations, counted from 1.
  case gridElevation(tile: String, source: Int)
  case sampleElevation
  case buildGraph
  case computeCosts
  case validate
  /// The same as ``computeCosts`` and ``validate`` with the profiles of a variant of the region.
  case computeVariant(String)
  case validateVariant(String)
  /// Waypoints of the region's points of interest, and their validation.
  case collectPlaces
  case validateWaypoints
  /// The database for search, and its validation.
  case indexPlaces
  case validatePlaces
  /// An archive of map tiles, and its validation.
  case buildTiles(TileLayer)
  case validateTiles(TileLayer)
  /// A custom stage: its name and the names of its output files, at least one.
  case custom(name: String, products: [String])
  /// Checks and publishes; done by the orchestrator itself.
  case publish

  /// The names of files in the folder of an attempt: its records and logs, results of Cairn's
  /// stages, and the additional files of a cluster job. Custom stages must not write these.
  package static let attemptFiles =
    [
      "command.json", "result.json", "report.json", "stdout.log", "stderr.log", "events.jsonl",
      "region.trails", "region.elevated", "region.graph", "region.routing.db",
      "region.waypoints.db", "region.places.db", "validation.json",
    ] + TileLayer.allExtensions.map { "region.\($0)" }
    + ["order.json", "slurm.json", "slurm.log", "job.sh", "input"]

  /// The stages of a region, in order, unless disabled in the manifest; each region uses one of the
  /// two decoders.
  package static let builtIn: [Stage] = [
    .decodePBF, .parseOverpass, .sampleElevation, .collectPlaces, .indexPlaces,
    .buildTiles(.trails), .buildGraph, .computeCosts, .validate, .publish,
  ]

  /// The names not allowed for custom stages.
  static let reservedNames =
    ["fetch", gridElevationName]
    + (builtIn + [.validateWaypoints, .validatePlaces, .validateTiles(.trails)]).map(\.rawValue)

  private static let gridElevationName = "grid-elevation"

  /// The names of Cairn's stages that are processes.
  package static let processNames =
    ["fetch", gridElevationName] + builtIn.filter(\.isProcess).map(\.rawValue)

  /// The names of the stages with a result for each region.
  package static let regionalNames = builtIn.filter(\.isProcess).map(\.rawValue)

  /// Cairn's executables of stages.
  package static let executables =
    ["cairn-fetch"] + builtIn.compactMap(\.executable)

  /// Its name in folders and messages. No other stage has a plus sign in its name.
  package var rawValue: String {
    switch self {
    case .computeVariant(let name): "\(Stage.computeCosts.rawValue)+\(name)"
    case .validateVariant(let name): "\(Stage.validate.rawValue)+\(name)"
    case .fetch: "fetch"
    case .gridElevation(let tile, let source):
      "\(Self.gridElevationName)+\(tile)" + (source == 1 ? "" : "-\(source)")
    case .decodePBF: "decode-pbf"
    case .parseOverpass: "parse-overpass"
    case .sampleElevation: "sample-elevation"
    case .buildGraph: "build-graph"
    case .computeCosts: "compute-costs"
    case .validate: "validate"
    case .collectPlaces: "collect-places"
    case .validateWaypoints: "validate-waypoints"
    case .indexPlaces: "index-places"
    case .validatePlaces: "validate-places"
    case .buildTiles(let layer): "build-tiles" + layer.suffix
    case .validateTiles(let layer): "validate-tiles" + layer.suffix
    case .custom(let name, _): name
    case .publish: "publish"
    }
  }

  /// Its name in manifests: that of the stage that it repeats for another database.
  package var nameInManifest: String {
    switch self {
    case .computeVariant: Stage.computeCosts.rawValue
    case .buildTiles: "build-tiles"
    case .gridElevation: Self.gridElevationName
    case .validateVariant, .validateWaypoints, .validatePlaces, .validateTiles:
      Stage.validate.rawValue
    default: rawValue
    }
  }

  /// The name of its variant, if any.
  package var variant: String? {
    switch self {
    case .computeVariant(let name), .validateVariant(let name): name
    default: nil
    }
  }

  /// Whether it is a process; the orchestrator does the others itself.
  package var isProcess: Bool { self != .publish }

  /// Cairn's executable for it; nil for the orchestrator's own work and custom commands.
  package var executable: String? {
    switch self {
    case .publish, .custom: nil
    case .gridElevation: Stage.sampleElevation.executable
    default: "cairn-\(nameInManifest)"
    }
  }

  /// Raise it when a stage is called differently or makes something else from the same input, so
  /// that old results are not used.
  package var formatVersion: Int {
    switch self {
    case .fetch, .gridElevation, .custom, .publish: 1
    case .decodePBF: 12
    case .parseOverpass: 11
    case .sampleElevation: 11
    case .indexPlaces: 7
    case .computeCosts, .computeVariant: 8
    case .buildGraph: 7
    case .buildTiles(let layer): layer.kind.isTerrain ? 4 : 5
    case .collectPlaces: 4
    case .validate, .validateVariant: 6
    default: 2
    }
  }

  /// Whether one process may handle a batch of regions: it writes `ID.trails` for each into one
  /// folder.
  package var cutsRegions: Bool { self == .decodePBF || self == .parseOverpass }

  /// Whether it runs once for all regions of one source.
  package var isForSource: Bool {
    if case .fetch = self { return true }
    return cutsRegions
  }

  /// Whether another build of its program may give another result for the same inputs. A download
  /// has the digest in the manifest, whatever the build.
  package var dependsOnProgram: Bool {
    if case .fetch = self { return false }
    return true
  }

  /// The names of its results within an action's folder, starting with the input of later stages.
  package var products: [String] {
    switch self {
    case .fetch(let product): [product]
    case .decodePBF, .parseOverpass: ["region.trails"]
    case .gridElevation(let tile, _): ["\(tile).hgt"]
    case .sampleElevation: ["region.elevated"]
    case .buildGraph: ["region.graph"]
    case .computeCosts, .computeVariant: ["region.routing.db"]
    case .collectPlaces: ["region.waypoints.db"]
    case .indexPlaces: ["region.places.db"]
    case .buildTiles(let layer): ["region.\(layer.fileExtension)"]
    case .validate, .validateVariant, .validateWaypoints, .validatePlaces, .validateTiles:
      ["validation.json"]
    case .custom(_, let products): products
    case .publish: ["bundle.json"]
    }
  }

  /// The result that later stages read.
  package var product: String { products.first ?? rawValue }

  /// The name of a region's result in the folder of its process, which may handle a batch of
  /// regions.
  package func productName(inBatchFor region: String) -> String {
    cutsRegions ? "\(region).trails" : product
  }

  /// Whether the result of this stage of Cairn's becomes a file of the bundle.
  package var isPublished: Bool {
    [Stage.computeCosts, .collectPlaces, .indexPlaces, .buildTiles(.trails)]
      .map(\.rawValue).contains(nameInManifest)
  }

  /// Whether the result is the stage's output, and not a file that it writes.
  package var printsProduct: Bool { nameInManifest == Stage.validate.rawValue }
}
