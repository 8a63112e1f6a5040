// SPDX-License-Identifier: Apache-2.0

import Diagnostics
import SystemIO

/// The database of places that a path stands for: itself, the one in the folder of a bundle, or the one
/// beside another file of the region, such as its routing database.
///
/// Throws 66 if a folder has none or several.
func placesPath(_ path: String) throws(CairnError) -> String {
  let ending = ".places.db"
  if folderExists(path) {
    let names = try folderContents(path).filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
    guard let name = names.first, names.count == 1 else {
      throw CairnError(
        "no-places", .noInput,
        names.isEmpty ? "has no .places.db" : "has \(names.count) databases of places",
        at: Location(file: path),
        hint: names.isEmpty ? "cairn index-places makes one" : "give the path of one")
    }
    return joinPath(path, name)
  }
  guard !path.hasSuffix(ending) else { return path }
  for other in [".routing.db", ".waypoints.db", ".hierarchy", ".elevated", ".graph"]
  where path.hasSuffix(other) {
    let beside = String(path.dropLast(other.count)) + ending
    if pathExists(beside) { return beside }
    throw CairnError(
      "no-places", .noInput, "there is no \(splitPath(beside).name) beside it",
      at: Location(file: path), hint: "cairn index-places makes one")
  }
  return path
}
