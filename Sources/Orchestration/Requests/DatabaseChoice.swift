// SPDX-License-Identifier: Apache-2.0

import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnGeodesy
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit
import SystemIO

/// The routing databases that arguments stand for: each is a database, the folder of a bundle, or an
/// output folder with an `index.json`, which stands for all of its bundles.
package struct DatabaseChoice {
  /// The argument of commands that take several.
  package static let positional = CommandDefinition.Positional(
    "DB", repeats: true,
    help: "routing databases, bundles, or an output folder with all its bundles")

  /// What the help pages say about several databases.
  package static let discussion = """
    Several databases count as one: routes lead from one region into the next.
    """

  /// The paths of the databases.
  package let paths: [String]
  /// The folders that may have an index of the databases and of others.
  private let folders: [String]

  /// Throws 66 where a folder has no database.
  package init(_ words: some Collection<String>) throws(CairnError) {
    var paths: [String] = []
    var folders: [String] = []
    for word in words {
      if folderExists(word), let index = IndexRecord(inFolder: word) {
        folders.append(word)
        paths += index.regions.compactMap { region in
          let name = region.routingDbFilename ?? "\(region.id).routing.db"
          guard isPlainFileName(region.id), isPlainFileName(name) else { return nil }
          let path = joinPath(joinPath(word, region.id), name)
          return pathExists(path) ? path : nil
        }
      } else {
        let path = try routingPath(word)
        folders.append(splitPath(splitPath(path).folder).folder)
        paths.append(path)
      }
    }
    guard !paths.isEmpty else {
      throw CairnError(
        "no-databases", .noInput, "has no bundle with a routing database",
        at: Location(file: words.first ?? ""))
    }
    self.paths = paths
    self.folders = Set(folders).sorted()
  }

  /// The databases as one store, not yet open.
  package func store() -> RoutingStore {
    paths.count == 1
      ? RoutingStore(path: paths[0]) : RoutingStore(joiningWhenReached: paths)
  }

  /// The places of the databases, from the files beside them; nil if there are none.
  package func places() throws(CairnError) -> SearchSet? {
    let files = paths.compactMap(placesBeside)
    guard !files.isEmpty else { return nil }
    do throws(SearchError) { return try SearchSet(paths: files) } catch {
      throw error.ofCommand(at: Requests.title(of: files))
    }
  }

  /// How errors name the databases.
  package var title: String { Requests.title(of: paths) }

  /// Which other regions may be needed for a route, so far as an index beside the databases says: those
  /// that have one of the points if no database has it; nil if there are none.
  ///
  /// Read only when an error names them, which takes as long as many routes do.
  package func missingRegions(_ points: [Coordinate], outside extent: DatabaseExtent) -> String? {
    let names = Set(paths.map { splitPath(splitPath($0).folder).name })
    let regions = folders.flatMap { IndexRecord(inFolder: $0)?.regions ?? [] }
    let ours = regions.filter { names.contains($0.id) && $0.boundingBox != nil }
    // The extent of several databases has what lies between them, too.
    let outside = points.filter { point in
      extent.excludes(point)
        || ours.count == paths.count && !ours.contains { $0.contains(point) }
    }
    let missing = regions.filter { region in
      !names.contains(region.id) && outside.contains(where: region.contains)
    }
    guard !missing.isEmpty else { return nil }
    let found = missing.prefix(4).map { "\($0.name) (\($0.id))" }
    return "it may need \(found.joined(separator: ", or ")), which is not among the databases"
  }
}

extension IndexRecord.Region {
  /// Whether a point lies in its box; false if that is unknown.
  fileprivate func contains(_ point: Coordinate) -> Bool {
    boundingBox?.box.contains(point) ?? false
  }
}

extension RoutingError {
  /// Which of the points of a request lie at the cause; none if no place is the cause.
  fileprivate func places(among points: [Coordinate]) -> [Coordinate] {
    switch self {
    case .noNearbyNode(let point, _): [point]
    case .noRouteFound, .viaPointNotReachable, .noRoundTripFound: points
    default: []
    }
  }
}

/// How errors name some databases, at least one.
package func title(of paths: [String]) -> String {
  paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
}

/// Opens routing databases, runs `body` with them as one and closes them. Errors of the library are
/// thrown as errors of a command; see `DatabaseExtent`.
///
/// - Parameters:
///   - points: The points that a route is asked for, by which an error names the regions that are missing.
///   - language: The language in which it is said that there is no route; all other errors are for
///     operators, and in English.
package func withStore<Result>(
  _ databases: DatabaseChoice, _ choice: RouteChoice? = nil, points: [Coordinate] = [],
  in language: Language = .english, _ body: (RoutingStore) throws -> Result
) throws(CairnError) -> Result {
  let store = databases.store()
  do throws(RoutingError) {
    try store.open()
  } catch {
    throw error.ofCommand(at: databases.title)
  }
  defer { store.close() }
  do { return try body(store) } catch {
    throw databases.commandError(error, store, choice, points: points, in: language)
  }
}

extension DatabaseChoice {
  /// An error of a request as that of a command; see ``withStore(_:_:points:in:_:)``.
  package func commandError(
    _ error: any Error, _ store: RoutingStore, _ choice: RouteChoice?, points: [Coordinate],
    in language: Language = .english
  ) -> CairnError {
    guard let error = error as? RoutingError else { return asCairnError(error) }
    let extent = DatabaseExtent(store)
    var result = extent.commandError(
      error, at: title, isStrict: choice?.preferences.isStrict ?? false)
    if language != .english { extent.tell(error, in: language, &result) }
    if result.hint == nil {
      result.hint = missingRegions(error.places(among: points), outside: extent)
    }
    return result
  }
}
