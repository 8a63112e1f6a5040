// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CommandLineKit
import FoundationEssentials
import SystemIO

/// Reads a folder of planned routes without changing it, with a note for each JSON file that is not
/// one. Throws 66 if there is no such folder.
package func plannedRoutes(_ folder: String) throws(CairnError) -> PlannedRouteStore {
  guard folderExists(folder) else {
    throw CairnError(
      "no-planned-folder", .noInput,
      pathExists(folder) ? "is not a folder" : "no such folder",
      at: Location(file: folder), hint: "create it with cairn planned import")
  }
  let store = PlannedRouteStore(folder: folder)
  do {
    for damage in try store.loadAll() {
      Console.note(
        "cairn planned: \(folder)/\(printable(damage.fileName)): skipped, not a planned route: "
          + printable(damage.reason))
    }
  } catch {
    throw CairnError("planned-folder", .noInput, "\(error)", at: Location(file: folder))
  }
  return store
}

/// The store's error as a command's error.
package func cairnError(_ failure: PlannedRouteStore.Failure) -> CairnError {
  switch failure {
  case .folder(let path, let reason):
    CairnError("planned-folder", .cannotCreate, printable(reason), at: Location(file: path))
  case .file(let path, let reason):
    CairnError("planned-file", .ioError, printable(reason), at: Location(file: path))
  case .notFound: CairnError("no-such-route", .noInput, failure.description)
  }
}

extension PlannedRouteStore {
  /// The route with this name, or whose id begins with this text of at least four characters.
  /// Throws 66 if there is none or more than one.
  package func route(called word: String) throws(CairnError) -> PlannedRoute {
    let named = routes.filter { $0.name == word }
    let identified = routes.filter {
      word.count >= 4 && $0.id.uuidString.lowercased().hasPrefix(word.lowercased())
    }
    let found = named.isEmpty ? identified : named
    if let route = found.first, found.count == 1 { return route }
    guard found.isEmpty else {
      let ids = found.prefix(5).map { String($0.id.uuidString.prefix(8)) }
      throw CairnError(
        "ambiguous-route", .noInput, "\(found.count) routes match “\(printable(word))”",
        at: Location(file: folder), hint: "give one of the ids: \(ids.joined(separator: ", "))")
    }
    let near = nearestWord(to: word, among: routes.map(\.name))
    throw CairnError(
      "no-such-route", .noInput, "no route is named “\(printable(word))”",
      at: Location(file: folder),
      hint: near.map { "did you mean “\(printable($0))”?" }
        ?? "cairn planned list \(folder) lists all routes")
  }
}

/// Whether a file is a planned route.
package func isPlannedRoute(_ path: String) -> Bool {
  guard
    let bytes = try? InputFile(path).readAll(limit: PlannedRouteStore.maximumFileBytes)
  else { return false }
  return (try? PlannedRoute(json: Data(bytes))) != nil
}
