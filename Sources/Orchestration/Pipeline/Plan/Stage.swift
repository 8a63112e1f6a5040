// SPDX-License-Identifier: Apache-2.0

/// A step of a region's way from source to bundle.
enum Stage: Hashable, Sendable {
  /// Fetches a source; its result has the name of the file at the URL.
  case fetch(product: String)
  case decodePBF
  case parseOverpass
  case sampleElevation
  case buildGraph
  case computeCosts
  case validate
  /// A step of the user's own: its name and the names of the files that it writes, at least one.
  case custom(name: String, products: [String])
  /// Checks and publishes; done by the orchestrator itself.
  case publish

  /// The steps that every region takes, whatever its manifest says, in their order; of the two
  /// decoders each takes one.
  static let builtIn: [Stage] = [
    .decodePBF, .parseOverpass, .sampleElevation, .buildGraph, .computeCosts, .validate, .publish,
  ]

  /// The names of the steps of ours that processes do.
  static let processNames = ["fetch"] + builtIn.filter(\.isProcess).map(\.rawValue)

  /// Its name in manifests, folders and messages.
  var rawValue: String {
    switch self {
    case .fetch: "fetch"
    case .decodePBF: "decode-pbf"
    case .parseOverpass: "parse-overpass"
    case .sampleElevation: "sample-elevation"
    case .buildGraph: "build-graph"
    case .computeCosts: "compute-costs"
    case .validate: "validate"
    case .custom(let name, _): name
    case .publish: "publish"
    }
  }

  /// Whether a process does it, and not the orchestrator itself.
  var isProcess: Bool { self != .publish }

  /// The program of ours that does it, or nil for what the orchestrator or a command of the
  /// user's does.
  var executable: String? {
    switch self {
    case .publish, .custom: nil
    default: "cairn-\(rawValue)"
    }
  }

  /// To be raised when a stage is called in another way, so that old results are not taken.
  var formatVersion: Int { cutsRegions ? 2 : 1 }

  /// Whether one process may do the stage for several regions: it writes `ID.trails` for each
  /// into one folder.
  var cutsRegions: Bool { self == .decodePBF || self == .parseOverpass }

  /// Whether it is done once for all regions of one source.
  var isForSource: Bool {
    if case .fetch = self { return true }
    return cutsRegions
  }

  /// Whether another build of its program may make something else of the same inputs. What is
  /// fetched has the digest that the manifest asks for, whoever fetches it.
  var dependsOnProgram: Bool {
    if case .fetch = self { return false }
    return true
  }

  /// The names of its results within an action's folder, the one that later stages read first.
  var products: [String] {
    switch self {
    case .fetch(let product): [product]
    case .decodePBF, .parseOverpass: ["region.trails"]
    case .sampleElevation: ["region.elevated"]
    case .buildGraph: ["region.graph"]
    case .computeCosts: ["region.routing.db"]
    case .validate: ["validation.json"]
    case .custom(_, let products): products
    case .publish: ["bundle.json"]
    }
  }

  /// The result that later stages read.
  var product: String { products.first ?? rawValue }

  /// Whether the result is what the stage prints, and not a file that it writes.
  var printsProduct: Bool { self == .validate }
}
