// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnFormatting
import CairnTagRules
import CommandLineKit
import CostModel
import Elevation
import StrictYAML
import Tiles

/// The format of manifests, used by ``ManifestReader`` and editors.
package enum ManifestForm {
  private static let id = "^[a-z0-9][a-z0-9-]{0,63}$"
  private static let size = "^[0-9.]+ *(kB|KiB|MB|MiB|GB|GiB)$"
  private static let time = "^[0-9.]+ *(s|min|h|d)$"

  package static let checks = MappingForm(keys: [
    .init(
      Manifest.Checks.Name.minEdges.rawValue, .integer(0...Int.max), "the least number of edges"),
    .init(
      Manifest.Checks.Name.elevationCoverage.rawValue, .range(0...1),
      "the least share of nodes with an elevation, from 0 to 1, without those that only ferries "
        + "touch (default \(Manifest.Checks.standardCoverage) with elevation; 0 for no check)"),
    .init(
      Manifest.Checks.Name.maxDrift.rawValue, .number(atLeast: 0),
      "the share by which counts, lengths and costs may differ from what is published"),
  ])

  private static let ownElevation = MappingForm.Key(
    "elevation",
    .either([.list(.mapping(tiles), atLeast: 1), .choice(["none"] + ElevationPreset.names)]),
    "its elevations, instead of those of the manifest, or none")

  package static let source = MappingForm(
    keys: [
      .init("pbf", .text(), "a file in the PBF format, .osm.pbf"),
      .init("overpass", .text(), "a file of OSM or Overpass XML, plain or gzip"),
      .init(
        "url", .text(pattern: "^(https?|file)://[!-~]+$"),
        "the URL to download from: once with a sha256, otherwise whenever the file has changed"),
      .init("sha256", .text(pattern: "^[0-9A-Fa-f]{64}$"), "the digest of the file at the url"),
      .init(
        "md5", .either([.boolean, .text(pattern: "^(https?|file)://[!-~]+$")]),
        "the URL of the file's MD5 sum, or true for url plus .md5"),
      .init(
        "format", .choice(Manifest.Source.Format.allCases.map(\.rawValue)),
        "the format of the data at the url, if not clear from its name"),
      .init("max-size", .text(pattern: size), "the largest accepted download (default 200 GB)"),
      .init(
        "overpass-api", .text(pattern: "^https?://[!-~]+$"),
        "the interpreter of an Overpass API, queried for the box of each region"),
      .init(
        "max-age", .text(pattern: time),
        "how long to use an answer of the overpass-api before asking again (default 12 h)"),
      .init(
        "changes", .either([.text(), .list(.text())]),
        "change files, .osc or .osc.gz, or folders of them, to apply to PBF data"),
      ownElevation,
    ], alternatives: [["pbf"], ["overpass"], ["url"], ["overpass-api"]],
    needs: [
      "sha256": ["url"], "md5": ["url"], "format": ["url"], "max-size": ["url"],
      "max-age": ["overpass-api"],
    ])

  package static let tiles = MappingForm(
    keys: [
      .init("hgt", .text(), "a folder of HGT tiles, which may be .gz or .zip"),
      .init(
        "url",
        .text(
          pattern: "^(https?|file)://[!-~]*([{]tile[}][.]hgt([.](gz|zip))?"
            + "|[{](tile|lon-band)[}][!-~]*[.]tiff?)([?#][!-~]*)?$"),
        "the URL of tiles, HGT or GeoTIFF, with {tile} for names such as N42E001"),
      .init(
        "raster", .text(),
        "rasters of any format and projection that GDAL reads, such as dem/*.tif, to make tiles "
          + "from"),
      .init("preset", .choice(ElevationPreset.names), "a published model, which is downloaded"),
      .init(
        "mirror", .text(pattern: "^(https?|file)://[!-~]+$"),
        "another server with the files of the preset under the same paths"),
      .init(
        "resolution", .choice(Self.resolutions),
        "the least spacing of elevations taken from rasters; coarser ones keep theirs "
          + "(default \(SampleElevationCommand.standardResolution))"),
      .init("licence", .text(), "the licence of these elevations"),
      .init("attribution", .text(), "the attribution to show with products of these elevations"),
    ], alternatives: [["hgt"], ["url"], ["raster"], ["preset"]], needs: ["mirror": ["preset"]])

  static let resolutions = SampleElevationCommand.resolutions.keys.sorted()

  package static let elevation = MappingForm(keys: [
    .init(
      "sources", .either([.list(.mapping(tiles), atLeast: 1), .choice(ElevationPreset.names)]),
      required: true,
      "where elevations come from, in order of preference"),
    .init(
      "smoothing-metres", .range(ElevationCleaning.range),
      "the distance to either side over which to average elevations; 0 for none"),
    .init(
      "threshold-metres", .range(ElevationCleaning.range),
      "the least rise or fall that counts; 0 for all"),
    .init(
      "step-metres", .range(ElevationCleaning.stepRange),
      "the longest distance between two samples"),
  ])

  private static let date = MappingForm.Key(
    "date", .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    "the day for which to evaluate seasonal and conditional access (default: the day of the data)")
  private static let profileList = MappingForm.Key(
    "profiles", .list(.text(), atLeast: 1),
    "the profiles of the database, instead of those of the manifest")
  package static let variant = MappingForm(keys: [
    .init("name", .text(pattern: id), required: true, "its name, part of the database name"),
    .init("profiles", .list(.text(), atLeast: 1), required: true, "its profiles"),
  ])
  private static let variants = MappingForm.Key(
    "variants", .list(.mapping(variant)),
    "further databases in the bundle, ID.NAME.routing.db, each with its own profiles")
  private static let islands = MappingForm.Key(
    "island-threshold-km", .range(0...1_000_000),
    "the total length below which a disconnected part counts as an island")

  private static let routing = MappingForm.Key(
    "routing", .boolean,
    "whether the bundle has a routing database (default true); without it, the bundle has only map "
      + "tiles, waypoints and search")
  private static let baseMap = MappingForm.Key(
    "base-map", .text(),
    "an .mbtiles file for the bundle, checked against the region; {region} is the id")

  package static let region = MappingForm(
    keys: [
      .init("id", .text(pattern: id), required: true, "its name in paths"),
      .init("name", .text(), required: true, "its display name"),
      .init(
        "uuid", .text(),
        "the UUID for apps (default: derived from the names of manifest and "
          + "region)"),
      .init("source", .text(), "the name of its source (default: the one in defaults)"),
      .init(
        "bbox", .list(.range(-180...180), atLeast: 4, atMost: 4),
        "west, south, east, north in degrees; where west is greater than east, it crosses the "
          + "antimeridian"),
      .init(
        "wraps", .boolean,
        "true to allow a bbox across the antimeridian wider than 180° (default false)"
      ),
      .init("polygon", .text(), "a GeoJSON or .poly file; the region is all its areas"),
      profileList,
      variants,
      date,
      .init("checks", .mapping(checks), "its checks, which override those in defaults"),
      islands,
      routing,
      baseMap,
      ownElevation,
    ], alternatives: [["bbox"], ["polygon"]], needs: ["wraps": ["bbox"]])

  static let regionsFrom = MappingForm(keys: [
    .init("file", .text(), required: true, "a GeoJSON FeatureCollection; each feature is a region"),
    .init("id", .text(), "the property with a region's id (default id)"),
    .init("name", .text(), "the property with its name (default name)"),
    .init("source", .text(), "the name of their source (default: the one in defaults)"),
    profileList,
    variants,
    date,
    .init("checks", .mapping(checks), "their checks, which override those in defaults"),
    islands,
    routing,
    baseMap,
    ownElevation,
  ])

  package static let stage = MappingForm(keys: [
    .init("name", .text(pattern: id), required: true, "its name in messages and folders"),
    .init(
      "command", .list(.text(), atLeast: 1), required: true,
      "a program and its arguments, with {\(Manifest.CustomStage.placeholders.joined(separator: "}, {"))} "
        + "and the names of inputs; write {{ for a brace"),
    .init(
      "after", .text(), required: true,
      "the stage whose result is {input}: one of "
        + Stage.regionalNames.joined(separator: ", ")
        + " or one listed before it"),
    .init(
      "inputs", .table(.text(), keys: id),
      "further files that it reads, with names of your "
        + "choice"),
    .init(
      "outputs", .list(.text(), atLeast: 1), required: true,
      "names of the files that it writes, to add to the bundle; {region} is the id"),
  ])

  package static let resources = MappingForm(keys: [
    .init("threads", .integer(1...256), "worker threads"),
    .init(
      "memory", .either([.integer(1...1 << 30), .text(pattern: size)]),
      "memory for it to stay within, such as 2 GiB, or a number of MiB"),
    .init(
      "time", .text(pattern: time),
      "time after which it is stopped, such as 30 min"),
  ])

  /// The form of `resources` in a manifest with certain stages.
  static func resources(of stages: [String]) -> MappingForm {
    MappingForm(keys: stages.map { .init($0, .mapping(resources), "what \($0) may use") })
  }

  package static let bundle = MappingForm(keys: [
    .init(
      "names", .choice(Manifest.BundleNames.allCases.map(\.rawValue)),
      "prefix of database names: the region's id or its UUID (default id)")
  ])

  private static let tileKinds = MappingForm.Value.list(
    .choice(TileLayer.Kind.allCases.map(\.rawValue)))
  static let mapTiles = MappingForm(keys: [
    .init("kinds", tileKinds, required: true, "the kinds of tiles, each in its own archive"),
    .init(
      "format", .choice(TileArchiveFormat.allCases.map(\.rawValue)),
      "the format of the archives (default mbtiles)"),
    .init(
      "zooms", .list(.integer(Manifest.Tiles.possibleZooms), atLeast: 2, atMost: 2),
      "the first and the last zoom (default 8 and 14)"),
  ])

  package static let defaults = MappingForm(keys: [
    .init("source", .text(), "the source of regions without one"),
    profileList,
    variants,
    date,
    .init("checks", .mapping(checks), "the checks that a region must pass to be published"),
    islands,
    routing,
    baseMap,
  ])

  package static let deltas = MappingForm(keys: [
    .init(
      "keep", .integer(0...100), required: true,
      "number of earlier bundles per region to make deltas from; these bundles are kept")
  ])

  /// The whole manifest.
  package static let manifest = MappingForm(
    keys: [
      .init("cairn", .integer(Manifest.version...Manifest.version), required: true, "the version"),
      .init("name", .text(), required: true, "the name of the set of regions"),
      .init("output", .text(), required: true, "the folder for the bundles"),
      .init(
        "sources", .table(.mapping(source)), required: true,
        "OpenStreetMap data, with names of your choice"),
      .init(
        "elevation",
        .either([
          .list(.mapping(tiles), atLeast: 1), .mapping(elevation),
          .choice(["none"] + ElevationPreset.names),
        ]),
        "elevation sources in order of preference, a mapping that also sets how to clean them, a "
          + "preset, or none"),
      .init(
        "profiles", .list(.text(), atLeast: 1),
        "cost profiles: \(CostProfile.builtIn.map(\.name).joined(separator: ", ")) or paths "
          + "of profile files; the first one fills the database's own cost columns (default: "
          + "\(listed(CostProfile.defaults.map(\.name))))"),
      .init(
        "routable-highways",
        .list(.choice(TagSelection.routableHighways.sorted()), atLeast: 1),
        "the values of highway to keep (default: all that can be walked or ridden on)"),
      .init("defaults", .mapping(defaults), "defaults for all regions"),
      .init("regions", .list(.mapping(region)), "the regions, one bundle each"),
      .init(
        "regions-from", .either([.text(), .mapping(regionsFrom)]),
        "further regions: the features of a GeoJSON file"),
      .init("bundle", .mapping(bundle), "the layout of bundles"),
      .init(
        "waypoints", .boolean,
        "whether bundles have peaks, huts, springs and other places as waypoints (default true)"),
      .init(
        "search", .boolean, "whether bundles have the database for offline search (default true)"),
      .init(
        "tiles", .either([tileKinds, .mapping(mapTiles)]),
        "the map tiles in bundles: a list of kinds, or a mapping that also sets format and zooms "
          + "(default none)"),
      .init("deltas", .mapping(deltas), "the deltas to published bundles, for cairn publish"),
      .init(
        "lint-ignore", .text(),
        "a file of cairn lint findings to ignore, one id a line"),
      .init("stages", .list(.mapping(stage)), "your own stages, run for each region"),
      .init(
        "resources", .table(.mapping(resources)),
        "resources of stages, by name; \(Manifest.anyStage) is for all others"),
      .init(
        "retries", .integer(0...10),
        "how often to retry a stage that failed for a temporary reason (default "
          + "\(Manifest.defaultRetries))"),
    ], alternatives: [["regions"], ["regions-from"]], isOne: false)

  /// The JSON Schema (draft 2020-12) of manifests, for editors.
  package static var schema: JSONValue {
    manifest.schema(
      "Cairn manifest", "The regions that cairn run builds, with their data and rules")
  }
}
