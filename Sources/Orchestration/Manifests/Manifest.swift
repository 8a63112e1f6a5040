// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import Elevation
import FoundationEssentials
import SystemIO

/// The regions that a run makes, and the data and rules to make them from.
///
/// Paths can be opened as they are: those in the file were relative to its folder.
package struct Manifest: Equatable, Sendable {
  /// A file of changes, or a folder of them.
  package struct Changes: Equatable, Sendable {
    /// The file or folder.
    package var path: String
    /// Where the manifest names it.
    package var location: Location
  }

  /// Where OpenStreetMap data comes from: a file, a URL, or an Overpass API that is asked for each
  /// region.
  package struct Source: Equatable, Sendable {
    /// The format of the data.
    package enum Format: String, Equatable, Sendable, CaseIterable {
      /// Protocol buffers, `.osm.pbf`.
      case pbf
      /// OSM or Overpass XML, plain or gzip.
      case overpass
    }

    /// What its path is.
    package enum Origin: Equatable, Sendable {
      /// A file.
      case file
      /// A URL from which the data is downloaded.
      case url
      /// The URL of an Overpass API. An answer is used for so many seconds.
      case overpassAPI(maxAgeSeconds: Int)
    }

    /// Its name, by which regions refer to it.
    package var name: String
    /// Its format.
    package var format: Format
    /// The file, or the URL that it is downloaded from.
    package var path: String
    /// What the path is.
    package var origin = Origin.file
    /// The SHA-256 that a download must have, in lower-case hexadecimal digits; nil for a local
    /// file, and as long as it is not known what the URL gives.
    package var sha256: String?
    /// The URL of the MD5 sum of the file, if it is to be compared.
    package var md5URL: String?
    /// Whether the digest is that of the lock file, and not the manifest's.
    package var isLocked = false
    /// Why it is not known what the URL gives.
    package var obstacle: CairnError?
    /// The most bytes that are downloaded.
    package var maximumBytes = Self.defaultMaximumBytes
    /// Files of changes and folders of them, which are applied to the data in this order.
    package var changes: [Changes] = []
    /// The tiles of its regions instead of the manifest's; none if it is empty.
    package var elevation: [ElevationFolder]?
    /// Where the manifest names the file or the URL.
    package var location: Location

    /// Whether the file has to be downloaded.
    package var isRemote: Bool { origin != .file }
    /// Whether the data is the answer to a query.
    package var isAnswer: Bool { origin != .file && origin != .url }
    /// Whether what the URL gives changes with time.
    package var isMoving: Bool { isRemote && (sha256 == nil || isLocked) }
  }

  /// A folder of HGT tiles, or rasters that such tiles are made of.
  package struct ElevationFolder: Equatable, Sendable {
    /// The folder; for tiles that are downloaded the one of the folders of the regions; for rasters their
    /// path, in which `*` and `?` stand for what differs.
    package var path: String
    /// Where the tiles are downloaded from; nil if they are in the folder.
    package var pattern: TilePattern?
    /// The finest that is made of rasters, see `SampleElevationCommand.resolutions`; nil for HGT tiles.
    package var resolution: String?
    /// The name of the preset, if it is one.
    package var preset: String?
    /// The licence of the elevations, if the manifest says it.
    package var licence: String?
    /// What must be shown with what is made from them, if the manifest says it.
    package var attribution: String?
    /// Where the manifest names it.
    package var location: Location

    /// The folder with the tiles of a region.
    package func path(for region: Region) -> String {
      pattern == nil ? path : joinPath(path, region.id)
    }

    /// Whether tiles have to be made of it.
    package var hasRasters: Bool { resolution != nil }

    /// Its name where it is published: without the folders around it.
    package var name: String {
      if let preset { return preset }
      let (folder, name) = splitPath(path)
      return hasRasters && pattern == nil && isPattern(name) ? splitPath(folder).name : name
    }
  }

  /// A tile that is made of rasters.
  package struct RasterTile: Equatable, Sendable {
    /// The square degree.
    package var tile: ElevationTileID
    /// The rasters that may have something of it, each with all files that it consists of.
    package var rasters: [[String]]

    package init(tile: ElevationTileID, rasters: [[String]]) {
      (self.tile, self.rasters) = (tile, rasters)
    }

    /// Its name, such as `N42E001`.
    package var name: String { tile.description }

    /// Whether it has a side or a corner in common with another one.
    package func isBeside(_ other: RasterTile) -> Bool { tile.isBeside(other.tile) }
  }

  /// How elevations are cleaned. What is nil is left to `cairn-sample-elevation`.
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
    /// Where its numbers come from.
    package enum Kind: Equatable, Sendable {
      /// A built-in profile of this name.
      case builtIn(String)
      /// A profile file.
      case file(String)
    }

    /// Where its numbers come from.
    package var kind: Kind
    /// Where the manifest names it.
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

  /// The checks that a region's database must pass to be published. What is nil is not checked.
  package struct Checks: Equatable, Sendable {
    /// The least number of edges.
    package var minEdges: Int?
    /// The least share of nodes with an elevation, 0…1.
    package var elevationCoverage: Double?
    /// By how much the number of edges may differ from the last published one, as a share of it.
    package var maxDrift: Double?
    /// Where they stand, as far as a manifest says them. Two sets of the same values are equal
    /// wherever they stand.
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

    /// What a check is called in manifests.
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

  /// The area that is cut out of a source.
  package enum Shape: Equatable, Sendable {
    /// A box.
    case box(BoundingBox)
    /// The areas of a GeoJSON or `.poly` file, all of them together.
    case polygon(path: String)
    /// One feature of a GeoJSON file, counted from 1.
    case feature(path: String, number: Int)

    /// The file that contains the shape, if it is in one.
    package var path: String? {
      switch self {
      case .box: nil
      case .polygon(let path), .feature(let path, _): path
      }
    }
  }

  /// What a stage may use. What is nil is left to the scheduler.
  package struct Resources: Equatable, Sendable {
    /// Worker threads, at least 1.
    package var threads: Int?
    /// Memory that is reserved for it, in MiB, at least 1.
    package var memoryMiB: Int?
    /// Seconds of wall clock after which it is stopped, more than 0.
    package var timeSeconds: Double?

    /// Describes what a stage may use, by default nothing in particular.
    package init(threads: Int? = nil, memoryMiB: Int? = nil, timeSeconds: Double? = nil) {
      self.threads = threads
      self.memoryMiB = memoryMiB
      self.timeSeconds = timeSeconds
    }

    /// These, with the values of `others` for what is nil.
    package func filled(from others: Resources) -> Resources {
      Resources(
        threads: threads ?? others.threads, memoryMiB: memoryMiB ?? others.memoryMiB,
        timeSeconds: timeSeconds ?? others.timeSeconds)
    }
  }

  /// A stage of the user's, done for each region.
  package struct CustomStage: Equatable, Sendable {
    /// A file that it reads besides the result of the stage before it.
    package struct Input: Equatable, Sendable {
      /// Its name, which stands for it in the command as `{NAME}`.
      package var name: String
      /// The file.
      package var path: String
      /// Where the manifest names it.
      package var location: Location
    }

    /// Its name: lower-case letters, digits and hyphens, other than those of the built-in stages.
    package var name: String
    /// The program and its arguments, with placeholders such as `{input}` for what is known later.
    package var command: [String]
    /// The stage whose result is its `{input}`: a built-in one or one listed before it.
    package var after: String
    /// Further files that it reads.
    package var inputs: [Input]
    /// The names of the files that it writes and that are added to the bundle, at least one.
    package var outputs: [String]
    /// Where the manifest names its program.
    package var location: Location
  }

  /// A base map that was made elsewhere.
  package struct BaseMapFile: Equatable, Sendable {
    /// The `.mbtiles` file.
    package var path: String
    /// Where the manifest names it.
    package var location: Location
  }

  /// A region, which becomes one bundle.
  package struct Region: Equatable, Sendable {
    /// Its name in paths: lower-case letters, digits and hyphens.
    package var id: String
    /// By what apps know it; nil for the one that follows from its id.
    package var uuid: UUID?
    /// Its display name.
    package var name: String
    /// The name of its source.
    package var source: String
    /// Its area.
    package var shape: Shape
    /// The profiles of its database; nil for those of the manifest.
    package var profiles: [Profile]?
    /// Its further databases.
    package var variants: [Variant] = []
    /// The day for which seasonal and conditional access is evaluated; nil for the day of the data.
    package var date: CalendarDate?
    /// Its checks, with those of the defaults for what it does not set.
    package var checks: Checks
    /// The length in kilometres below which a part of its network counts as an island; nil for the
    /// stage's default.
    package var islandThresholdKilometres: Double?
    /// The map that its bundle has beside the databases; nil for none.
    package var baseMap: BaseMapFile?
    /// Its tiles instead of those of its source and of the manifest; none if it is empty.
    package var elevation: [ElevationFolder]?
    /// Whether its bundle has a routing database, with its variants.
    package var hasRouting = true
    /// Where the manifest names its shape.
    package var location: Location
  }

  /// The version of the manifest's format that is read here.
  package static let version = 1

  /// The manifest's file as the user named it.
  package var path: String
  /// The name of the set of regions.
  package var name: String
  /// The folder for the bundles.
  package var output: String
  /// Sources by name.
  package var sources: [String: Source]
  /// Folders of tiles, the preferred one first, for sources and regions that do not say otherwise;
  /// none to build without elevations.
  package var elevation: [ElevationFolder]
  /// Whether the manifest says that there is no elevation, rather than nothing about it.
  package var isWithoutElevation = false
  /// The tiles that are made of the rasters of regions, by their ids, for each of their folders; known
  /// when a run begins.
  package var rasterTiles: [String: [[RasterTile]]] = [:]
  /// The version of GDAL that makes them.
  package var gdalVersion: String?
  /// Why regions do not have their tiles, by their ids.
  package var tileObstacles: [String: CairnError] = [:]
  /// How their elevations are cleaned.
  package var elevationOptions = ElevationOptions()
  /// Profiles; the first one fills the database's own cost columns. At least one.
  package var profiles: [Profile]
  /// Regions in the order of the file, then those of `regions-from`; at least one.
  package var regions: [Region]
  /// What the names of a bundle's databases begin with.
  package enum BundleNames: String, Equatable, Sendable, CaseIterable {
    /// The id of the region: `valley.routing.db`.
    case id
    /// Its UUID in capitals, as apps look for it.
    case uuid
  }

  /// What the names of a bundle's databases begin with.
  package var bundleNames = BundleNames.id
  /// The archives of map tiles of bundles.
  package struct Tiles: Equatable, Sendable {
    /// The archives, in the order of the file.
    package var layers: [TileLayer] = []
    /// The zooms of their tiles; nil for the stage's default.
    package var zooms: ClosedRange<Int>?
  }

  /// The values of `highway` whose ways are kept, sorted; nil for all that are routable.
  package var routableHighways: [String]?
  /// Whether bundles have `REGION.waypoints.db`.
  package var hasWaypoints = true
  /// Whether bundles have `REGION.places.db`, which search needs.
  package var hasSearch = true
  /// The archives of map tiles of bundles.
  package var tiles = Tiles()
  /// The user's own stages, in the order of the file.
  package var stages: [CustomStage] = []
  /// What stages may use, by their names, and what all others may use, by ``anyStage``.
  package var resources: [String: Resources] = [:]
  /// How often a stage that failed for a temporary reason is run again.
  package var retries = Manifest.defaultRetries
  /// From how many earlier bundles of each region there are deltas.
  package var deltasKept = 0
  /// The file with the findings of `cairn lint` that are no issue.
  package var lintIgnore: String?

  /// How often a stage is run again unless the manifest says otherwise.
  package static let defaultRetries = 1
  /// The key of ``resources`` for stages that have none of their own.
  static let anyStage = "default"

  /// By what apps know a region.
  package func uuid(of region: Region) -> UUID {
    region.uuid ?? regionUUID(region.id, manifest: name)
  }

  /// What the names of the databases of a region's bundle begin with.
  package func databaseStem(of region: Region) -> String {
    switch bundleNames {
    case .id: region.id
    case .uuid: uuid(of: region).uuidString
    }
  }

  /// The profiles of a region's database.
  package func profiles(of region: Region) -> [Profile] { region.profiles ?? profiles }

  /// The manifest's profiles, and those that some regions have instead of them or in variants.
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

  /// Folders of the tiles of a region, the preferred one first; none to build it without elevations.
  package func elevation(of region: Region) -> [ElevationFolder] {
    region.elevation ?? sources[region.source]?.elevation ?? elevation
  }

  /// Whether the manifest says somewhere what a region's elevations are, if only that it has none.
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

  /// What a stage may use by the manifest.
  package func resources(ofStage name: String) -> Resources {
    let common = resources[Self.anyStage] ?? Resources()
    return resources[name]?.filled(from: common) ?? common
  }
}
