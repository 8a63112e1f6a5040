// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// The header of a PBF file.
package struct HeaderBlock: Equatable, Sendable {
  /// A bounding box in 10⁻⁹ degrees.
  package struct Bounds: Equatable, Sendable {
    /// The western border.
    package var left: Int64 = 0
    /// The eastern border.
    package var right: Int64 = 0
    /// The northern border.
    package var top: Int64 = 0
    /// The southern border.
    package var bottom: Int64 = 0
  }

  /// Features that a reader must support to read the file.
  package var requiredFeatures: [String] = []
  /// Features that a reader may use, such as `Sort.Type_then_ID`.
  package var optionalFeatures: [String] = []
  /// The bounding box of the extract, if the file states it.
  package var bounds: Bounds?
  /// The program that wrote the file.
  package var writingProgram: String?
  /// The source of the data, if the file states it.
  package var source: String?
  /// The time of the last change in the data, in seconds since 1970, if the file states it.
  package var replicationSeconds: Int64?
  /// The sequence number of the last update from ``replicationURL`` in the data.
  package var replicationSequence: Int64?
  /// The URL of updates to the data.
  package var replicationURL: String?

  /// Whether the file may contain several versions of an object, including deleted ones.
  package var isHistory: Bool { requiredFeatures.contains("HistoricalInformation") }

  /// The time of the data as ISO 8601 in UTC, if the file states it.
  package var dataTimestamp: String? { replicationSeconds.flatMap(utcTimestamp) }

  private static let knownFeatures = ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"]

  /// Decodes the message. Throws 65 if it is invalid or requires an unknown feature.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: bounds = try Self.bounds(try reader.readBytes(field))
      case 4: requiredFeatures.append(Self.text(try reader.readBytes(field)))
      case 5: optionalFeatures.append(Self.text(try reader.readBytes(field)))
      case 16: writingProgram = Self.text(try reader.readBytes(field))
      case 17: source = Self.text(try reader.readBytes(field))
      case 32: replicationSeconds = Int64(bitPattern: try reader.readVarint(field))
      case 33: replicationSequence = Int64(bitPattern: try reader.readVarint(field))
      case 34: replicationURL = Self.text(try reader.readBytes(field))
      default: try reader.skip(field)
      }
    }
    for feature in requiredFeatures where !Self.knownFeatures.contains(feature) {
      throw .badData(
        .unknownRequiredFeature,
        "the file requires the feature “\(feature)”, which is not supported",
        hint: "rewrite it with: osmium cat IN.osm.pbf -o OUT.osm.pbf")
    }
  }

  private static func bounds(_ bytes: UnsafeRawBufferPointer) throws(CairnError) -> Bounds {
    var bounds = Bounds()
    var reader = ProtobufReader(bytes)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: bounds.left = try reader.readZigzag(field)
      case 2: bounds.right = try reader.readZigzag(field)
      case 3: bounds.top = try reader.readZigzag(field)
      case 4: bounds.bottom = try reader.readZigzag(field)
      default: try reader.skip(field)
      }
    }
    return bounds
  }

  /// A text of the header, cut to a length that fits into a message.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix(256), as: UTF8.self)
  }
}

/// Seconds since 1970 as `2020-05-01T20:59:03Z`, or nil outside the years 1970…9999.
func utcTimestamp(_ seconds: Int64) -> String? {
  seconds < 0 ? nil : timestampText(seconds: seconds)
}
