// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// A published bundle, in any folder.
package struct BundleFolder: Sendable {
  /// The path.
  package let path: String
  package let record: BundleRecord
  /// `region.json`, if it can be read.
  package let region: RegionRecord?

  /// Opens a bundle. Throws 66 if there is no such folder, and 65 if it is not a bundle.
  package init(_ path: String) throws(CairnError) {
    guard folderExists(path) else {
      throw CairnError(
        "no-bundle", .noInput, pathExists(path) ? "is a file, not a folder" : "no such folder",
        at: Location(file: path))
    }
    guard let record = BundleRecord(inFolder: path) else {
      throw CairnError(
        "not-a-bundle", .dataError,
        "is not a bundle: it has no Cairn \(BundleRecord.fileName)",
        at: Location(file: path), hint: "give the folder of a region, such as OUTPUT/REGION")
    }
    self.path = path
    self.record = record
    region = RegionRecord(inFolder: path)
  }

  /// The id of the region in the manifest.
  package var id: String { record.id }
  /// The name of the region.
  package var name: String { record.name }
  /// The time of the OpenStreetMap data, ISO 8601, if known.
  package var dataTimestamp: String? { record.dataTimestamp }
  /// The files with their sizes, `bundle.json` included, in the order of their names.
  package var fileNames: [String] { (record.files.keys + [BundleRecord.fileName]).sorted() }

  /// The id as the name of a folder. Throws 65 if a manifest could not have this id.
  package func plainID() throws(CairnError) -> String {
    guard !isRegionID(id) else { return id }
    throw CairnError(
      "not-a-bundle", .dataError, "has the id “\(printable(id))”, which is not a region id",
      at: Location(file: joinPath(path, BundleRecord.fileName)),
      hint: "run cairn bundle verify for details")
  }

  /// The path of a file by its name. Throws 65 if the name is invalid, or the file is a link, and
  /// 66 if there is no such file.
  package func pathOfFile(_ name: String) throws(CairnError) -> String {
    let file = joinPath(path, name)
    guard isPlainFileName(name) else {
      throw CairnError(
        "not-a-bundle", .dataError, "names “\(printable(name))”, which is not a file name",
        at: Location(file: joinPath(path, BundleRecord.fileName)))
    }
    guard nameExists(file), isRealFile(file) else {
      throw CairnError(
        "bundle-damaged", nameExists(file) ? .dataError : .noInput,
        nameExists(file) ? "is not a file" : "is missing", at: Location(file: file),
        hint: "run cairn bundle verify for details")
    }
    return file
  }

  /// Size and SHA-256 of a file in `bundle.json`; nil if it is not listed.
  package func recorded(_ name: String) -> (bytes: Int, sha256: String)? {
    record.files[name].map { ($0.bytes, $0.sha256) }
  }

  /// The routing database of the region's own profiles. Throws 65 if there is none.
  package func routingDatabase() throws(CairnError) -> String {
    guard let name = region?.routingDbFilename ?? record.routingDatabase,
      record.files[name] != nil
    else {
      throw CairnError(
        "no-database", .dataError, "has no routing database", at: Location(file: path),
        hint: region?.hasRoutingData == false ? "the region was built with routing: false" : nil)
    }
    return try pathOfFile(name)
  }

  /// The database of waypoints, if there is one.
  package var waypointsDatabase: String? { companion(region?.waypointsDbFilename) }
  /// The database for search, if there is one.
  package var placesDatabase: String? { companion(region?.placesDbFilename) }

  private func companion(_ name: String?) -> String? {
    guard let name, record.files[name] != nil, isPlainFileName(name) else { return nil }
    return joinPath(path, name)
  }

  /// The names in the folder that are not part of the bundle, sorted.
  package func foreignNames() throws(CairnError) -> [String] {
    let own = Set(fileNames)
    return try folderContents(path).filter { !own.contains($0) }.sorted()
  }
}
