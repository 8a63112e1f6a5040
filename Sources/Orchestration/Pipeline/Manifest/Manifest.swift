// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import TagRules

/// What a run is to make: regions, and the data and rules to make them from.
///
/// Paths are ready to be opened: those of the file were relative to its folder.
public struct Manifest: Equatable, Sendable {
  /// Where OpenStreetMap data is read from: a file, or a URL that is fetched once.
  public struct Source: Equatable, Sendable {
    /// How the data is written.
    public enum Format: String, Equatable, Sendable, CaseIterable {
      /// Protocol buffers, `.osm.pbf`.
      case pbf
      /// OSM or Overpass XML, plain or gzip.
      case overpass
    }

    /// What regions call it.
    public var name: String
    /// How it is written.
    public var format: Format
    /// The file, or the URL that it is fetched from.
    public var path: String
    /// The SHA-256 that a fetched file must have, in small hexadecimal digits; nil for a file that
    /// is there already.
    public var sha256: String?
    /// The most that is fetched.
    public var maximumBytes = Self.defaultMaximumBytes
    /// Where the manifest names the file or the URL.
    public var location: Location

    /// Whether the file has to be fetched.
    public var isRemote: Bool { sha256 != nil }
  }

  /// A folder of HGT tiles.
  public struct ElevationFolder: Equatable, Sendable {
    /// The folder.
    public var path: String
    /// Where the manifest names it.
    public var location: Location
  }

  /// How elevations are cleaned. What is nil is left to `cairn-sample-elevation`.
  public struct ElevationOptions: Equatable, Sendable {
    /// See `ElevationCleaning.smoothingMetres`.
    public var smoothingMetres: Double?
    /// See `ElevationCleaning.thresholdMetres`.
    public var thresholdMetres: Double?
    /// See `ElevationCleaning.stepMetres`.
    public var stepMetres: Double?

    /// Makes a set of options, by default none.
    public init(
      smoothingMetres: Double? = nil, thresholdMetres: Double? = nil, stepMetres: Double? = nil
    ) {
      self.smoothingMetres = smoothingMetres
      self.thresholdMetres = thresholdMetres
      self.stepMetres = stepMetres
    }
  }

  /// A cost profile.
  public struct Profile: Equatable, Sendable {
    /// Where its numbers come from.
    public enum Kind: Equatable, Sendable {
      /// The stage knows it by this name.
      case builtIn(String)
      /// A profile file.
      case file(String)
    }

    /// Where its numbers come from.
    public var kind: Kind
    /// Where the manifest names it.
    public var location: Location
  }

  /// What a region's database must fulfil before it is published. What is nil is not checked.
  public struct Checks: Equatable, Sendable {
    /// The least number of edges.
    public var minEdges: Int?
    /// The least share of nodes with an elevation, 0…1.
    public var elevationCoverage: Double?
    /// By how much the number of edges may differ from the last published one, as a share of it.
    public var maxDrift: Double?

    /// Makes a set of checks, by default none.
    public init(minEdges: Int? = nil, elevationCoverage: Double? = nil, maxDrift: Double? = nil) {
      self.minEdges = minEdges
      self.elevationCoverage = elevationCoverage
      self.maxDrift = maxDrift
    }
  }

  /// What is cut out of a source.
  public enum Shape: Equatable, Sendable {
    /// A box.
    case box(BoundingBox)
    /// The areas of a GeoJSON or `.poly` file, all of them together.
    case polygon(path: String)
    /// One feature of a GeoJSON file, counted from 1.
    case feature(path: String, number: Int)

    /// The file that holds the shape, if it is in one.
    public var path: String? {
      switch self {
      case .box: nil
      case .polygon(let path), .feature(let path, _): path
      }
    }
  }

  /// What a stage may use. What is nil is left to the scheduler.
  public struct Resources: Equatable, Sendable {
    /// Worker threads, at least 1.
    public var threads: Int?
    /// Memory that is set aside for it, in MiB, at least 1.
    public var memoryMiB: Int?
    /// Seconds of wall clock after which it is stopped, more than 0.
    public var timeSeconds: Double?

    /// Describes what a stage may use, by default nothing in particular.
    public init(threads: Int? = nil, memoryMiB: Int? = nil, timeSeconds: Double? = nil) {
      self.threads = threads
      self.memoryMiB = memoryMiB
      self.timeSeconds = timeSeconds
    }

    /// These, and those of `others` where these say nothing.
    func filled(from others: Resources) -> Resources {
      Resources(
        threads: threads ?? others.threads, memoryMiB: memoryMiB ?? others.memoryMiB,
        timeSeconds: timeSeconds ?? others.timeSeconds)
    }
  }

  /// A step of the user's own, done for each region.
  public struct CustomStage: Equatable, Sendable {
    /// A file that it reads besides what the stage before it made.
    public struct Input: Equatable, Sendable {
      /// What its command calls it: `{NAME}`.
      public var name: String
      /// The file.
      public var path: String
      /// Where the manifest names it.
      public var location: Location
    }

    /// Its name: small letters, digits and hyphens, other than those of the built-in stages.
    public var name: String
    /// The program and its arguments, with places such as `{input}` for what is known later.
    public var command: [String]
    /// The stage whose result is its `{input}`: a built-in one or one that stands before it.
    public var after: String
    /// Further files that it reads.
    public var inputs: [Input]
    /// The names of the files that it writes and that join the bundle, at least one.
    public var outputs: [String]
    /// Where the manifest names its program.
    public var location: Location
  }

  /// One region: one bundle.
  public struct Region: Equatable, Sendable {
    /// Its name in paths: small letters, digits and hyphens.
    public var id: String
    /// Its name for people.
    public var name: String
    /// The name of its source.
    public var source: String
    /// What is cut out.
    public var shape: Shape
    /// The day for which seasons and conditional access are read: its own over that of the
    /// defaults; nil for the day of the data.
    public var date: CalendarDate?
    /// What must hold for it: its own checks over those of the defaults.
    public var checks: Checks
    /// Below how many kilometres a part of its network counts as an island; nil for what the stage
    /// takes by itself.
    public var islandThresholdKilometres: Double?
    /// Where the manifest names its shape.
    public var location: Location
  }

  /// The version of the manifest's format that is read here.
  public static let version = 1

  /// The manifest's file as the user named it.
  public var path: String
  /// The name of the whole set.
  public var name: String
  /// The folder that takes the bundles.
  public var output: String
  /// Sources by name.
  public var sources: [String: Source]
  /// Folders of tiles, the preferred one first; at least one.
  public var elevation: [ElevationFolder]
  /// How their elevations are cleaned.
  public var elevationOptions = ElevationOptions()
  /// Profiles; the first one fills the database's own cost columns. At least one.
  public var profiles: [Profile]
  /// Regions in the order of the file, then those of `regions-from`; at least one.
  public var regions: [Region]
  /// Steps of the user's own, in the order of the file.
  public var stages: [CustomStage] = []
  /// What stages may use, by their names, and what holds for all others, by ``anyStage``.
  public var resources: [String: Resources] = [:]
  /// How often a stage that failed in a way that may pass is run again.
  public var retries = Manifest.defaultRetries

  /// How often a stage is run again where the manifest does not say.
  public static let defaultRetries = 1
  /// The key of ``resources`` for stages that have none of their own.
  static let anyStage = "default"

  /// What a stage may use by the manifest.
  func resources(ofStage name: String) -> Resources {
    let common = resources[Self.anyStage] ?? Resources()
    return resources[name]?.filled(from: common) ?? common
  }
}
