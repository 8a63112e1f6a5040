// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import JSONKit

/// The origin of a container's data. Each stage copies the provenance of its input and adds to it.
///
/// It is the same in two runs on the same inputs: no time of day, folder or host name.
package struct Provenance: Encodable, Equatable, Sendable {
  /// A file that the data was read from.
  package struct Source: Equatable, Sendable {
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
    [UInt8](try encodeJSON(object).dropLast())
  }

  /// Writes the provenance as a part of something else.
  package func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }

  private var object: JSONValue {
    var object: [String: JSONValue] = [
      "tool": .text(tool), "counts": .object(counts.mapValues { .integer($0) }),
    ]
    object["source"] = source?.json
    object["changes"] = changes.map { .list($0.map(\.json)) }
    object["dataTimestamp"] = dataTimestamp.map { .text($0) }
    object["region"] = region.map { .text($0) }
    object["elevationTiles"] = elevationTiles.map { .list($0.map { .text($0) }) }
    return .object(object)
  }

  init(json: UnsafeRawBufferPointer, path: String) throws(CairnError) {
    guard let object = JSONValue(json: Array(json))?.object, let provenance = Self(object) else {
      throw CairnError(
        .damagedContainer, .dataError, "is damaged: the provenance is invalid",
        at: Location(file: path), hint: "rebuild it from its inputs")
    }
    self = provenance
  }

  private init?(_ object: [String: JSONValue]) {
    guard let tool = object["tool"]?.text,
      let counts = object["counts"]?.object?.all(\.integer),
      let source = object.optional("source", Source.init),
      let changes = object.optional("changes", { $0.list?.all(Source.init) }),
      let dataTimestamp = object.optional("dataTimestamp", \.text),
      let region = object.optional("region", \.text),
      let elevationTiles = object.optional("elevationTiles", \.texts)
    else { return nil }
    self.init(
      tool: tool, source: source, changes: changes, dataTimestamp: dataTimestamp, region: region,
      elevationTiles: elevationTiles, counts: counts)
  }
}

extension Provenance.Source {
  fileprivate var json: JSONValue {
    .object(["name": .text(name), "sha256": .text(sha256), "bytes": .integer(bytes)])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let object = json.object, let name = object["name"]?.text,
      let sha256 = object["sha256"]?.text, let bytes = object["bytes"]?.integer
    else { return nil }
    self.init(name: name, sha256: sha256, bytes: bytes)
  }
}

extension Provenance {
  /// The attribution required with OpenStreetMap's data.
  package static let attribution = "© OpenStreetMap contributors"
  /// The licence of OpenStreetMap's data and of data derived from it.
  package static let licence = "ODbL-1.0"
}
