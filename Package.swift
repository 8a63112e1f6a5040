// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A module of Debian's: headers, a link name, and the package that brings them.
func library(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([debian])])
}

/// A layer of modules, each in a folder of its own below the layer's.
enum Layer: String {
  case foundations = "Foundations"
  case formats = "Formats"
  case building = "Building"
  case using = "Using"
  case orchestration = "Orchestration"
  case tools = "Tools"

  func module(_ name: String, _ dependencies: [String]) -> Target {
    .target(
      name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
      path: "Sources/\(rawValue)/\(name)")
  }

  func executable(_ name: String, _ dependencies: [String]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
      path: "Sources/\(rawValue)/\(name)")
  }

  func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(
      name: name, dependencies: dependencies.map { .init(stringLiteral: $0) } + ["TestSupport"],
      path: "Tests/\(rawValue)/\(name)")
  }
}

let foundations = Layer.foundations
let formats = Layer.formats
let building = Layer.building
let using = Layer.using
let orchestration = Layer.orchestration
let tools = Layer.tools

let package = Package(
  name: "cairn",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [
    .library(name: "Routing", targets: ["Routing", "Guidance", "Tracks", "Search", "GPX"]),
    // Every reader of input from outside, for the package in Tests/Fuzz.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    // SystemLibraries
    library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    library("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
    library("CLZ4", pkgConfig: "liblz4", debian: "liblz4-dev"),
    library("CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),
    library("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    library("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),
    library("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
    library("CCrypto", pkgConfig: "libcrypto", debian: "libssl-dev"),
    library("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
    .systemLibrary(name: "CLinux", path: "Sources/SystemLibraries/CLinux"),

    // Foundations
    foundations.module("Formatting", []),
    foundations.module("Algorithms", []),
    foundations.module("Diagnostics", ["Formatting"]),
    foundations.module("Geodesy", []),
    foundations.module("SystemIO", ["Formatting", "Diagnostics", "CCrypto", "CLinux"]),
    foundations.module("SQLiteKit", ["Formatting", "Diagnostics", "CSQLite"]),
    foundations.module("StrictYAML", ["Formatting", "Diagnostics", "SystemIO", "CYAML"]),
    foundations.module("CommandLineKit", ["Formatting", "Diagnostics", "SystemIO"]),
    foundations.module("XMLKit", ["Formatting", "Diagnostics", "SystemIO", "CExpat", "CZlib"]),

    // Formats
    formats.module(
      "TrailData",
      ["Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CDeflate"]),
    formats.module(
      "RoutingDatabase", ["Formatting", "Algorithms", "Diagnostics", "Geodesy", "SQLiteKit"]),
    formats.module(
      "PlaceDatabase", ["Formatting", "Algorithms", "Diagnostics", "Geodesy", "SQLiteKit"]),
    formats.module("GPX", ["Formatting", "Geodesy"]),
    formats.module(
      "GPXInput", ["Formatting", "Diagnostics", "Geodesy", "SystemIO", "XMLKit", "GPX"]),

    // Building the data
    building.module("TagRules", []),
    building.module("TravelModels", ["TagRules"]),
    building.module(
      "OSMInput",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules", "XMLKit", "CDeflate", "CLZ4", "CZstd",
      ]),
    building.module(
      "Elevation",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules", "CDeflate",
      ]),
    building.module(
      "RoutingGraph",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules",
      ]),
    building.module(
      "CostModel",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "StrictYAML", "TrailData", "TagRules", "TravelModels", "RoutingDatabase", "SQLiteKit",
      ]),
    building.module(
      "PlaceIndex",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules", "SQLiteKit", "PlaceDatabase",
      ]),

    // Using the data
    using.module(
      "Routing",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "TagRules", "TravelModels",
        "RoutingDatabase",
      ]),
    using.module(
      "Guidance", ["Formatting", "Algorithms", "Geodesy", "Routing", "RoutingDatabase"]),

    using.module("Tracks", ["Formatting", "Algorithms", "Geodesy", "GPX"]),
    using.module(
      "Search",
      ["Formatting", "Algorithms", "Diagnostics", "Geodesy", "SQLiteKit", "PlaceDatabase"]),

    // Orchestration: what checks, prepares, shows and chains
    orchestration.module(
      "Validation",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "RoutingDatabase", "SQLiteKit", "TagRules", "CostModel", "Routing",
      ]),
    orchestration.module(
      "RoutingPreparation",
      ["Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "RoutingDatabase", "Routing"]),
    orchestration.module("Reporting", ["Formatting", "Algorithms", "Diagnostics"]),
    orchestration.module(
      "Fetch", ["Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "CCurl"]),
    orchestration.module(
      "Pipeline",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "StrictYAML", "TrailData", "TagRules", "OSMInput", "Elevation", "CostModel", "Validation",
        "CLinux", "CCrypto", "CDeflate", "CExpat", "CLZ4", "CSQLite", "CYAML", "CZlib", "CZstd",
      ]),

    // Sample data
    .target(
      name: "SampleData",
      dependencies: [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "CZlib",
      ]),

    // Tools
    tools.executable(
      "cairn",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "OSMInput", "Elevation", "SampleData", "Routing", "Guidance", "GPX",
        "GPXInput", "RoutingDatabase", "TagRules", "CostModel", "Reporting", "Pipeline", "Tracks",
        "Search",
      ]),
    tools.executable("cairn-fetch", ["CommandLineKit", "Fetch"]),
    tools.executable("cairn-decode-pbf", ["CommandLineKit", "OSMInput"]),
    tools.executable("cairn-parse-overpass", ["CommandLineKit", "OSMInput"]),
    tools.executable("cairn-sample-elevation", ["CommandLineKit", "Elevation"]),
    tools.executable("cairn-build-graph", ["CommandLineKit", "RoutingGraph"]),
    tools.executable("cairn-compute-costs", ["CommandLineKit", "CostModel"]),
    tools.executable("cairn-validate", ["CommandLineKit", "Validation"]),
    tools.executable("cairn-prepare-routing", ["CommandLineKit", "RoutingPreparation"]),
    tools.executable("cairn-index-places", ["CommandLineKit", "PlaceIndex"]),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "SQLiteKit",
        "TrailData", "PlaceIndex", "RoutingGraph", "CostModel", "RoutingDatabase", "Routing",
      ],
      path: "Tests/Support"),
    .executableTarget(
      name: "DatabasePagesBenchmark",
      dependencies: ["Formatting", "Algorithms", "Diagnostics", "SystemIO", "SQLiteKit"],
      path: "Tests/Benchmarks/DatabasePagesBenchmark"),
    .target(
      name: "SearchMeasures",
      dependencies: ["Algorithms", "Geodesy", "SQLiteKit", "PlaceDatabase", "Search"],
      path: "Tests/Benchmarks/SearchMeasures"),
    .executableTarget(
      name: "SearchBenchmark",
      dependencies: ["Formatting", "Search", "SearchMeasures"],
      path: "Tests/Benchmarks/SearchBenchmark"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Diagnostics", "Geodesy", "SQLiteKit", "StrictYAML", "TrailData", "RoutingDatabase", "GPX",
        "GPXInput", "TagRules", "OSMInput", "Elevation", "CostModel", "Routing", "Guidance",
        "Validation",
        "Pipeline", "PlaceDatabase", "PlaceIndex", "Search",
      ],
      path: "Tests/Fuzz/FuzzTargets"),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"],
      path: "Tests/Fuzz/FuzzTargetsTests"),
    foundations.tests("FormattingTests", ["Formatting"]),
    foundations.tests("AlgorithmsTests", ["Algorithms"]),
    foundations.tests("DiagnosticsTests", ["Diagnostics"]),
    foundations.tests("GeodesyTests", ["Geodesy"]),
    foundations.tests("SystemIOTests", ["SystemIO"]),
    foundations.tests("SQLiteKitTests", ["SQLiteKit", "Diagnostics", "CSQLite"]),
    foundations.tests("StrictYAMLTests", ["StrictYAML", "Diagnostics"]),
    foundations.tests("CommandLineKitTests", ["CommandLineKit"]),
    formats.tests("TrailDataTests", ["TrailData"]),
    building.tests("TagRulesTests", ["TagRules"]),
    building.tests("TravelModelsTests", ["TravelModels"]),
    formats.tests(
      "RoutingDatabaseTests",
      ["RoutingDatabase", "Diagnostics", "Geodesy", "SQLiteKit", "SystemIO"]),
    building.tests(
      "OSMInputTests",
      ["OSMInput", "CommandLineKit", "TrailData", "TagRules", "CDeflate", "CLZ4", "CZstd"]),
    building.tests(
      "ElevationTests", ["Elevation", "OSMInput", "RoutingGraph", "CDeflate", "CZlib"]),
    building.tests(
      "RoutingGraphTests",
      ["RoutingGraph", "Diagnostics", "Geodesy", "CommandLineKit", "TrailData"]),
    building.tests(
      "CostModelTests",
      [
        "CostModel", "Diagnostics", "OSMInput", "Elevation", "RoutingDatabase", "RoutingGraph",
        "CommandLineKit", "SQLiteKit", "StrictYAML", "SystemIO", "TrailData", "TagRules",
        "TravelModels",
      ]),
    orchestration.tests(
      "ValidationTests",
      ["Validation", "Diagnostics", "RoutingDatabase", "CommandLineKit", "SystemIO"]),
    orchestration.tests("FetchTests", ["Fetch", "Diagnostics", "CommandLineKit", "SystemIO"]),
    .testTarget(name: "SampleDataTests", dependencies: ["SampleData", "TestSupport", "CZlib"]),
    orchestration.tests("ReportingTests", ["Reporting"]),
    using.tests(
      "RoutingTests",
      [
        "Routing", "Geodesy", "RoutingDatabase", "CommandLineKit", "CostModel", "TagRules",
        "TravelModels",
      ]),
    formats.tests("GPXInputTests", ["GPX", "GPXInput", "Diagnostics", "Geodesy", "SystemIO"]),
    using.tests("TracksTests", ["Tracks", "GPX", "Geodesy"]),
    formats.tests("PlaceDatabaseTests", ["PlaceDatabase", "Geodesy", "Algorithms"]),
    building.tests(
      "PlaceIndexTests",
      [
        "PlaceIndex", "PlaceDatabase", "OSMInput", "CommandLineKit", "Diagnostics", "Geodesy",
        "SQLiteKit", "SystemIO", "TrailData",
      ]),
    using.tests(
      "SearchTests",
      [
        "Search", "SearchMeasures", "PlaceIndex", "PlaceDatabase", "OSMInput", "Algorithms",
        "Diagnostics", "Geodesy", "SQLiteKit", "SystemIO", "TrailData",
      ]),
    using.tests("GuidanceTests", ["Guidance", "Geodesy", "Routing", "RoutingDatabase"]),
    orchestration.tests(
      "PipelineTests",
      [
        "Pipeline", "CostModel", "Diagnostics", "Elevation", "Geodesy", "CommandLineKit",
        "SystemIO",
        "TagRules",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport",
        "SystemIO", "TrailData", "Geodesy", "CostModel", "Routing", "RoutingDatabase", "cairn",
        "cairn-fetch", "cairn-decode-pbf", "cairn-parse-overpass", "cairn-sample-elevation",
        "cairn-build-graph", "cairn-compute-costs", "cairn-validate",
        "cairn-prepare-routing", "cairn-index-places",
      ]),
  ]
)
