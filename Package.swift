// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The folders of modules that an app can reach. The modules are called CairnROUTING and so on, since
/// an app has other packages, and one that is called Search, too.
let reachedByApps: Set<String> = [
  "CSQLite", "CJPEG", "Formatting", "Algorithms", "ByteCoding", "Locks", "Diagnostics", "Geodesy",
  "ElevationProfiles", "SQLiteKit", "RoutingDatabase", "PlaceDatabase", "GPX", "GPXReading",
  "Waypoints", "Deltas", "TagRules", "TravelModels", "Routing", "Guidance", "Haptics", "Tracks",
  "LocationProviders", "Search", "Navigation", "MapMatching", "Bundles", "Transfer", "Updates",
  "Phrases", "Photos", "FileTimestampPrivacy", "DiskSpacePrivacy",
]

/// The name of the module in a folder.
func moduleName(_ folder: String) -> String {
  reachedByApps.contains(folder) ? "Cairn\(folder)" : folder
}

/// Modules to depend on, by their folders.
func modules(_ folders: [String]) -> [Target.Dependency] {
  folders.map { .byName(name: moduleName($0)) }
}

/// A module of Debian's: headers, a link name, and the package that brings them.
func library(_ folder: String, pkgConfig: String?, debian: String) -> Target {
  .systemLibrary(
    name: moduleName(folder), path: "Sources/SystemLibraries/\(folder)", pkgConfig: pkgConfig,
    providers: [.apt([debian])])
}

// The SDKs of Apple have SQLite, and pkg-config would find that of a package manager instead.
#if os(macOS)
  let sqlite: String? = nil
#else
  let sqlite: String? = "sqlite3"
#endif

/// A layer of modules, each in a folder of its own below the layer's.
enum Layer: String {
  case foundations = "Foundations"
  case formats = "Formats"
  case building = "Building"
  case using = "Using"
  case tuning = "Tuning"
  case orchestration = "Orchestration"
  case tools = "Tools"

  /// The module in a folder of this layer.
  func module(_ folder: String, _ dependencies: [String]) -> Target {
    .target(
      name: moduleName(folder), dependencies: modules(dependencies),
      path: "Sources/\(rawValue)/\(folder)")
  }

  /// A module that brings a privacy manifest to apps and nothing else.
  func privacyManifest(_ folder: String) -> Target {
    .target(
      name: moduleName(folder), path: "Sources/\(rawValue)/\(folder)",
      resources: [.copy("PrivacyInfo.xcprivacy")])
  }

  /// An executable, and what a release build for Linux tells the linker.
  func executable(_ name: String, _ dependencies: [String], link flags: [String]) -> Target {
    .executableTarget(
      name: name, dependencies: modules(dependencies), path: "Sources/\(rawValue)/\(name)",
      linkerSettings: [
        .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
      ])
  }

  func tests(
    _ name: String, _ dependencies: [String], support: [String] = ["TestSupport"]
  ) -> Target {
    .testTarget(
      name: name, dependencies: modules(dependencies + support),
      path: "Tests/\(rawValue)/\(name)")
  }
}

/// What Foundation's libraries need, which a module says only that was compiled to be linked with
/// them; tests load them.
let foundation = ["-l_FoundationCollections", "-l_FoundationCShims"]

/// In a release build for Linux, an executable with these flags contains the libraries that it needs,
/// the C library included, and starts in a quarter of the time. It must not look up users, groups or
/// hosts: for these a C library loads others. libhogweed needs libgmp.
let selfContained = ["-static-executable", "-lgmp"] + foundation

/// One with these contains Swift's libraries and loads the others.
let withRuntime = ["-static-stdlib"] + foundation

/// Makes executables that get installed a fifth smaller: functions with equal code are there once,
/// no symbol is shown to others, relocations are packed (glibc 2.36), and the tables that unwind a
/// stack are left out. All addresses are filled in at the start and write-protected then.
let smaller = [
  "-use-ld=lld", "-Xlinker", "--icf=safe", "-Xlinker", "--no-export-dynamic", "-Xlinker",
  "--exclude-libs=ALL", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z",
  "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--build-id=sha1",
  "-Xlinker", "--no-eh-frame-hdr", "-Xlinker",
  "--script=\(Context.packageDirectory)/pipelines/packaging/smaller.ld",
]

let foundations = Layer.foundations
let formats = Layer.formats
let building = Layer.building
let using = Layer.using
let tuning = Layer.tuning
let orchestration = Layer.orchestration
let tools = Layer.tools

/// What tests need that run wherever apps do: no files but by Foundation, and no Linux.
let ofApps = ["AppTestSupport"]

/// A product a subject, named after its module, and one with all of them.
let subjectFolders = [
  "Routing", "Guidance", "Navigation", "Haptics", "LocationProviders", "Tracks", "MapMatching",
  "GPX", "Waypoints", "Photos", "Search", "Deltas", "Bundles", "Transfer", "Updates",
]
let subjects = subjectFolders.map(moduleName)
/// What only apps link beside a subject: reading GPX takes FoundationXML, which no executable
/// needs, and a privacy manifest is a resource, with which an executable would get a folder beside
/// it. Which products need one is checked by Tests/Lint/privacy.py.
let companionFolders = [
  "GPX": ["GPXReading"],
  "Routing": ["FileTimestampPrivacy"], "Guidance": ["FileTimestampPrivacy"],
  "Navigation": ["FileTimestampPrivacy"], "Haptics": ["FileTimestampPrivacy"],
  "LocationProviders": ["FileTimestampPrivacy"], "Tracks": ["FileTimestampPrivacy"],
  "MapMatching": ["FileTimestampPrivacy"], "Waypoints": ["FileTimestampPrivacy"],
  "Search": ["FileTimestampPrivacy"], "Deltas": ["FileTimestampPrivacy"],
  "Transfer": ["FileTimestampPrivacy"], "Updates": ["FileTimestampPrivacy", "DiskSpacePrivacy"],
]
let companions = Set(companionFolders.values.joined()).sorted().map(moduleName)
var products = subjectFolders.map { folder in
  Product.library(
    name: moduleName(folder),
    targets: ([folder] + (companionFolders[folder] ?? [])).map(moduleName))
}
products.append(.library(name: "Cairn", targets: subjects + companions))
// Every reader of input from outside, for the package in Tests/Fuzz.
if Context.environment["CAIRN_FUZZ"] != nil {
  products.append(.library(name: "FuzzTargets", targets: ["FuzzTargets"]))
}

let package = Package(
  name: "cairn",
  platforms: [.macOS(.v14), .iOS(.v17), .watchOS(.v10)],
  products: products,
  targets: [
    // SystemLibraries
    library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    library("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
    library("CLZ4", pkgConfig: "liblz4", debian: "liblz4-dev"),
    library("CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),
    library("CNettle", pkgConfig: "nettle", debian: "nettle-dev"),
    library("CHogweed", pkgConfig: "hogweed", debian: "nettle-dev"),
    library("CSQLite", pkgConfig: sqlite, debian: "libsqlite3-dev"),
    library("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),
    library("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
    library("CJPEG", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
    library("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
    // Leaflet, as it is when this is built, inside an executable.
    .target(name: "CLeaflet", path: "Sources/SystemLibraries/CLeaflet"),
    .systemLibrary(name: "CLinux", path: "Sources/SystemLibraries/CLinux"),

    // Foundations
    foundations.module("Formatting", []),
    foundations.module("Algorithms", []),
    foundations.module("ByteCoding", []),
    foundations.module("Locks", []),
    foundations.module("Diagnostics", ["Formatting", "Locks"]),
    foundations.module("Geodesy", []),
    foundations.module("ElevationProfiles", []),
    foundations.module("SystemIO", ["Formatting", "Diagnostics", "CNettle", "CLinux"]),
    foundations.module("SQLiteKit", ["Formatting", "Locks", "Diagnostics", "CSQLite"]),
    foundations.module("JSONKit", ["ByteCoding", "Diagnostics"]),
    foundations.module(
      "CommandLineKit", ["Formatting", "Diagnostics", "SystemIO", "JSONKit"]),
    foundations.module(
      "StrictYAML", ["Formatting", "Diagnostics", "SystemIO", "JSONKit", "CYAML"]),
    foundations.module("XMLKit", ["Formatting", "Diagnostics", "SystemIO", "CExpat", "CZlib"]),

    // Formats
    formats.module(
      "TrailData",
      [
        "Formatting", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SystemIO",
        "JSONKit", "CommandLineKit", "CDeflate",
      ]),
    formats.module(
      "RoutingDatabase",
      [
        "Formatting", "Algorithms", "ByteCoding", "Locks", "Diagnostics", "Geodesy", "SQLiteKit",
      ]),
    formats.module(
      "Deltas",
      [
        "Formatting", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SQLiteKit",
        "RoutingDatabase",
      ]),
    formats.module(
      "PlaceDatabase",
      ["Formatting", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SQLiteKit"]),
    formats.module(
      "Tiles",
      [
        "Formatting", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SystemIO", "JSONKit",
        "SQLiteKit", "CDeflate",
      ]),
    formats.module("GPX", ["Formatting", "Diagnostics", "Geodesy"]),
    formats.module("GPXReading", ["Formatting", "Diagnostics", "GPX"]),
    formats.module(
      "GPXInput", ["Formatting", "Diagnostics", "Geodesy", "SystemIO", "XMLKit", "GPX"]),
    formats.module("PNG", ["Algorithms", "CDeflate"]),
    // Apple's systems have Image I/O.
    .target(
      name: "CairnPhotos",
      dependencies: modules(["Formatting", "Diagnostics"])
        + [.target(name: "CairnCJPEG", condition: .when(platforms: [.linux]))],
      path: "Sources/Formats/Photos"),
    formats.module(
      "ZipArchive",
      ["Formatting", "ByteCoding", "Diagnostics", "SystemIO", "CDeflate", "CZlib"]),
    formats.module(
      "Waypoints", ["Formatting", "Locks", "Diagnostics", "Geodesy", "SQLiteKit", "GPX"]),

    // Building the data
    building.module("TagRules", ["Diagnostics"]),
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
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "ElevationProfiles", "SystemIO",
        "CommandLineKit", "TrailData", "ZipArchive", "TagRules", "XMLKit", "CDeflate",
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
    building.module(
      "TerrainTiles", ["Diagnostics", "Geodesy", "SystemIO", "Elevation", "PNG", "Tiles"]),
    building.module(
      "TrailTiles",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules", "Elevation", "Tiles", "TerrainTiles",
      ]),
    building.module(
      "WaypointCollection",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "TrailData",
        "TagRules", "SQLiteKit", "Waypoints",
      ]),
    building.module(
      "SampleData",
      [
        "Formatting", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SystemIO",
        "CommandLineKit", "CZlib", "PNG", "Tiles",
      ]),

    // Using the data
    using.module(
      "Routing",
      [
        "Formatting", "Algorithms", "ByteCoding", "Locks", "Diagnostics", "Geodesy", "TagRules",
        "TravelModels", "RoutingDatabase",
      ]),
    using.module("Phrases", ["Formatting"]),
    using.module(
      "Guidance",
      [
        "Formatting", "Algorithms", "Locks", "Geodesy", "ElevationProfiles", "TagRules", "Routing",
        "RoutingDatabase", "Tracks", "Phrases",
      ]),
    using.module("Haptics", ["Formatting", "Locks", "Phrases", "Guidance"]),
    using.module(
      "Tracks",
      ["Formatting", "Algorithms", "ByteCoding", "Locks", "Geodesy", "ElevationProfiles", "GPX"]),
    using.module(
      "LocationProviders",
      [
        "Algorithms", "Formatting", "Locks", "Geodesy", "RoutingDatabase", "Routing", "GPX",
        "Guidance",
        "Tracks",
      ]),
    using.module(
      "Search",
      [
        "Formatting", "Algorithms", "Locks", "Diagnostics", "Geodesy", "SQLiteKit",
        "PlaceDatabase", "Phrases",
      ]),
    using.module(
      "Navigation",
      [
        "Formatting", "Algorithms", "Locks", "Geodesy", "Routing", "RoutingDatabase", "Guidance",
        "Haptics", "Bundles", "Phrases",
        "Search", "Tracks",
      ]),
    using.module(
      "MapMatching",
      ["Formatting", "Algorithms", "Geodesy", "GPX", "Routing", "Tracks"]),

    using.module("Bundles", ["Formatting", "ByteCoding", "Geodesy", "TagRules"]),
    using.privacyManifest("FileTimestampPrivacy"),
    using.privacyManifest("DiskSpacePrivacy"),
    using.module(
      "Transfer",
      [
        "Formatting", "Locks", "Diagnostics", "Geodesy", "SQLiteKit", "RoutingDatabase", "GPX",
        "GPXReading", "Waypoints", "Guidance", "Bundles",
      ]),

    using.module(
      "Updates",
      [
        "Formatting", "Diagnostics", "Geodesy", "SQLiteKit", "RoutingDatabase", "Deltas",
        "Guidance", "Bundles",
      ]),

    // Tuning the costs
    tuning.module(
      "TuningSuites",
      [
        "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "JSONKit", "StrictYAML", "GPX",
        "GPXInput", "TagRules", "CostModel", "RoutingDatabase", "Routing",
      ]),
    tuning.module(
      "ProfileTrials",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "GPX", "GPXInput",
        "TagRules", "CostModel", "RoutingDatabase", "Routing", "MapMatching", "TuningSuites",
      ]),
    tuning.module(
      "ProfileFitting",
      [
        "Formatting", "Algorithms", "Diagnostics", "SystemIO", "CommandLineKit", "GPX", "GPXInput",
        "TagRules", "TravelModels", "CostModel", "RoutingDatabase", "Routing", "MapMatching",
        "Tracks", "TuningSuites", "ProfileTrials",
      ]),

    // Orchestration: what checks, prepares, shows and chains
    orchestration.module(
      "Validation",
      [
        "Bundles",
        "Formatting", "Algorithms", "Locks", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "RoutingDatabase", "SQLiteKit", "TagRules", "CostModel", "Routing", "TrailData",
        "Waypoints", "PlaceDatabase", "WaypointCollection", "Tiles",
      ]),
    orchestration.module(
      "BundleComparison",
      [
        "Formatting", "Diagnostics", "Geodesy", "CommandLineKit", "SQLiteKit", "RoutingDatabase",
        "PlaceDatabase", "Waypoints", "Routing",
      ]),
    orchestration.module(
      "Charts", ["Formatting", "Algorithms", "Diagnostics", "Geodesy", "Haptics"]),
    orchestration.module(
      "Presentation",
      [
        "Bundles",
        "Formatting", "ByteCoding", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "SQLiteKit", "TrailData", "Tiles", "GPX", "GPXInput", "Waypoints", "PlaceDatabase",
        "TagRules", "OSMInput", "CostModel", "RoutingDatabase", "Phrases",
        "Routing", "Guidance", "Haptics", "Navigation", "Tracks", "LocationProviders",
        "MapMatching", "Search", "Validation", "Charts",
      ]),
    orchestration.module(
      "Requests",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "TagRules",
        "CostModel", "RoutingDatabase", "Routing", "Guidance", "Navigation", "Search", "Bundles",
        "ProfileTrials", "BundleFolders", "Presentation", "Phrases",
      ]),
    orchestration.module(
      "Serving",
      [
        "Formatting", "Locks", "Diagnostics", "Geodesy", "SystemIO", "JSONKit", "CommandLineKit",
        "TagRules", "CostModel", "Elevation", "Tiles", "TerrainTiles", "RoutingDatabase",
        "PlaceDatabase", "Routing", "Guidance", "Search", "Bundles", "ProfileTrials",
        "BundleFolders", "Presentation", "Requests", "Pipeline", "CLinux", "CMicroHTTPD",
        "CLeaflet",
      ]),
    orchestration.module(
      "DownloadCache", ["Formatting", "Diagnostics", "SystemIO", "CommandLineKit"]),
    orchestration.module(
      "Fetch",
      [
        "Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "DownloadCache", "CCurl",
        "CNettle",
      ]),
    orchestration.module(
      "BundleFolders",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "JSONKit",
        "CommandLineKit", "SQLiteKit", "TrailData", "Tiles", "Bundles", "Validation",
      ]),
    orchestration.module(
      "MapChecks",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "TagRules", "OSMInput", "Elevation", "Routing", "Manifests",
      ]),
    orchestration.module(
      "Manifests",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "StrictYAML",
        "TagRules", "OSMInput", "Elevation", "CostModel", "Tiles", "TerrainTiles", "Bundles",
        "BundleFolders",
      ]),
    orchestration.module(
      "ResultStore",
      [
        "Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "TrailData", "OSMInput",
        "Elevation", "Bundles", "BundleFolders", "Manifests",
      ]),
    orchestration.module(
      "Planning",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "CostModel", "DownloadCache", "Bundles", "BundleFolders", "Manifests", "ResultStore",
      ]),
    orchestration.module(
      "MovingSources",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "Elevation",
        "DownloadCache", "Manifests", "ResultStore", "Planning",
      ]),
    orchestration.module(
      "Execution",
      [
        "Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "Validation", "Bundles",
        "BundleFolders",
        "Manifests", "ResultStore", "Planning",
      ]),
    orchestration.module(
      "SlurmExecution",
      [
        "Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "Bundles", "BundleFolders",
        "Manifests",
        "ResultStore", "Planning", "Execution",
      ]),
    orchestration.module(
      "Publishing",
      [
        "Formatting", "Algorithms", "Diagnostics", "SystemIO", "CommandLineKit", "SQLiteKit",
        "TrailData", "Elevation", "Deltas", "Validation", "Bundles", "BundleFolders", "Manifests",
        "ResultStore", "Planning", "CLinux",
      ]),
    orchestration.module(
      "Pipeline",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "JSONKit", "CommandLineKit",
        "SQLiteKit",
        "Validation", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "Execution",
        "SlurmExecution",
        "Publishing",
      ]),
    orchestration.module(
      "RunCommands",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "JSONKit", "CommandLineKit",
        "SQLiteKit", "Elevation", "OSMInput", "Validation", "DownloadCache", "Bundles",
        "BundleFolders", "Manifests", "ResultStore",
        "Planning", "MovingSources", "Execution", "SlurmExecution", "Publishing", "Pipeline",
        "CLinux", "CDeflate", "CExpat", "CLZ4", "CNettle", "CSQLite", "CYAML", "CZlib", "CZstd",
      ]),
    orchestration.module(
      "Distribution",
      [
        "Formatting", "Diagnostics", "SystemIO", "CommandLineKit", "Deltas", "Guidance", "Bundles",
        "Updates", "BundleFolders", "Manifests", "ResultStore", "Planning", "Publishing",
        "CHogweed", "CLinux",
      ]),
    orchestration.module(
      "Reports",
      [
        "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "Elevation", "PlaceDatabase", "RoutingDatabase", "Routing", "ProfileTrials",
        "Validation", "Charts", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "Execution",
        "Publishing", "Pipeline",
        "PNG", "TerrainTiles",
      ]),

    // Tools
    tools.executable(
      "cairn",
      [
        "Formatting", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit",
        "TrailData", "OSMInput", "Elevation", "SampleData", "Routing", "Guidance", "GPX",
        "GPXInput", "RoutingDatabase", "TagRules", "CostModel", "Charts", "Bundles",
        "BundleFolders", "Manifests",
        "Planning", "SlurmExecution", "Pipeline", "RunCommands", "Distribution", "Tracks",
        "Search", "Photos", "Waypoints", "MapMatching", "ElevationProfiles", "Haptics",
        "Navigation", "LocationProviders", "TuningSuites", "ProfileTrials", "ProfileFitting",
        "Reports", "Validation",
        "DownloadCache", "XMLKit",
        "Tiles", "BundleComparison", "ZipArchive", "Deltas", "PlaceDatabase", "Presentation",
        "Phrases", "Requests", "MapChecks", "SQLiteKit",
      ], link: selfContained + smaller),
    tools.executable(
      "cairn-fetch", ["CommandLineKit", "Fetch"], link: withRuntime + smaller),
    tools.executable(
      "cairn-serve", ["CommandLineKit", "Serving"], link: withRuntime + smaller),
    // All stages; links to it bear their names.
    tools.executable(
      "cairn-stages",
      [
        "CommandLineKit", "OSMInput", "Elevation", "RoutingGraph", "CostModel", "Validation",
        "PlaceIndex", "WaypointCollection", "TrailTiles",
      ], link: selfContained + smaller),

    // Tests
    .target(
      name: "AppTestSupport",
      dependencies: modules([
        "Algorithms", "Diagnostics", "Geodesy", "Locks", "SQLiteKit", "RoutingDatabase",
      ]),
      path: "Tests/AppSupport"),
    .target(
      name: "TestSupport",
      dependencies: modules([
        "AppTestSupport",
        "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "CommandLineKit", "SQLiteKit",
        "StrictYAML", "TrailData", "PlaceIndex", "RoutingGraph", "CostModel", "RoutingDatabase",
        "Routing",
        "MapMatching", "LocationProviders",
      ]),
      path: "Tests/Support"),
    .executableTarget(
      name: "MapMatchingBenchmark",
      dependencies: modules([
        "Algorithms", "Formatting", "Geodesy", "LocationProviders", "Routing", "MapMatching",
        "TestSupport",
      ]),
      path: "Tests/Benchmarks/MapMatchingBenchmark"),
    .executableTarget(
      name: "GuidanceBenchmark",
      dependencies: modules([
        "Algorithms", "Formatting", "Geodesy", "LocationProviders", "Routing",
      ]),
      path: "Tests/Benchmarks/GuidanceBenchmark"),
    .executableTarget(
      name: "DatabasePagesBenchmark",
      dependencies: modules(["Formatting", "Algorithms", "Diagnostics", "SystemIO", "SQLiteKit"]),
      path: "Tests/Benchmarks/DatabasePagesBenchmark"),
    .target(
      name: "SearchMeasures",
      dependencies: modules(["Algorithms", "Geodesy", "SQLiteKit", "PlaceDatabase", "Search"]),
      path: "Tests/Benchmarks/SearchMeasures"),
    .executableTarget(
      name: "SearchBenchmark",
      dependencies: modules(["Formatting", "Geodesy", "Search", "SearchMeasures"]),
      path: "Tests/Benchmarks/SearchBenchmark"),
    .target(
      name: "FuzzTargets",
      dependencies: modules([
        "Transfer",
        "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "SQLiteKit", "StrictYAML", "TrailData",
        "RoutingDatabase", "GPX", "GPXInput", "GPXReading", "TagRules", "OSMInput", "Elevation",
        "CostModel",
        "WaypointCollection", "Deltas", "Routing",
        "Guidance", "Validation", "Bundles", "BundleFolders", "Manifests", "MovingSources",
        "PlaceDatabase",
        "PlaceIndex", "Search", "Fetch",
        "MapMatching", "Tracks", "Photos", "Waypoints", "Formatting", "Charts",
        "TuningSuites", "Reports", "Tiles", "PNG",
      ]),
      path: "Tests/Fuzz/FuzzTargets"),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: modules(["FuzzTargets", "TestSupport"]),
      path: "Tests/Fuzz/FuzzTargetsTests"),
    foundations.tests("FormattingTests", ["Formatting"], support: ofApps),
    foundations.tests("AlgorithmsTests", ["Algorithms"], support: ofApps),
    foundations.tests("ByteCodingTests", ["ByteCoding"], support: ofApps),
    foundations.tests("LocksTests", ["Locks"], support: []),
    foundations.tests("DiagnosticsTests", ["Diagnostics"], support: ofApps),
    foundations.tests("GeodesyTests", ["Geodesy"], support: ofApps),
    foundations.tests("ElevationProfilesTests", ["ElevationProfiles"], support: ofApps),
    foundations.tests("SystemIOTests", ["SystemIO"]),
    foundations.tests(
      "SQLiteKitTests", ["SQLiteKit", "Diagnostics", "CSQLite"], support: ofApps),
    foundations.tests("StrictYAMLTests", ["StrictYAML", "Diagnostics"], support: []),
    foundations.tests("CommandLineKitTests", ["CommandLineKit"]),
    foundations.tests("JSONKitTests", ["JSONKit"]),
    formats.tests("TrailDataTests", ["TrailData", "CommandLineKit"]),
    building.tests("TagRulesTests", ["TagRules"], support: ofApps),
    building.tests("TravelModelsTests", ["TravelModels"], support: ofApps),
    formats.tests(
      "RoutingDatabaseTests",
      [
        "RoutingDatabase", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "SQLiteKit",
        "SystemIO",
      ]),
    formats.tests(
      "DeltasTests",
      ["ByteCoding", "Deltas", "Diagnostics", "RoutingDatabase", "SQLiteKit", "SystemIO"]),
    building.tests(
      "OSMInputTests",
      ["OSMInput", "CommandLineKit", "TrailData", "TagRules", "CDeflate", "CLZ4", "CZstd"]),
    building.tests(
      "ElevationTests",
      ["Elevation", "OSMInput", "RoutingGraph", "TagRules", "ZipArchive", "CDeflate", "CZlib"]),
    building.tests(
      "RoutingGraphTests",
      ["RoutingGraph", "Diagnostics", "Geodesy", "CommandLineKit", "TrailData"]),
    building.tests(
      "CostModelTests",
      [
        "Algorithms", "CostModel", "Diagnostics", "OSMInput", "Elevation", "RoutingDatabase",
        "RoutingGraph",
        "CommandLineKit", "SQLiteKit", "StrictYAML", "SystemIO", "TrailData", "TagRules",
        "TravelModels",
      ]),
    building.tests(
      "WaypointCollectionTests",
      [
        "WaypointCollection", "PlaceIndex", "PlaceDatabase", "OSMInput", "Elevation", "Diagnostics",
        "Geodesy",
        "CommandLineKit", "SQLiteKit", "TagRules", "TrailData", "Waypoints",
      ]),
    orchestration.tests(
      "ValidationTests",
      [
        "Validation", "Diagnostics", "RoutingDatabase", "CommandLineKit", "SystemIO", "SQLiteKit",
        "TrailData", "WaypointCollection", "PlaceIndex", "TrailTiles", "Tiles",
      ]),
    orchestration.tests(
      "MapChecksTests",
      [
        "MapChecks", "CommandLineKit", "Diagnostics", "Elevation", "Formatting", "Geodesy",
        "OSMInput", "SystemIO", "XMLKit",
      ]),
    orchestration.tests(
      "BundleComparisonTests",
      [
        "BundleComparison", "Algorithms", "CommandLineKit", "CostModel", "Diagnostics",
        "Elevation", "OSMInput", "PlaceIndex", "WaypointCollection", "RoutingGraph", "SystemIO",
      ]),
    orchestration.tests(
      "FetchTests", ["Fetch", "DownloadCache", "Diagnostics", "CommandLineKit", "SystemIO"]),
    orchestration.tests("DownloadCacheTests", ["DownloadCache", "Diagnostics", "SystemIO"]),
    building.tests("SampleDataTests", ["SampleData", "CZlib"]),
    orchestration.tests(
      "PresentationTests",
      [
        "Presentation", "CostModel", "Geodesy", "Guidance", "LocationProviders", "MapMatching",
        "Navigation", "Phrases", "Routing", "RoutingDatabase", "CommandLineKit", "Validation",
      ]),
    orchestration.tests(
      "ServingTests",
      [
        "Serving", "Requests", "Presentation", "CostModel", "Geodesy", "Diagnostics", "Routing",
        "RoutingDatabase", "CommandLineKit", "JSONKit", "SystemIO", "Tiles",
      ]),
    orchestration.tests("ChartsTests", ["Charts", "Geodesy", "Haptics"]),
    orchestration.tests(
      "ReportsTests",
      [
        "Reports", "Charts", "Pipeline", "ProfileTrials", "Diagnostics", "Geodesy", "Bundles",
        "CommandLineKit", "PlaceDatabase", "SystemIO",
      ]),
    formats.tests("PNGTests", ["PNG", "CDeflate"], support: []),
    building.tests(
      "TerrainTilesTests",
      [
        "TerrainTiles", "Elevation", "PNG", "Tiles", "Diagnostics", "Geodesy", "SystemIO",
        "CDeflate",
      ]),
    using.tests(
      "RoutingTests",
      [
        "Routing", "Geodesy", "RoutingDatabase", "CommandLineKit", "CostModel", "TagRules",
        "TravelModels", "SQLiteKit", "Diagnostics",
      ]),
    tuning.tests(
      "TuningSuitesTests",
      ["TuningSuites", "Diagnostics", "Geodesy", "Routing", "RoutingDatabase", "StrictYAML"]),
    tuning.tests(
      "ProfileTrialsTests",
      [
        "ProfileTrials", "TuningSuites", "CommandLineKit", "CostModel", "Diagnostics", "Geodesy",
        "Routing", "RoutingDatabase",
      ]),
    tuning.tests(
      "ProfileFittingTests",
      [
        "ProfileFitting", "ProfileTrials", "TuningSuites", "Algorithms", "CostModel",
        "Diagnostics", "Geodesy", "Routing", "RoutingDatabase",
      ]),
    formats.tests(
      "TilesTests",
      [
        "Tiles", "Algorithms", "ByteCoding", "Diagnostics", "Geodesy", "JSONKit", "PNG",
        "SQLiteKit", "SystemIO",
      ]),
    building.tests(
      "TrailTilesTests", ["TrailTiles", "Tiles", "CommandLineKit", "Geodesy", "TrailData"]),
    formats.tests("ZipArchiveTests", ["ZipArchive", "Algorithms", "Diagnostics"]),
    formats.tests("PhotosTests", ["Photos"]),
    formats.tests(
      "WaypointsTests", ["Waypoints", "GPX", "GPXInput", "Geodesy", "SQLiteKit"]),
    formats.tests(
      "GPXInputTests",
      ["Formatting", "GPX", "GPXInput", "GPXReading", "Diagnostics", "Geodesy", "SystemIO"]),
    // The same tests for both readers, where there are two.
    .testTarget(
      name: "GPXReadingTests",
      dependencies: modules(["Formatting", "Diagnostics", "Geodesy", "GPX", "GPXReading"])
        + [.target(name: "GPXInput", condition: .when(platforms: [.linux]))],
      path: "Tests/Formats/GPXReadingTests"),
    using.tests("TracksTests", ["Tracks", "ElevationProfiles", "GPX", "GPXInput", "Geodesy"]),
    formats.tests(
      "PlaceDatabaseTests", ["PlaceDatabase", "Geodesy", "Algorithms"], support: []),
    building.tests(
      "PlaceIndexTests",
      [
        "PlaceIndex", "PlaceDatabase", "OSMInput", "Algorithms", "CommandLineKit", "Diagnostics",
        "Geodesy", "SQLiteKit", "SystemIO", "TrailData",
      ]),
    using.tests(
      "SearchTests",
      [
        "Search", "SearchMeasures", "PlaceIndex", "PlaceDatabase", "OSMInput", "Algorithms",
        "Phrases",
        "Diagnostics", "Geodesy", "SQLiteKit", "SystemIO", "TrailData",
      ]),
    using.tests(
      "MapMatchingTests",
      ["MapMatching", "Geodesy", "LocationProviders", "Routing", "Tracks", "GPX"]),
    using.tests(
      "GuidanceTests",
      ["Guidance", "Geodesy", "Phrases", "Routing", "RoutingDatabase", "TagRules", "Tracks"]),
    using.tests("PhrasesTests", ["Phrases"], support: ofApps),
    using.tests("HapticsTests", ["Haptics", "Guidance", "Locks"], support: ofApps),
    // The libraries as apps use them.
    using.tests("AppTests", subjectFolders + ["Geodesy", "RoutingDatabase"], support: ofApps),
    using.tests(
      "TransferTests", ["Transfer", "Bundles", "RoutingDatabase", "SQLiteKit"], support: []),
    using.tests("UpdatesTests", ["Updates", "Guidance", "Routing"]),
    using.tests("BundlesTests", ["Bundles", "Geodesy", "TagRules"], support: []),
    using.tests(
      "NavigationTests",
      [
        "Navigation", "CommandLineKit", "CostModel", "Elevation", "Geodesy", "LocationProviders",
        "OSMInput", "PlaceIndex", "Routing", "RoutingDatabase", "RoutingGraph", "Search",
      ]),
    using.tests(
      "LocationProvidersTests",
      [
        "LocationProviders", "Algorithms", "Geodesy", "GPX", "Guidance", "Routing",
        "RoutingDatabase", "Tracks",
      ]),
    .target(
      name: "RunSupport",
      dependencies: modules([
        "Manifests", "Planning", "Execution", "Pipeline", "SQLiteKit", "SystemIO", "Diagnostics",
        "TestSupport",
      ]),
      path: "Tests/Orchestration/RunSupport"),
    orchestration.tests(
      "ManifestsTests",
      [
        "Manifests", "Bundles", "BundleFolders", "CommandLineKit", "CostModel", "Diagnostics",
        "Elevation",
        "Geodesy", "OSMInput", "RunCommands", "SystemIO", "TagRules", "Tiles", "StrictYAML",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "ResultStoreTests",
      [
        "ResultStore", "Bundles", "BundleFolders", "Manifests", "Planning", "Diagnostics",
        "Elevation", "SystemIO",
        "CommandLineKit",
      ]),
    orchestration.tests(
      "PlanningTests",
      [
        "Planning", "Manifests", "ResultStore", "Diagnostics", "SystemIO",
      ]),
    orchestration.tests(
      "MovingSourcesTests",
      [
        "MovingSources", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "Pipeline",
        "DownloadCache", "Elevation", "Diagnostics", "SystemIO", "Geodesy",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "SlurmExecutionTests",
      [
        "SlurmExecution", "Execution", "Manifests", "ResultStore", "Planning", "Pipeline",
        "Diagnostics", "SystemIO",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "PublishingTests",
      [
        "Publishing", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "Execution", "Pipeline",
        "RunCommands", "Diagnostics", "SystemIO", "Geodesy", "SQLiteKit", "CommandLineKit",
        "Validation",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "DistributionTests",
      [
        "Distribution", "Updates", "Bundles", "BundleFolders", "Deltas", "Diagnostics",
        "CommandLineKit", "Guidance", "Geodesy",
        "Manifests", "Planning", "Publishing", "ResultStore", "SystemIO",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "RunCommandsTests",
      [
        "RunCommands", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "Execution",
        "Publishing", "Pipeline", "Diagnostics", "SystemIO", "CommandLineKit", "Validation",
      ], support: ["TestSupport", "RunSupport"]),
    orchestration.tests(
      "PipelineTests",
      [
        "Pipeline", "Bundles", "BundleFolders", "Manifests", "ResultStore", "Planning",
        "MovingSources",
        "Execution", "SlurmExecution", "Publishing", "RunCommands", "CostModel", "Diagnostics",
        "Elevation", "Geodesy", "CommandLineKit", "SQLiteKit", "SystemIO", "TagRules",
        "DownloadCache",
        "OSMInput",
      ], support: ["TestSupport", "RunSupport"]),
    // They run the executables, which they must not depend on: their linker's flags would be those of
    // the tests, too.
    .testTarget(
      name: "EndToEndTests",
      dependencies: modules([
        "TestSupport",
        "SystemIO", "SQLiteKit", "TrailData", "Geodesy", "CostModel", "Routing", "RoutingDatabase",
        "MapMatching", "Guidance", "LocationProviders",
      ])),
  ]
)

// What makes a region, finds ways in it and follows them. An optimised module takes five times as
// long to compile as one that is not: with CAIRN_OPTIMISED=hot only these are, in whatever
// configuration. Without it a release build optimises everything, for an app and for benchmarks of
// what it links.
let hot = Set(
  [
    "Formatting", "Algorithms", "ByteCoding", "Locks", "Diagnostics", "Geodesy",
    "ElevationProfiles", "SystemIO", "SQLiteKit", "JSONKit", "XMLKit", "StrictYAML",
    "CommandLineKit",
    "TrailData", "RoutingDatabase", "PlaceDatabase", "Tiles", "PNG", "ZipArchive", "Deltas",
    "TagRules", "TravelModels", "OSMInput", "Elevation", "RoutingGraph", "CostModel",
    "PlaceIndex", "TerrainTiles", "TrailTiles", "WaypointCollection",
    "Routing", "Guidance", "LocationProviders", "MapMatching", "Tracks", "Validation",
    "MapChecks",
  ].map(moduleName))
for name in hot.subtracting(package.targets.map(\.name)) { fatalError("hot: no target \(name)") }
if Context.environment["CAIRN_OPTIMISED"] == "hot" {
  for target in package.targets where target.type != .system && target.name != "CLeaflet" {
    target.swiftSettings = [.unsafeFlags([hot.contains(target.name) ? "-O" : "-Onone"])]
  }
}

// A build for some purpose leaves out what it does not need, and keeps what others built before:
// CAIRN_TARGETS="cairn RoutingTests" stands for these targets and all that they use.
if let names = Context.environment["CAIRN_TARGETS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var open = names.split(separator: " ").map { moduleName(String($0)) }
  while let name = open.popLast() {
    guard let target = targets[name] else { fatalError("CAIRN_TARGETS: no target \(name)") }
    guard needed.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    !((product as? Product.Library)?.targets.allSatisfy(needed.contains) ?? true)
  }
}
