// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A module of Debian's: headers, a link name, and the package that brings them.
func library(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func module(_ name: String, _ dependencies: [String]) -> Target {
  .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) })
}

func executable(_ name: String, _ dependencies: [String]) -> Target {
  .executableTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) })
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) } + ["TestSupport"])
}

let package = Package(
  name: "cairn",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11)],
  products: [
    .library(name: "Routing", targets: ["Routing", "Guidance"]),
    // The readers of all files from outside, for Tests/Fuzz.
    .library(name: "FileFormats", targets: ["OSMInput", "TrailData"]),
  ],
  targets: [
    // C libraries
    library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    library("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
    library("CLZ4", pkgConfig: "liblz4", debian: "liblz4-dev"),
    library("CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),
    library("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    library("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),
    library("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
    library("CCrypto", pkgConfig: "libcrypto", debian: "libssl-dev"),
    library("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
    .systemLibrary(name: "CLinux", path: "Sources/CLinux"),

    // Foundations
    module("Diagnostics", []),
    module("Geodesy", []),
    module("SystemIO", ["Diagnostics", "CCrypto", "CLinux"]),
    module("SQLiteKit", ["Diagnostics", "CSQLite"]),
    module("StrictYAML", ["Diagnostics", "SystemIO", "CYAML"]),
    module("StageKit", ["Diagnostics", "SystemIO"]),
    module("XMLKit", ["Diagnostics", "SystemIO", "CExpat", "CZlib"]),

    // The product's formats
    module("TrailData", ["Diagnostics", "Geodesy", "SystemIO", "CDeflate"]),
    module("RoutingDatabase", ["Diagnostics", "Geodesy", "SQLiteKit"]),
    module("GPX", ["Diagnostics", "Geodesy", "SystemIO", "XMLKit"]),

    // Who may go where
    module("TravelRules", []),

    // Building the data
    module(
      "OSMInput",
      [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "TrailData", "XMLKit",
        "CDeflate", "CLZ4", "CZstd",
      ]),
    module(
      "Elevation",
      ["Diagnostics", "Geodesy", "SystemIO", "StageKit", "TrailData", "CDeflate"]),
    module(
      "RoutingGraph",
      ["Diagnostics", "Geodesy", "SystemIO", "StageKit", "TrailData", "TravelRules"]),
    module(
      "CostModel",
      [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "StrictYAML", "TrailData", "TravelRules",
        "RoutingDatabase", "SQLiteKit",
      ]),
    module("Fetch", ["Diagnostics", "SystemIO", "StageKit", "CCurl"]),
    module("SampleData", ["Diagnostics", "Geodesy", "SystemIO", "StageKit", "CZlib"]),

    // Use of the data
    module("Routing", ["Diagnostics", "Geodesy", "RoutingDatabase"]),
    module("Guidance", ["Geodesy", "Routing", "RoutingDatabase"]),

    // Checks of the data
    module(
      "Validation",
      [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "RoutingDatabase", "SQLiteKit",
        "TravelRules", "CostModel", "Routing",
      ]),

    // Making the data ready for many questions
    module(
      "RoutingPreparation",
      ["Diagnostics", "SystemIO", "StageKit", "RoutingDatabase", "Routing"]),

    // Orchestration and what people look at
    module("Reporting", ["Diagnostics"]),
    module(
      "Pipeline",
      [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "StrictYAML", "TravelRules", "OSMInput",
        "Elevation", "CostModel", "Validation", "CLinux", "CCrypto", "CDeflate", "CExpat", "CLZ4",
        "CSQLite", "CYAML", "CZlib", "CZstd",
      ]),

    // Executables
    executable(
      "cairn",
      [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "TrailData", "OSMInput", "Elevation",
        "SampleData", "Routing", "Guidance", "GPX", "RoutingDatabase", "TravelRules", "CostModel",
        "Reporting", "Pipeline",
      ]),
    executable("cairn-fetch", ["StageKit", "Fetch"]),
    executable("cairn-decode-pbf", ["StageKit", "OSMInput"]),
    executable("cairn-parse-overpass", ["StageKit", "OSMInput"]),
    executable("cairn-sample-elevation", ["StageKit", "Elevation"]),
    executable("cairn-build-graph", ["StageKit", "RoutingGraph"]),
    executable("cairn-compute-costs", ["StageKit", "CostModel"]),
    executable("cairn-validate", ["StageKit", "Validation"]),
    executable("cairn-prepare-routing", ["StageKit", "RoutingPreparation"]),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "Diagnostics", "Geodesy", "SystemIO", "StageKit", "SQLiteKit", "TrailData", "RoutingGraph",
        "CostModel", "RoutingDatabase",
      ],
      path: "Tests/Support"),
    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("GeodesyTests", ["Geodesy"]),
    tests("SystemIOTests", ["SystemIO"]),
    tests("SQLiteKitTests", ["SQLiteKit", "Diagnostics", "CSQLite"]),
    tests("StrictYAMLTests", ["StrictYAML", "Diagnostics"]),
    tests("StageKitTests", ["StageKit"]),
    tests("TrailDataTests", ["TrailData"]),
    tests("TravelRulesTests", ["TravelRules"]),
    tests("RoutingDatabaseTests", ["RoutingDatabase", "Diagnostics", "Geodesy", "SQLiteKit"]),
    tests(
      "OSMInputTests",
      ["OSMInput", "StageKit", "TrailData", "TravelRules", "CDeflate", "CLZ4", "CZstd"]),
    tests("ElevationTests", ["Elevation", "RoutingGraph", "CDeflate", "CZlib"]),
    tests(
      "RoutingGraphTests", ["RoutingGraph", "Diagnostics", "Geodesy", "StageKit", "TrailData"]),
    tests(
      "CostModelTests",
      [
        "CostModel", "Diagnostics", "OSMInput", "RoutingDatabase", "RoutingGraph", "StageKit",
        "StrictYAML", "TrailData", "TravelRules",
      ]),
    tests(
      "ValidationTests", ["Validation", "Diagnostics", "RoutingDatabase", "StageKit", "SystemIO"]),
    tests("FetchTests", ["Fetch", "Diagnostics", "StageKit", "SystemIO"]),
    tests("SampleDataTests", ["SampleData", "CZlib"]),
    tests("ReportingTests", ["Reporting"]),
    tests("RoutingTests", ["Routing", "Geodesy", "RoutingDatabase", "StageKit"]),
    tests("GPXTests", ["GPX", "Diagnostics", "Geodesy", "SystemIO"]),
    tests("GuidanceTests", ["Guidance", "Geodesy", "Routing", "RoutingDatabase"]),
    tests(
      "PipelineTests",
      ["Pipeline", "Diagnostics", "Geodesy", "StageKit", "SystemIO", "TravelRules"]),
    tests(
      "EndToEndTests",
      [
        "SystemIO", "TrailData", "Geodesy", "Routing", "RoutingDatabase", "cairn", "cairn-fetch",
        "cairn-decode-pbf", "cairn-parse-overpass",
        "cairn-sample-elevation", "cairn-build-graph", "cairn-compute-costs", "cairn-validate",
        "cairn-prepare-routing",
      ]),
  ]
)
