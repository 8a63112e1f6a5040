// SPDX-License-Identifier: Apache-2.0

import BundleFolders
import CairnBundles
import CairnDiagnostics
import SystemIO

private let placesEnding = ".places.db"

/// The database of places for a path: itself, the one in the folder of a bundle, or the one next to
/// another file of the region, such as its routing database.
///
/// Throws 66 if a folder has none or several.
package func placesPath(_ path: String) throws(CairnError) -> String {
  guard !folderExists(path) else {
    return try fileOfBundle(path, placesEnding, hint: "make one with cairn index-places")
  }
  guard !path.hasSuffix(placesEnding), let stem = stem(path) else { return path }
  if let beside = placesBeside(path) { return beside }
  throw CairnError(
    "no-places", .noInput, "no \(splitPath(stem).name)\(placesEnding) beside it",
    at: Location(file: path), hint: "make one with cairn index-places")
}

/// The databases of places for some arguments; an output folder means all of its bundles.
package func placesPaths(_ words: [String]) throws(CairnError) -> [String] {
  var paths: [String] = []
  for word in words {
    guard folderExists(word), let index = IndexRecord(inFolder: word) else {
      paths.append(try placesPath(word))
      continue
    }
    paths += index.regions.filter { isPlainFileName($0.id) }
      .compactMap { placesBeside(joinPath(word, $0.id)) }
    guard !paths.isEmpty else { return [try placesPath(word)] }
  }
  return paths
}

/// The number of words at the beginning of a list that name databases, at least the first one. A file
/// or folder that merely has the name of a place does not.
package func countOfDatabases(_ words: some Collection<String>) -> Int {
  max(1, words.prefix { holdsDatabase($0) }.count)
}

private func holdsDatabase(_ path: String) -> Bool {
  if folderExists(path) { return IndexRecord(inFolder: path) != nil || placesBeside(path) != nil }
  guard pathExists(path) else { return false }
  if path.hasSuffix(placesEnding) || stem(path) != nil { return true }
  do throws(CairnError) {
    let file = try InputFile(path)
    return try file.read(0..<min(16, file.size)) == Array("SQLite format 3\0".utf8)
  } catch { return false }
}

/// The database of places next to a file of a region, or in the folder of a bundle; nil if there is
/// none.
package func placesBeside(_ path: String) -> String? {
  if folderExists(path) { return try? fileOfBundle(path, placesEnding) }
  return path.hasSuffix(placesEnding) ? path : fileBeside(path, placesEnding)
}

/// The file of a region with another suffix next to one of its files; nil if there is none.
package func fileBeside(_ path: String, _ ending: String) -> String? {
  guard let stem = stem(path) else { return nil }
  var stems = [stem]
  // The variants of a region, REGION.VARIANT.routing.db, share its places.
  let (folder, name) = splitPath(stem)
  if let dot = name.lastIndex(of: ".") { stems.append(joinPath(folder, String(name[..<dot]))) }
  return stems.map { $0 + ending }.first(where: pathExists)
}

/// The path of a region's file without the suffix of its kind; nil for other files.
private func stem(_ path: String) -> String? {
  [".routing.db", ".waypoints.db", ".elevated", ".graph"]
    .first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) }
}

/// The routing database for a path: itself, or the one in the folder of a bundle. Throws 66 if a
/// folder has none or several.
package func routingPath(_ path: String) throws(CairnError) -> String {
  try fileOfBundle(path, ".routing.db")
}
