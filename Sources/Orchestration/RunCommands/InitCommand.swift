// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Manifests
import SystemIO

/// `cairn init DIR`: writes a manifest to begin with.
package struct InitCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn init",
    summary: "write a commented manifest to start from",
    discussion: """
      Creates the folder and writes cairn.yaml and profiles/easy.yaml into it. If either exists, \
      writes nothing. With --region and --pbf, the manifest builds that region from your extract, \
      with the elevations of --elevation; otherwise it is an example for Andorra.
      """,
    positionals: [.init("DIR", help: "the folder to create")],
    options: [
      .option("region", "W,S,E,N", help: "the box of the region, in degrees"),
      .option("pbf", "FILE", help: "the extract to cut the region out of"),
      .option(
        "elevation", "SOURCE",
        help:
          "\(ElevationPreset.names.joined(separator: " or ")), downloaded; a folder of HGT tiles; "
          + "rasters such as 'dem/*.tif'; or none (default: the folder data/hgt)"),
    ],
    examples: [
      "cairn init alps",
      "cairn init andorra --region 1.40,42.42,1.79,42.66 --pbf andorra.osm.pbf \\",
      "    --elevation copernicus-30",
    ])

  /// Writes the files.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals.first ?? "."
    let starter = try starter(arguments, folder)
    let files = [(Manifest.usualName, starter.text), ("profiles/easy.yaml", Starter.profile)]
    for (name, _) in files where pathExists(joinPath(folder, name)) {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists already",
        at: Location(file: joinPath(folder, name)), hint: "choose another folder")
    }
    for (name, text) in files {
      let path = joinPath(folder, name)
      try makeFolders(splitPath(path).folder)
      // A file that was made in between is kept, too.
      try AtomicOutput.write(Array(text.utf8), to: path) { _ in false }
    }
    let manifest = printable(joinPath(folder, Manifest.usualName))
    let todo = starter.missing(in: folder).map { "\n  \($0)" } ?? ""
    try Console.write(
      """
      Wrote \(manifest). Next:\(todo)
        cairn manifest check \(manifest)
        cairn doctor \(manifest)
        cairn run \(manifest)

      """)
    return .success
  }

  private static func starter(_ arguments: Arguments, _ folder: String) throws(CairnError)
    -> Starter
  {
    var starter = Starter()
    if let text = arguments.value("region") {
      guard let box = BoundingBox(commandLine: text) else {
        throw arguments.usageError(
          "--region takes W,S,E,N in degrees, not “\(text)”",
          hint: BoundingBox.problem(commandLine: text))
      }
      starter.box = box
    }
    if let pbf = arguments.value("pbf") {
      guard starter.box != nil else {
        throw arguments.usageError("--pbf needs --region, the box to cut out of it")
      }
      starter.source = Starter.id(ofExtract: pbf)
      starter.extract = path(pbf, from: folder)
    }
    if let elevation = arguments.value("elevation") {
      let isWord = (["none"] + ElevationPreset.names).contains(elevation)
      let place = path(elevation, from: folder)
      let isFolder = folderExists(elevation)
      starter.elevation =
        isWord ? elevation : "[{ \(isFolder ? "hgt" : "raster"): \(Starter.quoted(place)) }]"
      starter.needsTiles = false
      let near = nearestWord(to: elevation, among: ElevationPreset.names)
      if !isWord, !isFolder, let near {
        throw arguments.usageError(
          "unknown elevation “\(elevation)”", hint: "did you mean \(near)?")
      }
    }
    return starter
  }

  /// A path of the command line, relative to a folder.
  private static func path(_ path: String, from folder: String) -> String {
    let steps = simplifiedPath(folder).split(separator: "/").filter { $0 != "." }
    if path.hasPrefix("/") || folder.hasPrefix("/") || steps.contains("..") {
      return simplifiedPath(absolutePath(path))
    }
    return String(repeating: "../", count: steps.count) + path
  }
}

/// The files written by `cairn init`.
package struct Starter {
  /// The box of the region; nil for two of Andorra.
  var box: BoundingBox?
  /// The name of the source.
  var source = "andorra"
  /// The extract.
  var extract = "data/andorra.osm.pbf"
  /// The value of `elevation: { sources: … }`, or `none`.
  var elevation = "[{ hgt: data/hgt }]"
  /// Whether elevation tiles must still be put into their folder.
  var needsTiles = true

  /// The manifest without further choices.
  package static let manifest = Starter().text

  /// A name for the region of an extract: `andorra` of `andorra-latest.osm.pbf`.
  static func id(ofExtract path: String) -> String {
    let name = splitPath(path).name.lowercased().prefix { $0 != "." }
    let stem = name.hasSuffix("-latest") ? name.dropLast(7) : name
    let words = stem.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let id = words.joined(separator: "-").prefix(64)
    return id.isEmpty ? "region" : String(id)
  }

  /// A text as a value of YAML.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || "._/-".contains(character))
    }
    if isPlain, !text.hasPrefix("-") { return text }
    return "\""
      + text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"")
      + "\""
  }

  /// The steps left before a run; nil if there are none.
  func missing(in folder: String) -> String? {
    let hasExtract = pathExists(joinPath(folder, extract))
    if hasExtract, !needsTiles { return nil }
    let extract = "an extract at \(printable(extract))"
    if !needsTiles { return "put \(extract)" }
    return hasExtract
      ? "put tiles into data/hgt, beside it" : "put \(extract) and tiles into data/hgt, beside it"
  }

  private var regions: String {
    guard let box else {
      return """
        - { id: andorra-north, name: Andorra North, bbox: [1.40, 42.55, 1.79, 42.66] }
          - { id: andorra-south, name: Andorra South, bbox: [1.40, 42.42, 1.79, 42.55] }
        """
    }
    let name = source.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
    let corners = box.listed
    return "- { id: \(source), name: \(Self.quoted(name)), bbox: [\(corners)] }"
  }

  private var elevationLines: String {
    if elevation == "none" { return "elevation: none" }
    return """
      elevation:
        sources: \(elevation)
        # Removes noise before ascent and descent are added up. Finer tiles need less.
        # smoothing-metres: 60
        # threshold-metres: 5
      """
  }

  private var coverage: String {
    elevation == "none"
      ? "" : "\n    elevation-coverage: 0.95 # at least this share of nodes with an elevation"
  }

  /// The manifest.
  var text: String {
    """
    # What cairn makes of this file: for each region a folder OUTPUT/REGION with a database for
    # routing on foot and by bicycle.
    #
    #   cairn manifest check cairn.yaml    is it valid?
    #   cairn run cairn.yaml               build what is missing or out of date
    #   cairn status cairn.yaml            what is published, and how old is it?
    #
    # Paths are relative to this file. For help while you write, let your editor know the format:
    #   cairn manifest schema > cairn.schema.json
    # yaml-language-server: $schema=cairn.schema.json
    cairn: 1
    name: my-regions
    output: build

    # OpenStreetMap data, by names of your choice. Extracts of countries are at
    # https://download.geofabrik.de. Instead of a file you can name a URL: with its sha256, which
    # cairn fetch --url URL --output FILE prints, it is downloaded once, and without it whenever it
    # has changed. An Overpass API is asked for each region, which suits small ones.
    sources:
      \(source): { pbf: \(Self.quoted(extract)) }
      # latest: { url: https://download.geofabrik.de/europe/andorra-latest.osm.pbf, md5: true }
      # fixed: { url: https://example.org/some.osm.pbf, sha256: … }
      # live: { overpass-api: https://overpass-api.de/api/interpreter, max-age: 12 h }
      # xml: { overpass: data/query.osm.gz }

    # Where elevations come from, the preferred source first: folders of HGT tiles such as
    # N42E001.hgt, which may be .gz or .zip; rasters that GDAL reads, such as GeoTIFFs of a national
    # model; or a published model, which is downloaded.
    #   sources: [{ hgt: data/hgt }]
    #   sources: [{ raster: dem/*.tif, resolution: 10 m }, { preset: copernicus-30 }]
    #   sources: copernicus-30
    \(elevationLines)

    # Cost profiles: built-in ones, which cairn profiles lists, and files of your own. The first
    # one fills the columns cost and reverse_cost.
    profiles: [trail-hiking, bike-touring, profiles/easy.yaml]

    # Beside the routing database a bundle has places as waypoints, and the database for search.
    # waypoints: false
    # search: false
    # Map tiles: vector tiles of trails, and pictures of the terrain.
    tiles: [trails]
    # tiles: [trails, hillshade, slopes, terrain-rgb]

    defaults:
      source: \(source)
      # A region that fails one of these keeps its last published bundle.
      checks:
        min-edges: 100 # at least this many edges\(coverage)
        max-drift: 0.2 # at most this change of lengths, costs, … from what is published
      # The day for seasonal and conditional access (default: the day of the data).
      # date: 2026-07-15

    # One bundle each. bbox is west, south, east, north; polygon is a GeoJSON or .poly file.
    regions:
      \(regions)
      # - { id: coma-pedrosa, name: Coma Pedrosa, polygon: coma-pedrosa.geojson }

    # Further regions, one for each feature of a GeoJSON file; id and name are its properties.
    # regions-from: { file: parks.geojson, id: code, name: title }

    # Stages of your own, done for each region; what they write is added to the bundle.
    # stages:
    #   - name: contours
    #     command: [./contours.sh, "{input}", "{style}", "{output}"]
    #     after: sample-elevation
    #     inputs: { style: contours.json }
    #     outputs: ["{region}.contours.geojson"]

    # What stages may use, and how often one that failed for a temporary reason is run again.
    # resources:
    #   default: { threads: 4, time: 2 h }
    #   decode-pbf: { memory: 8 GiB }
    # retries: 1

    """
  }

  static let profile = """
    # A cost profile of your own. What is not set here is as in the profile that it is based on.
    cairn-profile: 1
    name: easy
    based-on: trail-hiking

    # Costs are metres of flat good path; a metre of climb costs this many.
    climb-factor: 12

    # Factors of the distance, or impassable.
    surfaces: { mud: 3 }
    sac-scale: { demanding_mountain_hiking: 3, alpine_hiking: impassable }

    # Factor of the durations of the base profile.
    time-factor: 1.2

    """
}
