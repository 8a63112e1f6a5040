// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import SystemIO

extension Manifest {
  /// The name that `cairn init` gives a manifest, and under which one is found.
  package static let usualName = "cairn.yaml"

  /// Reads the manifest that a command line names: a file, or a folder with one called
  /// ``usualName``; without an argument, that of the current folder. Throws as ``load(_:)``, and 66
  /// where a folder has none.
  package static func load(argument: String?) throws(CairnError) -> Manifest {
    try load(try path(argument: argument))
  }

  /// Reads the manifest of a command line such as `cairn warnings [MANIFEST] [REGION…]`.
  ///
  /// The first word is a region rather than a manifest where it may be the id of one, there is neither
  /// a file of that name nor a manifest in a folder of that name, and the current folder has one.
  ///
  /// - Returns: The manifest, and the words behind it.
  package static func load(words: [String]) throws(CairnError) -> (Manifest, regions: [String]) {
    guard let first = words.first, isRegion(first) else {
      return (try load(argument: words.first), Array(words.dropFirst()))
    }
    return (try load(usualName), words)
  }

  private static func isRegion(_ word: String) -> Bool {
    guard isRegionID(word), pathExists(usualName) else { return false }
    return folderExists(word) ? !pathExists(joinPath(word, usualName)) : !pathExists(word)
  }

  /// The path of the manifest that a command line names. Throws 66 where a folder, or the current
  /// one, has none.
  package static func path(argument: String?) throws(CairnError) -> String {
    guard let argument else {
      guard pathExists(usualName) else {
        throw CairnError(
          .noManifest, .noInput, "no manifest is named, and the current folder has no \(usualName)",
          hint: "name one, or make one with cairn init")
      }
      return usualName
    }
    guard folderExists(argument) else { return argument }
    let path = joinPath(argument, usualName)
    guard pathExists(path) else {
      throw CairnError(
        .noManifest, .noInput, "has no \(usualName)", at: Location(file: argument),
        hint: "name a manifest, or make one with cairn init \(argument)")
    }
    return path
  }
}

extension CommandDefinition.Positional {
  /// The manifest of a command.
  package static let manifest = Self(
    "MANIFEST", required: false,
    help: "the manifest, or a folder with a \(Manifest.usualName) (default: the current folder)")

  /// Regions behind it.
  package static let regions = Self(
    "REGION", repeats: true, required: false, help: "only these regions")
}

extension CairnError.Code {
  /// There is no manifest where one was looked for.
  fileprivate static let noManifest: Self = "no-manifest"
}
