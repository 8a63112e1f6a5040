// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import TravelRules

/// What a run is to make: regions, and the data and rules to make them from.
///
/// Paths are ready to be opened: those of the file were relative to its folder.
public struct Manifest: Equatable, Sendable {
  /// A file that OpenStreetMap data is read from.
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
    /// The file.
    public var path: String
    /// Where the manifest names the file.
    public var location: Location
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
    /// The area of a GeoJSON file.
    case polygon(path: String)
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
  /// Regions in the order of the file; at least one.
  public var regions: [Region]
}
