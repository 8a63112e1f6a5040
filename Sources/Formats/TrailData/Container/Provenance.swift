// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The origin of a container's data. Each stage copies the provenance of its input and adds to it.
///
/// It is the same in two runs on the same inputs: no time of day, folder or host name.
package struct Provenance: Codable, Equatable, Sendable {
  /// A file that the data was read from.
  package struct Source: Codable, Equatable, Sendable {
    /// The last component of its path.
    package var name: String
    /// Its SHA-256 in hexadecimal.
    package var sha256: String
    /// Its size in bytes.
    package var bytes: Int

    /// Describes a file.
    package init(name: String, sha256: String, bytes: Int) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// The tool and its version, such as `cairn 0.2.0`.
  package var tool: String
  /// The OpenStreetMap file that the data is from.
  package var source: Source?
  /// The change files that were applied to it and reach the region, in order; nil if there are
  /// none.
  package var changes: [Source]?
  /// The time of the OpenStreetMap data, ISO 8601 in UTC, if the source states it.
  package var dataTimestamp: String?
  /// The region: `w,s,e,n`, the digest of a polygon, or nil for the whole source.
  package var region: String?
  /// The elevation tiles that were used, sorted, without duplicates.
  package var elevationTiles: [String]?
  /// The counts of each stage by name, such as `nodes`.
  package var counts: [String: Int]

  /// Creates a provenance.
  package init(
    tool: String, source: Source? = nil, changes: [Source]? = nil, dataTimestamp: String? = nil,
    region: String? = nil, elevationTiles: [String]? = nil, counts: [String: Int] = [:]
  ) {
    self.tool = tool
    self.source = source
    self.changes = changes
    self.dataTimestamp = dataTimestamp
    self.region = region
    self.elevationTiles = elevationTiles
    self.counts = counts
  }

  /// The provenance as JSON with sorted keys.
  package func json() throws(CairnError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(self)) } catch {
      throw CairnError("provenance", .software, "provenance cannot be encoded as JSON: \(error)")
    }
  }

  init(json: UnsafeRawBufferPointer, path: String) throws(CairnError) {
    do { self = try JSONDecoder().decode(Self.self, from: Data(json)) } catch {
      throw CairnError(
        .damagedContainer, .dataError, "is damaged: the provenance is invalid",
        at: Location(file: path), hint: "rebuild it from its inputs")
    }
  }
}

extension Provenance {
  /// The attribution required with OpenStreetMap's data.
  package static let attribution = "© OpenStreetMap contributors"
  /// The licence of OpenStreetMap's data and of data derived from it.
  package static let licence = "ODbL-1.0"
}
