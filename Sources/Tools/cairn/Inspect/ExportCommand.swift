// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// `cairn export`: a region as layers for geographic information systems.
struct ExportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn export",
    summary: "export a region as layers for QGIS and other GIS programs",
    discussion: """
      The layers are edges (with costs and times by each profile, grades, slopes, warnings and \
      tags), nodes, pois (the waypoints) and routes (the waymarked ones). pois and routes are read \
      from the databases beside DB. A GeoPackage holds all layers, with spatial indexes and QGIS \
      styles; GeoJSON and CSV hold one. docs/gis.md lists the columns. Unknown and impassable are \
      null.
      """,
    positionals: [.init("DB", help: "a routing database, or the folder of a bundle")],
    options: [
      .option(
        "format", "FORMAT",
        help: "gpkg (default), geojsonl (one feature a line) or csv (geometry as well-known text)"),
      .option(
        "layer", "LIST",
        help: "layers separated by commas (default: all for gpkg, edges for the others)"),
      .option("output", "FILE", help: "file to write; required for gpkg, otherwise default stdout"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
    ],
    examples: [
      "cairn export valley.routing.db -o valley.gpkg",
      "cairn export build/sample/valley-west --format csv --layer pois",
      "cairn export valley.routing.db --format geojsonl --output edges.geojsonl",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let format =
      try arguments.choice("format", of: ["gpkg"] + LayerText.allCases.map(\.rawValue)) ?? "gpkg"
    let names = try layers(arguments, isPackage: format == "gpkg")
    let databases = try DatabaseChoice(arguments.positionals.prefix(1))
    guard databases.paths.count == 1 else {
      throw CairnError(
        .usage, .usage, "an output folder has several regions",
        hint: "give the folder of one, such as \(splitPath(databases.paths[0]).folder)")
    }
    let path = databases.paths[0]
    let package = format == "gpkg" ? try packageFile(arguments) : nil
    let said: [String] = try withStore(databases) { store in
      let region = try RegionLayers(
        names, store, path: path, waypoints: fileBeside(path, ".waypoints.db"),
        places: placesBeside(path))
      if let package { return region.missing + (try region.write(package: package)) }
      guard let layer = region.layers.first else {
        throw CairnError("no-layer", .noInput, region.missing[0], at: Location(file: path))
      }
      let count = try write(layer, format, to: arguments.outputFile)
      return arguments.outputFile == nil ? [] : ["\(layer.name): \(grouped(count)) features"]
    }
    if !arguments.has("quiet") { for line in said { Console.note(line) } }
    return .success
  }

  private static func layers(_ arguments: Arguments, isPackage: Bool) throws(CairnError) -> [String]
  {
    guard let list = arguments.value("layer") else {
      return isPackage ? RegionLayers.names : ["edges"]
    }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if let unknown = names.first(where: { !RegionLayers.names.contains($0) }) {
      throw CairnError(
        .usage, .usage, "--layer: “\(printable(unknown))” is not a layer",
        hint: "the layers are \(RegionLayers.names.joined(separator: ", "))")
    }
    guard isPackage || names.count == 1 else {
      throw CairnError(.usage, .usage, "--layer: this format holds one layer", hint: "choose one")
    }
    return RegionLayers.names.filter(names.contains)
  }

  private static func packageFile(_ arguments: Arguments) throws(CairnError) -> String {
    guard let output = arguments.outputFile else {
      throw CairnError(.usage, .usage, "--output is required for a GeoPackage")
    }
    guard !AtomicOutput.isStream(output) else {
      throw CairnError(
        .usage, .usage, "a GeoPackage cannot be written to a pipe", at: Location(file: output))
    }
    return output
  }

  private static func write(_ layer: FeatureLayer, _ format: String, to output: String?) throws
    -> Int
  {
    guard let format = LayerText(rawValue: format) else { return 0 }
    guard let output else {
      return try format.write(layer) { bytes throws(CairnError) in
        try Console.write(String(decoding: bytes, as: UTF8.self))
      }
    }
    // Neither has a signature, so an existing file stays.
    let file = try AtomicOutput(output) { _ in false }
    let count = try format.write(layer) { bytes throws(CairnError) in try file.write(bytes) }
    try file.commit()
    return count
  }
}
