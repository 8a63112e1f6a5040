// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Elevation
import ProfileTrials
import Reports
import Requests
import SystemIO
import TuningSuites

/// The ground below the maps of a comparison: from the command line, otherwise from the compared
/// suite.
struct ComparisonGround {
  private let comparison: ProfileComparison
  private let path: String
  private let arguments: Arguments

  /// - Parameter path: The file of the comparison.
  init(_ comparison: ProfileComparison, at path: String, _ arguments: Arguments) {
    (self.comparison, self.path, self.arguments) = (comparison, path, arguments)
  }

  /// Throws 64 for a database or a suite of another comparison, and the errors of a given suite and
  /// of folders of tiles.
  func ground() throws(CairnError) -> MapGround {
    var folders = arguments.all("elevation")
    var databases = try named()
    if folders.isEmpty || databases.isEmpty, let suite = try suite() {
      let datasets = datasets(of: suite)
      if folders.isEmpty {
        for folder in datasets.flatMap(\.dataset.elevation)
        where !folders.contains(folder) && pathExists(folder) { folders.append(folder) }
      }
      if databases.isEmpty {
        for (name, dataset) in datasets where pathExists(dataset.database) {
          databases[name] = dataset.database
        }
      }
    }
    let records = databases.values.sorted().compactMap {
      BundleRecord(inFolder: splitPath($0).folder)
    }
    return MapGround(
      terrain: folders.isEmpty ? nil : try ElevationDataManager(folders: folders),
      databases: databases, places: databases.compactMapValues { placesBeside($0) },
      attributions: folders.isEmpty ? [] : Set(records.flatMap(\.elevationAttributions)).sorted())
  }

  /// The databases of the command line, by the names of their files.
  private func named() throws(CairnError) -> [String: String] {
    let known = comparison.datasets.map(\.database)
    var databases: [String: String] = [:]
    for word in arguments.all("database") {
      let database = try routingPath(word)
      let name = splitPath(database).name
      guard known.contains(name) else {
        throw arguments.usageError(
          "--database: the comparison has no database “\(name)”",
          hint: "it has \(known.joined(separator: ", "))")
      }
      databases[name] = database
    }
    return databases
  }

  /// The datasets of a suite that are also in the comparison.
  private func datasets(of suite: TuningSuite)
    -> [(name: String, dataset: TuningSuite.Dataset)]
  {
    suite.datasets.compactMap { dataset in
      let name = splitPath(dataset.database).name
      let isCompared = comparison.datasets.contains { $0.id == dataset.id && $0.database == name }
      return isCompared ? (name, dataset) : nil
    }
  }

  /// The suite of `--suite`, or the one that the comparison names, relative to the working folder
  /// or to its own. A suite that is gone or has changed is nil.
  private func suite() throws(CairnError) -> TuningSuite? {
    if let file = arguments.value("suite") {
      let suite = try TuningSuite(file: file, .pipeline)
      guard suite.name == comparison.suite else {
        throw arguments.usageError(
          "--suite: \(file) is the suite “\(printable(suite.name))”; the comparison is of "
            + "“\(printable(comparison.suite))”")
      }
      return suite
    }
    guard let file = comparison.suiteFile else { return nil }
    let paths = [file, joinPath(splitPath(path).folder, file)]
    let suite = paths.first(where: pathExists).flatMap {
      try? TuningSuite(file: $0, .pipeline)
    }
    if let suite, suite.name == comparison.suite { return suite }
    Console.note(
      "cairn report: cannot read the suite of the comparison, \(printable(file)); give --suite, "
        + "and --elevation for the relief")
    return nil
  }
}

extension BundleRecord {
  /// The texts to show with its elevations, as far as its manifest says.
  fileprivate var elevationAttributions: [String] {
    (provenance?.licences ?? []).filter { $0.source != "OpenStreetMap" }.compactMap { licence in
      guard let attribution = licence.attribution ?? licence.licence else { return nil }
      return printable(attribution)
    }
  }
}
