// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Foundation

/// The compiler as an app calls it: against the built modules. Where there is no SDK of Apple's, what
/// Cairn and its documents use of it is in shims, and the adapters to it, which are not built there, are a
/// module of their own.
struct AppCompiler {
  /// Where the modules are that the tests were built with.
  private static let products = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().path
  private let shims: TemporaryFolder

  /// Prepares to compile what imports no system library.
  init() throws { shims = try TemporaryFolder() }

  /// Makes Core Location and the adapters, where they are not there.
  func addCoreLocation() throws {
    #if !canImport(CoreLocation)
      try addShim("CoreLocation")
      try addAdapters(
        "LocationAdapters",
        [
          "Foundations/Geodesy/Coordinate+CoreLocation.swift",
          "Using/Tracks/LocationFix+CoreLocation.swift",
          "Using/LocationProviders/CoreLocationProvider.swift",
        ], of: ["CairnGeodesy", "CairnTracks", "CairnLocationProviders"])
    #endif
  }

  /// Makes MapKit and Core Location, where they are not there, and the adapters.
  func addMapKit() throws {
    try addCoreLocation()
    #if !canImport(MapKit)
      try addShim("MapKit")
      try addAdapters(
        "MapAdapters", ["Using/Search/SearchResult+MapKit.swift"], of: ["CairnSearch"],
        using: ["LocationAdapters"])
    #endif
  }

  /// Makes Image I/O, where it is not there, and what uses it.
  func addImageIO() throws {
    #if !canImport(ImageIO)
      try addShim("ImageIO")
      try addAdapters(
        "PhotoAdapters", ["Formats/Photos/ImageIOCoding.swift"], of: ["CairnPhotos"])
    #endif
  }

  /// Makes Core Haptics and WatchKit, where they are not there, and the players.
  func addHaptics() throws {
    #if !canImport(CoreHaptics)
      try addShim("CoreHaptics")
      try addShim("WatchKit")
      try addAdapters(
        "HapticAdapters",
        [
          "Using/Haptics/Playing/CoreHapticsPlayer.swift",
          "Using/Haptics/Playing/WatchKitPlayer.swift",
        ], of: ["CairnHaptics"])
    #endif
  }

  /// Makes CryptoKit, where it is not there, and what updates use of it.
  func addCryptoKit() throws {
    #if !canImport(CryptoKit)
      try addShim("CryptoKit")
      try addAdapters(
        "UpdateAdapters", ["Using/Updates/AppleServices.swift"], of: ["CairnUpdates"])
    #endif
  }

  private func addShim(_ framework: String) throws {
    try make(framework, ["\(packageRoot)/Tests/Docs/shims/\(framework).swift"])
  }

  /// Compiles adapters as if they stood in their modules.
  private func addAdapters(
    _ name: String, _ files: [String], of modules: [String], using others: [String] = []
  ) throws {
    let identity = URL(fileURLWithPath: packageRoot).lastPathComponent.lowercased()
      .map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    let imports =
      modules.map { ["-testable-import-module", $0] } + others.map { ["-import-module", $0] }
    let options = imports.joined().flatMap { ["-Xfrontend", $0] }
    try make(
      name, files.map { "\(packageRoot)/Sources/\($0)" }, options + ["-package-name", identity])
  }

  private func make(_ module: String, _ files: [String], _ options: [String] = []) throws {
    let result = try compile(
      [
        "-parse-as-library", "-emit-module", "-emit-module-path",
        shims.file("\(module).swiftmodule"),
      ]
        + options, module,
      files)
    guard result.status == 0 else { throw TestFailure(result.stderr) }
  }

  /// Type-checks a program.
  func typeCheck(_ source: String) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    var options = ["-typecheck"]
    for name in try shims.contents where name.hasSuffix("Adapters.swiftmodule") {
      let module = String(name.dropLast(".swiftmodule".count))
      options += ["-Xfrontend", "-import-module", "-Xfrontend", module]
    }
    return try compile(options, "App", [try folder.write(source, to: "main.swift")])
  }

  /// A warning is an error.
  private func compile(_ options: [String], _ module: String, _ files: [String]) throws
    -> ProcessResult
  {
    let libraries = ["CSQLite", "CJPEG"].flatMap { name in
      ["-Xcc", "-fmodule-map-file=\(packageRoot)/Sources/SystemLibraries/\(name)/module.modulemap"]
    }
    return try runProcess(
      "swiftc",
      ["-swift-version", "6", "-warnings-as-errors", "-module-name", module] + options + files + [
        "-I", Self.products + "/Modules", "-I", shims.path,
        "-module-cache-path", Self.products + "/ModuleCache",
      ] + libraries)
  }
}
