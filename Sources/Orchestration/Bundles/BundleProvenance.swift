// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnSQLiteKit
import SystemIO
import TrailData

/// What a bundle was made from besides its extract, and by which licences.
///
/// It is the same in two runs on the same inputs.
package struct BundleProvenance: Codable, Equatable, Sendable {
  /// A tile whose elevations a database has.
  package struct Tile: Codable, Equatable, Sendable {
    package var name: String
    /// The name of the folder, without those above it.
    package var folder: String?
    package var bytes: Int?
    package var sha256: String?

    package init(name: String, folder: String? = nil, bytes: Int? = nil, sha256: String? = nil) {
      self.name = name
      self.folder = folder
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// A profile of a database.
  package struct Profile: Codable, Equatable, Sendable {
    package var database: String
    package var name: String
    /// The SHA-256 of its definition.
    package var sha256: String

    package init(database: String, name: String, sha256: String) {
      self.database = database
      self.name = name
      self.sha256 = sha256
    }
  }

  /// The shape of a region, where it is in a file.
  package struct Shape: Codable, Equatable, Sendable {
    /// The name of the file.
    package var name: String
    /// The digest of the corners: another file with the same ones is the same shape.
    package var corners: String

    package init(name: String, corners: String) {
      self.name = name
      self.corners = corners
    }
  }

  /// An input of a stage of the user's.
  package struct StageInput: Codable, Equatable, Sendable {
    package var stage: String
    /// What it is called in the stage's key, such as `input style`.
    package var input: String
    package var sha256: String

    package init(stage: String, input: String, sha256: String) {
      self.stage = stage
      self.input = input
      self.sha256 = sha256
    }
  }

  /// By which licence something may be used.
  package struct Licence: Codable, Equatable, Sendable {
    /// `OpenStreetMap`, or a folder of elevations.
    var source: String
    /// Nil where the manifest does not say it, like the attribution.
    var licence: String?
    var attribution: String?

    package init(source: String, licence: String? = nil, attribution: String? = nil) {
      self.source = source
      self.licence = licence
      self.attribution = attribution
    }
  }

  package var elevation: [Tile] = []
  package var profiles: [Profile] = []
  package var shape: Shape?
  package var stageInputs: [StageInput] = []
  package var licences: [Licence] = []

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

  /// What must be shown with the data.
  package var attribution: String { joinedAttribution(licences.compactMap(\.attribution)) }
}

/// Texts that must be shown as one, each once; that of OpenStreetMap comes first.
func joinedAttribution(_ texts: [String]) -> String {
  unrepeated(
    [Provenance.attribution] + texts.flatMap { $0.split(separator: "; ").map(String.init) }
  ).joined(separator: "; ")
}
