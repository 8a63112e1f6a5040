// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import Elevation
import FoundationEssentials
import SystemIO

/// The regions of a run, and the data and rules for making them.
///
/// Paths can be opened as they are; in the file they are relative to its folder.
package struct Manifest: Equatable, Sendable {
  /// A file of changes, or a folder of them.
  package struct Changes: Equatable, Sendable {
    /// The file or folder.
    package var path: String
    /// Its location in the manifest.
    package var location: Location
  }

  /// A source of OpenStreetMap data: a file, a URL, or an Overpass API that is queried for each
  /// region.
  package struct Source: Equatable, Sendable {
    /// The format of the data.
    package enum Format: String, Equatable, Sendable, CaseIterable {
      /// Protocol buffers, `.osm.pbf`.
      case pbf
      /// OSM or Overpass XML, plain or gzip.
      case overpass
    }

    /// The kind of its path.
    package enum Origin: Equatable, Sendable {
      /// A file.
      case file
      /// A URL from which the data is downloaded.
      case url
      /// The URL of an Overpass API, whose answers are used for this many seconds.
      case overpassAPI(maxAgeSeconds: Int)
    }

    /// Its name, used by regions.
    package var name: String
    /// Its format.
    package var format: Format
    /// The file, or the URL from which it is downloaded.
    package var path: String
    /// The kind of the path.
    package var origin = Origin.file
    /// The SHA-256 that a download must have, in lower-case hexadecimal digits; nil for a local
    /// file, and while the URL's content is unknown.
    package var sha256: String?
    /// The URL of the file's MD5 sum, if it is to be compared.
    package var md5URL: String?
    /// Whether the digest comes from the lock file, and not from the manifest.
    package var isLocked = false
    /// The reason why the URL's content is unknown.
    package var obstacle: CairnError?
    /// The most bytes that are downloaded.
    package var maximumBytes = Self.defaultMaximumBytes
    /// Files of changes and folders of them, which are applied to the data in this order.
    package var changes: [Changes] = []
    /// The tiles of its regions instead of the manifest's; none if it is empty.
    package var elevation: [ElevationFolder]?
    /// The location of the file or the URL in the manifest.
    package var location: Location

    /// Whether the file must be downloaded.
    package var isRemote: Bool { origin != .file }
    /// Whether the data is the answer to a query.
    package var isAnswer: Bool { origin != .file && origin != .url }
    /// Whether the content of the URL changes over time.
    package var isMoving: Bool { isRemote && (sha256 == nil || isLocked) }
  }

  /// A folder of HGT tiles, or rasters that such tiles are made of.
  package struct ElevationFolder: Equatable, Sendable {
    /// The folder; for downloaded tiles, the one with the folders of the regions; for rasters,
    /// their path, with the wildcards `*` and `?`.
    package var path: String
    /// The URL pattern of downloaded tiles; nil if they are in the folder.
    package var pattern: TilePattern?
    /// The finest resolution made from rasters, see `SampleElevationCommand.resolutions`; nil for
    /// HGT tiles.
    package var resolution: String?
    /// The name of the preset, if any.
    package var preset: String?
    /// The licence of the elevations, if stated in the manifest.
    package var licence: String?
    /// The attribution for derived data, if stated in the manifest.
    package var attribution: String?
    /// Its location in the manifest.
    package var location: Location

    /// The folder with the tiles of a region.
    package func path(for region: Region) -> String {
      pattern == nil ? path : joinPath(path, region.id)
    }

    /// Whether tiles must be made from it.
    package var hasRasters: Bool { resolution != nil }

    /// Its published name, without parent folders.
    package var name: String {
      if let preset { return preset }
      let (folder, name) = splitPath(path)
      return hasRasters && pattern == nil && isPattern(name) ? splitPath(folder).name : name
    }
  }

  /// A tile made from rasters.
  package struct RasterTile: Equatable, Sendable {
    /// The square degree.
    package var tile: ElevationTileID
    /// The rasters that may cover part of it, each with all of its files.
    package var rasters: [[String]]

    package init(tile: ElevationTileID, rasters: [[String]]) {
      (self.tile, self.rasters) = (tile, rasters)
    }

    /// Its name, such as `N42E001`.
    package var name: String { tile.description }

    /// Whether it shares a side or a corner with another one.
    package func isBeside(_ other: RasterTile) -> Bool { tile.isBeside(other.tile) }
  }

  /// The options for cleaning elevations. Nil leaves the choice to `cairn-sample-elevation`.
  package struct ElevationOptions: Equatable, Sendable {
    /// See `ElevationCleaning.smoothingMetres`.
    package var smoothingMetres: Double?
    /// See `ElevationCleaning.thresholdMetres`.
    package var thresholdMetres: Double?
    /// See `ElevationCleaning.stepMetres`.
    package var stepMetres: Double?

    /// Makes a set of options, by default none.
    package init(
      smoothingMetres: Double? = nil, thresholdMetres: Double? = nil, stepMetres: Double? = nil
    ) {
      self.smoothingMetres = smoothingMetres
      self.thresholdMetres = thresholdMetres
      self.stepMetres = stepMetres
    }
  }

  /// A cost profile.
  package struct Profile: Equatable, Sendable {
    /// The source of its numbers.
    package enum Kind: Equatable, Sendable {
      /// A built-in profile of this name.
      case builtIn(String)
      /// A profile file.
      case file(String)
    }

    /// The source of its numbers.
    package var kind: Kind
    /// Its location in the manifest.
    package var location: Location
  }

  /// A second database of a region, with other profiles.
  package struct Variant: Equatable, Sendable {
    /// Its name: lower-case letters, digits and hyphens.
    package var name: String
    /// Its profiles; the first one fills the database's own cost columns. At least one.
    package var profiles: [Profile]

    package init(name: String, profiles: [Profile]) {
      self.name = name
      self.profiles = profiles
    }

    /// The name of the database in the bundle of a region.
    package func databaseName(stem: String) -> String { "\(stem).\(name).routing.db" }
  }

  /// The checks that a region's database must pass to be published. Nil disables a check.
  package struct Checks: Equatable, Sendable {
    /// The least number of edges.
    package var minEdges: Int?
    /// The least share of nodes with an elevation, 0…1, without nodes that only ferries touch.
    package var elevationCoverage: Double?
    /// The allowed change in the number of edges since the last published one, as a share.
    package var maxDrift: Double?
    /// Their locations, as far as they are in the manifest. Locations do not affect equality.
    package var locations: [Name: Location] = [:]

    package init(
      minEdges: Int? = nil, elevationCoverage: Double? = nil, maxDrift: Double? = nil,
      locations: [Name: Location] = [:]
    ) {
      self.minEdges = minEdges
      self.elevationCoverage = elevationCoverage
      self.maxDrift = maxDrift
      self.locations = locations
    }

    /// The least share for a region with elevations whose manifest does not say another one.
    package static let standardCoverage = 0.9

    /// The name of a check in manifests.
    package enum Name: String, CaseIterable, Sendable {
      case minEdges = "min-edges"
      case elevationCoverage = "elevation-coverage"
      case maxDrift = "max-drift"

      /// How an objection by this check begins.
      package var head: String { "check \(rawValue): " }
    }

    /// Makes a set of checks, by default none.
    package init(minEdges: Int? = nil, elevationCoverage: Double? = nil, maxDrift: Double? = nil) {
      self.minEdges = minEdges
      self.elevationCoverage = elevationCoverage
      self.maxDrift = maxDrift
    }

    /// Whether two sets check the same.
    package static func == (one: Checks, other: Checks) -> Bool {
      one.minEdges == other.minEdges && one.elevationCoverage == other.elevationCoverage
        && one.maxDrift == other.maxDrift
    }
  }

  /// The area cut out of a source.
  package enum Shape: Equatable, Sendable {
    /// A box.
    case box(BoundingBox)
    /// The areas of a GeoJSON or `.poly` file, all of them together.
    case polygon(path: String)
    /// One feature of a GeoJSON file, counted from 1.
    case feature(path: String, number: Int)

    /// The file with the shape, if any.
    package var path: String? {
      switch self {
      case .box: nil
      case .polygon(let path), .feature(let path, _): path
      }
    }
  }

  /// The resources of a stage. Nil leaves the choice to the scheduler.
  package struct Resources: Equatable, Sendable {
    /// Worker threads, at least 1.
    package var threads: Int?
    /// Memory reserved for it, in MiB, at least 1.
    package var memoryMiB: Int?
    /// The time limit in seconds of wall clock, more than 0.
    package var timeSeconds: Double?

    /// Describes the resources of a stage, by default unspecified.
    package init(threads: Int? = nil, memoryMiB: Int? = nil, timeSeconds: Double? = nil) {
      self.threads = threads
      self.memoryMiB = memoryMiB
      self.timeSeconds = timeSeconds
    }

    /// These resources, with nil values filled from `others`.
    package func filled(from others: Resources) -> Resources {
      Resources(
        threads: threads ?? others.threads, memoryMiB: memoryMiB ?? others.memoryMiB,
        timeSeconds: timeSeconds ?? others.timeSeconds)
    }
  }

  /// A custom stage, run for each region.
  package struct CustomStage: Equatable, Sendable {
    /// A file that it reads in addition to the result of the previous stage.
    package struct Input: Equatable, Sendable {
      /// Its name, with the placeholder `{NAME}` in the command.
      package var name: String
      /// The file.
      package var path: String
      /// Its location in the manifest.
      package var location: Location
    }

    /// Its name: lower-case letters, digits and hyphens, different from those of the built-in
    /// stages.
    package var name: String
    /// The program and its arguments, with placeholders such as `{input}`.
    package var command: [String]
    /// The stage whose result is its `{input}`: a built-in one or one listed before it.
    package var after: String
    /// Further files that it reads.
    package var inputs: [Input]
    /// The names of its output files for the bundle, at least one.
    package var outputs: [String]
    /// The location of its program in the manifest.
    package var location: Location
  }

  /// A base map that was made elsewhere.
  package struct BaseMapFile: Equatable, Sendable {
    /// The `.mbtiles` file.
    package var path: String
    /// Its location in the manifest.
    package var location: Location
  }

  /// A region, which becomes one bundle.
  package struct Region: Equatable, Sendable {
    /// Its name in paths: lower-case letters, digits and hyphens.
    package var id: String
    /// Its UUID for apps; nil for one derived from its id.
    package var uuid: UUID?
    /// Its display name.
    package var name: String
    /// The name of its source.
    package var source: String
    /// Its area.
    package var shape: Shape
    /// The profiles of its database; nil for the manifest's.
    package var profiles: [Profile]?
    /// Its further databases.
    package var variants: [Variant] = []
    /// The day for which seasonal and conditional access is evaluated; nil for the day of the data.
    package var date: CalendarDate?
    /// Its checks, filled from the defaults.
    package var checks: Checks
    /// The length in kilometres below which a part of its network counts as an island; nil for the
    /// stage's default.
    package var islandThresholdKilometres: Double?
    /// The base map of its bundle; nil for none.
    package var baseMap: BaseMapFile?
    /// Its tiles instead of those of its source and of the manifest; none if it is empty.
    package var elevation: [ElevationFolder]?
    /// Whether its bundle has a routing database, with its variants.
    package var hasRouting = true
    /// The location of its shape in the manifest.
    package var location: Location
  }

  /// The supported version of the manifest's format.
  package static let version = 1

  /// The manifest's file as the user named it.
  package var path: String
  /// The name of the set of regions.
  package var name: String
  /// The folder for the bundles.
  package var output: String
  /// Sources by name.
  package var sources: [String: Source]
  /// The default folders of tiles for sources and regions, preferred first; empty to build without
  /// elevations.
  package var elevation: [ElevationFolder]
  /// Whether the manifest explicitly states that there is no elevation.
  package var isWithoutElevation = false
  /// The tiles made from the rasters of regions, by their ids, for each of their folders; known
  /// when a run begins.
  package var rasterTiles: [String: [[RasterTile]]] = [:]
  /// The version of GDAL that makes them.
  package var gdalVersion: String?
  /// The reasons why regions lack their tiles, by their ids.
  package var tileObstacles: [String: CairnError] = [:]
  /// How their elevations are cleaned.
  package var elevationOptions = ElevationOptions()
  /// Profiles; the first one fills the database's own cost columns. At least one.
  package var profiles: [Profile]
  /// Regions in the order of the file, then those of `regions-from`; at least one.
  package var regions: [Region]
  /// The prefix of the names of a bundle's databases.
  package enum BundleNames: String, Equatable, Sendable, CaseIterable {
    /// The id of the region: `valley.routing.db`.
    case id
    /// Its UUID in capitals, as apps look for it.
    case uuid
  }

  /// The prefix of the names of a bundle's databases.
  package var bundleNames = BundleNames.id
  /// The archives of map tiles of bundles.
  package struct Tiles: Equatable, Sendable {
    /// The archives, in the order of the file.
    package var layers: [TileLayer] = []
    /// The zooms of their tiles; nil for the stage's default.
    package var zooms: ClosedRange<Int>?
  }

  /// The values of `highway` whose ways are kept, sorted; nil for all routable ones.
  package var routableHighways: [String]?
  /// Whether bundles have `REGION.waypoints.db`.
  package var hasWaypoints = true
  /// Whether bundles have `REGION.places.db`, which search needs.
  package var hasSearch = true
  /// The archives of map tiles of bundles.
  package var tiles = Tiles()
  /// The user's own stages, in the order of the file.
  package var stages: [CustomStage] = []
  /// The resources of stages by name, and those of all others under ``anyStage``.
  package var resources: [String: Resources] = [:]
  /// How often a stage that failed for a temporary reason is run again.
  package var retries = Manifest.defaultRetries
  /// The number of earlier bundles of each region from which deltas are made.
  package var deltasKept = 0
  /// The file with the findings of `cairn lint` to ignore.
  package var lintIgnore: String?

  /// The default number of retries of a stage.
  package static let defaultRetries = 1
  /// The key of ``resources`` for stages without their own.
  static let anyStage = "default"

  /// The UUID of a region for apps.
  package func uuid(of region: Region) -> UUID {
    region.uuid ?? regionUUID(region.id, manifest: name)
  }

  /// The prefix of the names of the databases of a region's bundle.
  package func databaseStem(of region: Region) -> String {
    switch bundleNames {
    case .id: region.id
    case .uuid: uuid(of: region).uuidString
    }
  }

  /// The profiles of a region's database.
  package func profiles(of region: Region) -> [Profile] { region.profiles ?? profiles }

  /// The manifest's profiles, and those that regions use instead or in variants.
  func allProfiles(of regions: [Region]) -> [[Profile]] {
    var sets = [profiles]
    for region in regions {
      for set in [profiles(of: region)] + region.variants.map(\.profiles) where !sets.contains(set)
      {
        sets.append(set)
      }
    }
    return sets
  }

  /// The folders of the tiles of a region, preferred first; empty to build it without elevations.
  package func elevation(of region: Region) -> [ElevationFolder] {
    region.elevation ?? sources[region.source]?.elevation ?? elevation
  }

  /// Whether the manifest specifies a region's elevations, or that it has none.
  package func saysElevation(of region: Region) -> Bool {
    isWithoutElevation || !elevation.isEmpty || region.elevation != nil
      || sources[region.source]?.elevation != nil
  }

  /// The folders of tiles of all regions, or of some, each once.
  package func elevationFolders(of chosen: [Region]? = nil) -> [ElevationFolder] {
    var folders: [ElevationFolder] = []
    for folder in (chosen ?? regions).flatMap(elevation) where !folders.contains(folder) {
      folders.append(folder)
    }
    return folders
  }

  /// The resources of a stage in the manifest.
  package func resources(ofStage name: String) -> Resources {
    let common = resources[Self.anyStage] ?? Resources()
    return resources[name]?.filled(from: common) ?? common
  }
}
