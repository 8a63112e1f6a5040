// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The layers of the package from the bottom to the top. A module may use what stands before it,
/// in its own layer or below, and nothing else.
private let layers: [(name: String, modules: [String])] = [
  (
    "SystemLibraries",
    [
      "CLinux", "CCrypto", "CCurl", "CDeflate", "CExpat", "CLZ4", "CSQLite", "CYAML", "CZlib",
      "CZstd",
    ]
  ),
  (
    "Foundations",
    [
      "Formatting", "Algorithms", "Diagnostics", "Geodesy", "SystemIO", "SQLiteKit", "StrictYAML",
      "CommandLineKit", "XMLKit",
    ]
  ),
  ("Formats", ["TrailData", "RoutingDatabase", "GPX"]),
  ("Building", ["TagRules", "OSMInput", "Elevation", "RoutingGraph", "CostModel"]),
  ("Using", ["Routing", "Guidance"]),
  ("Orchestration", ["Validation", "RoutingPreparation", "Reporting", "Fetch", "Pipeline"]),
  ("", ["SampleData"]),
  (
    "Tools",
    [
      "cairn-fetch", "cairn-decode-pbf", "cairn-parse-overpass", "cairn-sample-elevation",
      "cairn-build-graph", "cairn-compute-costs", "cairn-validate", "cairn-prepare-routing",
      "cairn",
    ]
  ),
  ("", ["TestSupport"]),
]

@Suite("Layers of the package")
struct LayeringTests {
  private let package: PackageDescription

  private static let described = Result { try PackageDescription(root: packageRoot) }

  init() throws { package = try Self.described.get() }

  @Test("every module has its place in a layer, once")
  func everyModuleHasALayer() {
    let listed = layers.flatMap(\.modules)
    #expect(
      listed.sorted() == package.modules.keys.sorted(), "the table is at the top of this file")
    #expect(Set(listed).count == listed.count)
  }

  @Test("a module depends only on what stands below it")
  func dependenciesPointDownward() {
    let places = Dictionary(
      layers.flatMap(\.modules).enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    for (module, dependencies) in package.modules {
      for dependency in dependencies {
        let isBelow = (places[dependency] ?? .max) < (places[module] ?? .min)
        #expect(isBelow, "\(module) must not depend on \(dependency)")
      }
    }
  }

  @Test("nothing depends on an executable, nor a product on the tests' helpers")
  func executablesAndHelpersAreTops() {
    for (module, dependencies) in package.modules {
      for dependency in dependencies {
        #expect(!package.executables.contains(dependency), "\(module) depends on \(dependency)")
        #expect(dependency != "TestSupport", "\(module) depends on \(dependency)")
      }
    }
  }

  @Test(
    "what an app imports reaches neither files, nor the command line, nor a C library but SQLite")
  func appModulesStayPortable() {
    for product in ["Routing", "Guidance"] {
      let reached = package.closure(of: product)
      #expect(!reached.contains("SystemIO"))
      #expect(!reached.contains("CommandLineKit"))
      #expect(reached.intersection(layers[0].modules).isSubset(of: ["CSQLite"]))
    }
  }

  @Test("a module imports no module of the package that it does not declare")
  func importsAreDeclared() throws {
    for (module, dependencies) in package.modules where module != "TestSupport" {
      for file in try swiftFiles(of: module) {
        for imported in try imports(in: file) where package.modules[imported] != nil {
          #expect(
            dependencies.contains(imported),
            "\(file) imports \(imported), which Package.swift does not list for \(module)")
        }
      }
    }
  }

  @Test(
    "all of Foundation, which is slow to start, is imported only where its essentials are missing")
  func foundationIsNotImported() throws {
    for module in package.modules.keys where module != "TestSupport" {
      for file in try swiftFiles(of: module) {
        let lines = try text(of: file).split(separator: "\n").map(trimmed)
        for (number, line) in lines.enumerated() where line == "import Foundation" {
          #expect(number > 0 && lines[number - 1] == "#else", "\(file)")
        }
      }
    }
  }

  @Test("the main of an executable has less than 50 lines")
  func mainsAreThin() throws {
    #expect(!package.executables.isEmpty)
    for executable in package.executables {
      let mains = try swiftFiles(of: executable).filter {
        try $0.hasSuffix("/main.swift") || text(of: $0).contains("@main")
      }
      #expect(mains.count == 1, "\(executable)")
      for file in mains {
        let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 50, "\(file)")
      }
    }
  }

  private func swiftFiles(of module: String) throws -> [String] {
    let layer = layers.first { $0.modules.contains(module) }?.name ?? ""
    let folder = packageRoot + "/Sources/" + (layer.isEmpty ? "" : layer + "/") + module
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }.sorted().map { folder + "/" + $0 }
  }

  private func text(of file: String) throws -> String {
    String(decoding: try bytesOfFile(file), as: UTF8.self)
  }

  private func imports(in file: String) throws -> [String] {
    try text(of: file).split(separator: "\n").compactMap { line in
      let words = trimmed(line).split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else {
        return nil
      }
      return String(words[place + 1])
    }
  }

  private func trimmed(_ line: Substring) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }
}

/// The modules of a package and what they depend on, as `swift package dump-package` tells.
private struct PackageDescription {
  /// What each module that is no test depends on.
  var modules: [String: [String]] = [:]
  /// The modules that become programs.
  var executables: [String] = []

  init(root: String) throws {
    // A folder of its own keeps it out of the way of the build that runs this test.
    let scratch = try TemporaryFolder()
    let result = try runProcess(
      "swift",
      ["package", "--package-path", root, "--scratch-path", scratch.path, "dump-package"])
    guard result.status == 0,
      let dump = try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any],
      let targets = dump["targets"] as? [[String: Any]]
    else { throw TestFailure("swift package dump-package: \(result.stderr)") }
    for target in targets {
      guard let name = target["name"] as? String, let type = target["type"] as? String,
        let dependencies = target["dependencies"] as? [[String: Any]]
      else { throw TestFailure("dump-package says nothing known of a target: \(target)") }
      if type == "test" { continue }
      if type == "executable" { executables.append(name) }
      // A dependency is {"byName": [NAME, CONDITION]} or the same with another kind.
      modules[name] = dependencies.flatMap { dependency in
        dependency.values.compactMap { ($0 as? [Any])?.first as? String }
      }
    }
  }

  /// All modules that a module needs, directly or through others.
  func closure(of module: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [module]
    while let next = open.popLast() {
      for dependency in modules[next] ?? [] where reached.insert(dependency).inserted {
        open.append(dependency)
      }
    }
    return reached
  }
}
