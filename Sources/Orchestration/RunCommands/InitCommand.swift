// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import SystemIO

/// `cairn init DIR`: writes a manifest to begin with.
package struct InitCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn init",
    summary: "write a commented manifest to begin with",
    discussion: """
      Makes the folder and writes cairn.yaml and profiles/easy.yaml into it. If one of them \
      exists, nothing is written.
      """,
    positionals: [.init("DIR", help: "the folder to make")],
    examples: ["cairn init alps"])

  /// Writes the files.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals.first ?? "."
    let files = [("cairn.yaml", Starter.manifest), ("profiles/easy.yaml", Starter.profile)]
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
    let manifest = printable(joinPath(folder, "cairn.yaml"))
    try Console.write(
      """
      Wrote \(manifest). Next:
        put an extract at data/andorra.osm.pbf and tiles into data/hgt, beside it
        cairn manifest check \(manifest)
        cairn doctor \(manifest)
        cairn run \(manifest)

      """)
    return .success
  }
}

/// What `cairn init` writes.
package enum Starter {
  package static let manifest = """
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
      andorra: { pbf: data/andorra.osm.pbf }
      # latest: { url: https://download.geofabrik.de/europe/andorra-latest.osm.pbf, md5: true }
      # fixed: { url: https://example.org/some.osm.pbf, sha256: … }
      # live: { overpass-api: https://overpass-api.de/api/interpreter, max-age: 12 h }
      # xml: { overpass: data/query.osm.gz }

    # Folders of HGT tiles such as N42E001.hgt, which may be .gz or .zip. Where the first one has
    # no elevation, the next one is used.
    elevation:
      sources: [{ hgt: data/hgt }]
      # How noise is removed before ascent and descent are added up. Finer tiles need less.
      # smoothing-metres: 60
      # threshold-metres: 5

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
      source: andorra
      # A region that fails one of these keeps its last published bundle.
      checks:
        min-edges: 100 # at least this many edges
        elevation-coverage: 0.95 # at least this share of nodes with an elevation
        max-drift: 0.2 # at most this change of lengths, costs, … from what is published
      # The day for which seasonal and conditional access is evaluated, if not that of the data.
      # date: 2026-07-15

    # One bundle each. bbox is west, south, east, north; polygon is a GeoJSON or .poly file.
    regions:
      - { id: andorra-north, name: Andorra North, bbox: [1.40, 42.55, 1.79, 42.66] }
      - { id: andorra-south, name: Andorra South, bbox: [1.40, 42.42, 1.79, 42.55] }
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

  static let profile = """
    # A cost profile of your own. What is not set here is as in the profile that it is based on.
    cairn-profile: 1
    name: easy
    based-on: trail-hiking

    # Costs are metres of flat good path: a metre of climb is worth so many of them.
    climb-factor: 12

    # Factors of the distance, or impassable.
    surfaces: { mud: 3 }
    sac-scale: { demanding_mountain_hiking: 3, alpine_hiking: impassable }

    # Durations are those of the base times this.
    time-factor: 1.2

    """
}
