// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CommandLineKit
import SystemIO

/// A region on a command line, and its output file.
struct RegionTarget: Sendable {
  /// The id of the region in reports and messages; nil for the only one of a run.
  var id: String?
  /// The part to keep, or the error of reading the shape.
  var region: Result<Region, CairnError>
  /// The `.trails` file to write.
  var output: String

  static let options: [CommandDefinition.Option] = [
    .option("output", "FILE", letter: "o", help: "the .trails file to write"),
    .option(
      "bbox", "W,S,E,N",
      help: "keep the ways that touch this box; if W is greater than E, it crosses the "
        + "antimeridian"),
    .option(
      "polygon", "FILE",
      help: "keep the ways that touch the polygons of this file, GeoJSON or Osmosis .poly"),
    .option(
      "region", "ID=SHAPE", repeats: true,
      help: "write DIR/ID.trails with the ways that touch a shape: W,S,E,N, a file as above, or "
        + "FILE#N, the Nth feature of a GeoJSON file; all regions are extracted in one pass over "
        + "the input"),
    .option("output-dir", "DIR", help: "the output folder for --region"),
  ]

  /// The targets of a command line, at least one.
  ///
  /// Throws 64 if the options cannot be combined, 66 or 65 if the file of --polygon cannot be read or
  /// is invalid, and 73 if the folder for several files cannot be created.
  static func all(_ arguments: Arguments) throws(CairnError) -> [RegionTarget] {
    let regions = arguments.all("region")
    guard !regions.isEmpty || arguments.has("output-dir") else { return [try one(arguments)] }
    for single in ["output", "bbox", "polygon"] where arguments.has(single) {
      throw arguments.usageError("--\(single) cannot be combined with --region and --output-dir")
    }
    guard !regions.isEmpty else {
      throw arguments.usageError("--output-dir needs --region ID=SHAPE")
    }
    guard let folder = arguments.value("output-dir") else {
      throw arguments.usageError("--region needs --output-dir DIR")
    }
    let cache = FeatureCache()
    var ids: Set<String> = []
    var targets: [RegionTarget] = []
    for text in regions {
      let target = try target(text, folder: folder, cache, arguments)
      if let id = target.id, !ids.insert(id).inserted {
        throw arguments.usageError("--region \(id) is given twice")
      }
      targets.append(target)
    }
    try makeFolders(folder)
    return targets
  }

  private static func one(_ arguments: Arguments) throws(CairnError) -> RegionTarget {
    guard let output = arguments.value("output") else {
      throw arguments.usageError("--output FILE is required")
    }
    var region = Region.everything
    if let text = arguments.value("bbox") {
      guard !arguments.has("polygon") else {
        throw arguments.usageError("--bbox and --polygon cannot be combined")
      }
      guard let box = BoundingBox(commandLine: text) else {
        throw arguments.usageError(
          "--bbox takes west,south,east,north in degrees, not “\(text)”",
          hint: BoundingBox.problem(commandLine: text))
      }
      region = Region(box)
    } else if let path = arguments.value("polygon") {
      region = try RegionFile.read(path)
    }
    return RegionTarget(id: nil, region: .success(region), output: output)
  }

  private static func target(
    _ text: String, folder: String, _ cache: FeatureCache, _ arguments: Arguments
  ) throws(CairnError) -> RegionTarget {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isID(parts[0]), !parts[1].isEmpty else {
      throw arguments.usageError(
        "--region takes ID=W,S,E,N or ID=FILE, not “\(text)”",
        hint: "an id has letters, digits, full stops, underscores and hyphens")
    }
    let id = String(parts[0])
    let shape = String(parts[1])
    let region: Result<Region, CairnError>
    if let box = BoundingBox(commandLine: shape) {
      region = .success(Region(box))
    } else if shape.allSatisfy({ "0123456789.,+- ".contains($0) }), shape.contains(",") {
      throw arguments.usageError(
        "--region \(id) takes west,south,east,north in degrees, not “\(shape)”",
        hint: BoundingBox.problem(commandLine: shape))
    } else {
      // An invalid file must not prevent the other regions from being written.
      region = Result { () throws(CairnError) in try cache.read(shape) }
    }
    return RegionTarget(id: id, region: region, output: joinPath(folder, "\(id).trails"))
  }

  private static func isID(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 128
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
  }
}
