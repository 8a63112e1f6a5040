// SPDX-License-Identifier: Apache-2.0

/// What a bundle was made from besides its extract, and by which licences.
///
/// It is the same in two runs on the same inputs.
public struct BundleProvenance: Codable, Hashable, Sendable {
  /// A tile whose elevations a database has.
  public struct Tile: Codable, Hashable, Sendable {
    /// Its name, such as `N47E010.hgt`.
    public var name: String
    /// The name of the folder, without those above it.
    public var folder: String?
    /// Its size; nil where it was gone by the time of publishing, like its digest.
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

  /// The shape of a region, where it is in a file.
  public struct Shape: Codable, Hashable, Sendable {
    /// The name of the file.
    public var name: String
    /// The digest of the corners: another file with the same ones is the same shape.
    public var corners: String

    /// Makes the record.
    package init(name: String, corners: String) {
      self.name = name
      self.corners = corners
    }
  }

  /// An input of a stage of the user's.
  public struct StageInput: Codable, Hashable, Sendable {
    /// The name of the stage.
    public var stage: String
    /// What it is called in the stage's key, such as `input style`.
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

  /// By which licence something may be used.
  public struct Licence: Codable, Hashable, Sendable {
    /// `OpenStreetMap`, or a folder of elevations.
    public var source: String
    /// The name of the licence, such as `ODbL-1.0`. Nil where the manifest does not say it, like the attribution.
    public var licence: String?
    /// What must be shown with it.
    public var attribution: String?

    /// Makes the record.
    package init(source: String, licence: String? = nil, attribution: String? = nil) {
      self.source = source
      self.licence = licence
      self.attribution = attribution
    }
  }

  /// The tiles whose elevations the region has.
  public var elevation: [Tile] = []
  /// The profiles of its routing databases.
  public var profiles: [Profile] = []
  /// The file of its shape; nil where it is in none.
  public var shape: Shape?
  /// The files that stages of the user's read.
  public var stageInputs: [StageInput] = []
  /// The licences of all that it was made from.
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
