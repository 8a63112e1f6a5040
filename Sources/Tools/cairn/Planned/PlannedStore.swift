// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import FoundationEssentials
import Guidance
import SystemIO

/// Reads a folder of planned routes; files that are damaged are told of.
func plannedRoutes(_ folder: String) throws(CairnError) -> PlannedRouteStore {
  let store = PlannedRouteStore(folder: folder)
  do {
    for damage in try store.loadAll() {
      let fate = damage.setAsideAs.map { "; it was renamed to \(printable($0))" } ?? ""
      Console.note(
        "cairn planned: warning: \(folder)/\(printable(damage.fileName)): is no planned route: "
          + "\(printable(damage.reason))\(fate)")
    }
  } catch { throw cairnError(error) }
  return store
}

/// The same error as a command reports it.
func cairnError(_ failure: PlannedRouteStore.Failure) -> CairnError {
  switch failure {
  case .folder(let path, let reason):
    CairnError("planned-folder", .cannotCreate, printable(reason), at: Location(file: path))
  case .file(let path, let reason):
    CairnError("planned-file", .ioError, printable(reason), at: Location(file: path))
  case .notFound: CairnError("no-such-route", .noInput, failure.description)
  }
}

extension PlannedRouteStore {
  /// The route that a word means: the beginning of an id, at least four characters of it, or a
  /// whole name. Throws 66 if there is none, or several.
  func route(called word: String) throws(CairnError) -> PlannedRoute {
    let named = routes.filter { $0.name == word }
    let numbered = routes.filter {
      word.count >= 4 && $0.id.uuidString.lowercased().hasPrefix(word.lowercased())
    }
    let found = named.isEmpty ? numbered : named
    if let route = found.first, found.count == 1 { return route }
    guard found.isEmpty else {
      let ids = found.prefix(5).map { String($0.id.uuidString.prefix(8)) }
      throw CairnError(
        "ambiguous-route", .noInput, "\(found.count) routes are called “\(printable(word))”",
        at: Location(file: folder), hint: "say which by its id: \(ids.joined(separator: ", "))")
    }
    let near = nearestWord(to: word, among: routes.map(\.name))
    throw CairnError(
      "no-such-route", .noInput, "there is no route “\(printable(word))”",
      at: Location(file: folder),
      hint: near.map { "did you mean “\(printable($0))”?" }
        ?? "cairn planned list \(folder) names them")
  }
}

extension PlannedRoute {
  /// An id that depends on what the route is, so that the same route is not kept twice.
  static func id(name: String, mode: String, line: [LinePoint]) -> UUID {
    let digest = SHA256Digest()
    digest.update("\(mode)\n\(name)\n")
    for point in line {
      digest.update(
        "\(point.coordinate.latitude) \(point.coordinate.longitude) "
          + "\(point.elevation.map { "\($0)" } ?? "")\n")
    }
    guard let sum = try? digest.finish() else { return UUID() }
    var hex = Array(sum.prefix(32))
    // Version 8, variant 1: an id of its maker's own design (RFC 9562).
    hex[12] = "8"
    hex[16] = "a"
    for place in [20, 16, 12, 8] { hex.insert("-", at: place) }
    return UUID(uuidString: String(hex)) ?? UUID()
  }
}
