// SPDX-License-Identifier: Apache-2.0

/// The inputs of a bundle other than its extract, and their licences.
///
/// Two runs on the same inputs write the same record.
public struct BundleProvenance: Codable, Hashable, Sendable {
  /// An elevation tile used by a database.
  public struct Tile: Codable, Hashable, Sendable {
    /// Its name, such as `N47E010.hgt`.
    public var name: String
    /// The last component of the folder's path.
    public var folder: String?
    /// Its size; nil, like its digest, if the tile was gone when the bundle was published.
    public var bytes: Int?
    /// Its SHA-256.
    public var sha256: String?

    /// Makes the record.
    package init(name: String, folder: String? = nil, bytes: Int? = nil, sha256: String? = nil) {
      self.name = name
      self.folder = folder
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// A profile of a database.
  public struct Profile: Codable, Hashable, Sendable {
    /// The name of the database.
    public var database: String
    /// The name of the profile.
    public var name: String
    /// The SHA-256 of its definition.
    public var sha256: String

    /// Makes the record.
    package init(database: String, name: String, sha256: String) {
      self.database = database
      self.name = name
      self.sha256 = sha256
    }
  }

  /// The shape of a region, if it comes from a file.
  public struct Shape: Codable, Hashable, Sendable {
    /// The name of the file.
    public var name: String
    /// The digest of the corners. Files with the same corners hold the same shape.
    public var corners: String

    /// Makes the record.
    package init(name: String, corners: String) {
      self.name = name
      self.corners = corners
    }
  }

  /// An input of a stage that the manifest defines.
  public struct StageInput: Codable, Hashable, Sendable {
    /// The name of the stage.
    public var stage: String
    /// The input's name in the stage's key, such as `input style`.
    public var input: String
    /// The SHA-256 of the file.
    public var sha256: String

    /// Makes the record.
    package init(stage: String, input: String, sha256: String) {
      self.stage = stage
      self.input = input
      self.sha256 = sha256
    }
  }

  /// The licence of one source.
  public struct Licence: Codable, Hashable, Sendable {
    /// `OpenStreetMap`, or a folder of elevations.
    public var source: String
    /// The name of the licence, such as `ODbL-1.0`. Nil, like the attribution, if the manifest does
    /// not name it.
    public var licence: String?
    /// The attribution to show with the data.
    public var attribution: String?

    /// Makes the record.
    package init(source: String, licence: String? = nil, attribution: String? = nil) {
      self.source = source
      self.licence = licence
      self.attribution = attribution
    }
  }

  /// The elevation tiles used for the region.
  public var elevation: [Tile] = []
  /// The profiles of its routing databases.
  public var profiles: [Profile] = []
  /// The file of its shape; nil if the shape comes from no file.
  public var shape: Shape?
  /// The files read by stages that the manifest defines.
  public var stageInputs: [StageInput] = []
  /// The licences of all sources.
  public var licences: [Licence] = []

  /// Makes the record.
  package init(
    elevation: [Tile] = [], profiles: [Profile] = [], shape: Shape? = nil,
    stageInputs: [StageInput] = [], licences: [Licence] = []
  ) {
    self.elevation = elevation
    self.profiles = profiles
    self.shape = shape
    self.stageInputs = stageInputs
    self.licences = licences
  }
}
