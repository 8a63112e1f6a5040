// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import TagRules

/// What a run is to make: regions, and the data and rules to make them from.
///
/// Paths are ready to be opened: those of the file were relative to its folder.
package struct Manifest: Equatable, Sendable {
  /// Where OpenStreetMap data is read from: a file, or a URL that is fetched once.
  package struct Source: Equatable, Sendable {
    /// How the data is written.
    package enum Format: String, Equatable, Sendable, CaseIterable {
      /// Protocol buffers, `.osm.pbf`.
      case pbf
      /// OSM or Overpass XML, plain or gzip.
      case overpass
    }

    /// What regions call it.
    package var name: String
    /// How it is written.
    package var format: Format
    /// The file, or the URL that it is fetched from.
    package var path: String
    /// The SHA-256 that a fetched file must have, in small hexadecimal digits; nil for a file that
    /// is there already.
    package var sha256: String?
    /// The most that is fetched.
    package var maximumBytes = Self.defaultMaximumBytes
    /// Where the manifest names the file or the URL.
    package var location: Location

    /// Whether the file has to be fetched.
    package var isRemote: Bool { sha256 != nil }
  }

  /// A folder of HGT tiles.
  package struct ElevationFolder: Equatable, Sendable {
    /// The folder.
    package var path: String
    /// Where the manifest names it.
    package var location: Location
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
      /// The stage knows it by this name.
      case builtIn(String)
      /// A profile file.
      case file(String)
    }

    /// Where its numbers come from.
    package var kind: Kind
    /// Where the manifest names it.
    package var location: Location
  }

  /// What a region's database must fulfil before it is published. What is nil is not checked.
  package struct Checks: Equatable, Sendable {
    /// The least number of edges.
    package var minEdges: Int?
    /// The least share of nodes with an elevation, 0…1.
    package var elevationCoverage: Double?
    /// By how much the number of edges may differ from the last published one, as a share of it.
    package var maxDrift: Double?

    /// Makes a set of checks, by default none.
    package init(minEdges: Int? = nil, elevationCoverage: Double? = nil, maxDrift: Double? = nil) {
      self.minEdges = minEdges
      self.elevationCoverage = elevationCoverage
      self.maxDrift = maxDrift
    }
  }

  /// What is cut out of a source.
  package enum Shape: Equatable, Sendable {
    /// A box.
    case box(BoundingBox)
    /// The areas of a GeoJSON or `.poly` file, all of them together.
    case polygon(path: String)
    /// One feature of a GeoJSON file, counted from 1.
    case feature(path: String, number: Int)

    /// The file that holds the shape, if it is in one.
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
    /// Memory that is set aside for it, in MiB, at least 1.
    package var memoryMiB: Int?
    /// Seconds of wall clock after which it is stopped, more than 0.
    package var timeSeconds: Double?

    /// Describes what a stage may use, by default nothing in particular.
    package init(threads: Int? = nil, memoryMiB: Int? = nil, timeSeconds: Double? = nil) {
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
  package struct CustomStage: Equatable, Sendable {
    /// A file that it reads besides what the stage before it made.
    package struct Input: Equatable, Sendable {
      /// What its command calls it: `{NAME}`.
      package var name: String
      /// The file.
      package var path: String
      /// Where the manifest names it.
      package var location: Location
    }

    /// Its name: small letters, digits and hyphens, other than those of the built-in stages.
    package var name: String
    /// The program and its arguments, with places such as `{input}` for what is known later.
    package var command: [String]
    /// The stage whose result is its `{input}`: a built-in one or one that stands before it.
    package var after: String
    /// Further files that it reads.
    package var inputs: [Input]
    /// The names of the files that it writes and that join the bundle, at least one.
    package var outputs: [String]
    /// Where the manifest names its program.
    package var location: Location
  }

  /// One region: one bundle.
  package struct Region: Equatable, Sendable {
    /// Its name in paths: small letters, digits and hyphens.
    package var id: String
    /// Its name for people.
    package var name: String
    /// The name of its source.
    package var source: String
    /// What is cut out.
    package var shape: Shape
    /// The day for which seasons and conditional access are read: its own over that of the
    /// defaults; nil for the day of the data.
    package var date: CalendarDate?
    /// What must hold for it: its own checks over those of the defaults.
    package var checks: Checks
    /// Below how many kilometres a part of its network counts as an island; nil for what the stage
    /// takes by itself.
    package var islandThresholdKilometres: Double?
    /// Where the manifest names its shape.
    package var location: Location
  }

  /// The version of the manifest's format that is read here.
  package static let version = 1

  /// The manifest's file as the user named it.
  package var path: String
  /// The name of the whole set.
  package var name: String
  /// The folder that takes the bundles.
  package var output: String
  /// Sources by name.
  package var sources: [String: Source]
  /// Folders of tiles, the preferred one first; at least one.
  package var elevation: [ElevationFolder]
  /// How their elevations are cleaned.
  package var elevationOptions = ElevationOptions()
  /// Profiles; the first one fills the database's own cost columns. At least one.
  package var profiles: [Profile]
  /// Regions in the order of the file, then those of `regions-from`; at least one.
  package var regions: [Region]
  /// Steps of the user's own, in the order of the file.
  package var stages: [CustomStage] = []
  /// What stages may use, by their names, and what holds for all others, by ``anyStage``.
  package var resources: [String: Resources] = [:]
  /// How often a stage that failed in a way that may pass is run again.
  package var retries = Manifest.defaultRetries

  /// How often a stage is run again where the manifest does not say.
  package static let defaultRetries = 1
  /// The key of ``resources`` for stages that have none of their own.
  static let anyStage = "default"

  /// What a stage may use by the manifest.
  func resources(ofStage name: String) -> Resources {
    let common = resources[Self.anyStage] ?? Resources()
    return resources[name]?.filled(from: common) ?? common
  }
}
