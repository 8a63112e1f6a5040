// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnWaypoints

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transfer between the devices of one user, told apart by `type`: a complete record, or the
/// description of an accompanying file.
///
/// As JSON or a property list it is one dictionary: the `type` and the values of the case.
/// ``toDictionary()`` has the same keys.
public enum TransferEnvelope: Hashable, Sendable {
  /// Describes the file of a planned route; `type` is `plannedRoute`.
  case plannedRoute(routeId: UUID, name: String)
  /// Describes the file of a ``SavedRoute``; `type` is `savedRoute`.
  case savedRoute(routeId: UUID, name: String?)
  /// A waypoint with an optional thumbnail; `type` is `waypoint`.
  case waypoint(Waypoint, thumbnailData: Data?)
  /// Describes a GPX file; `type` is `gpx`.
  case gpx(name: String)
  /// Describes the routing database of a region; `type` is `routingdb`.
  case routingDatabase(regionId: UUID, name: String)
  /// Describes the map tiles of a region, as MBTiles; `type` is `mbtiles`.
  case mapTiles(TransferRegion)
  /// The regions on the other device; `type` is `availableRegions`, and may be missing.
  case availableRegions([TransferRegion])

  /// The version of the format, assumed for a transfer without a `version`.
  public static let version = 1
  /// The longest name, in bytes of UTF-8.
  public static let maximumNameBytes = 1000
  /// The largest thumbnail, in bytes: the limit for a whole transfer without a file.
  public static let maximumThumbnailBytes = 1 << 16
  /// The most regions of a list.
  public static let maximumRegions = 1000

  /// Why a transfer cannot be read.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `type` is missing.
    case noType
    /// The type is unknown to this version.
    case unknownType(String)
    /// The transfer has a `version` that this library does not read.
    case otherVersion(Int)
    /// A value of this type is missing or invalid.
    case badValue(type: String)
    /// A name, thumbnail or list of this type exceeds its limit.
    case tooLarge(type: String)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .noType: "the transfer has no type"
      case .unknownType(let type): "the transfer has the unknown type “\(type.prefix(40))”"
      case .otherVersion(let version):
        "the transfer has version \(version); this program reads \(TransferEnvelope.version)"
      case .badValue(let type): "a value of the transfer of type “\(type)” is missing or invalid"
      case .tooLarge(let type): "a value of the transfer of type “\(type)” is too large"
      }
    }
  }

  enum Kind: String {
    case plannedRoute, savedRoute, waypoint, gpx, routingdb, mbtiles, availableRegions
  }

  var kind: Kind {
    switch self {
    case .plannedRoute: .plannedRoute
    case .savedRoute: .savedRoute
    case .waypoint: .waypoint
    case .gpx: .gpx
    case .routingDatabase: .routingdb
    case .mapTiles: .mbtiles
    case .availableRegions: .availableRegions
    }
  }

  /// The `type` of its dictionary.
  public var type: String { kind.rawValue }

  /// Whether a file accompanies it.
  public var needsFile: Bool {
    switch self {
    case .plannedRoute, .savedRoute, .gpx, .routingDatabase, .mapTiles: true
    case .waypoint, .availableRegions: false
    }
  }

  /// The record that it is a version of; a later version replaces an earlier one. Nil for a GPX
  /// file, since several may share a name.
  var record: String? {
    switch self {
    case .plannedRoute(let id, _), .savedRoute(let id, _), .routingDatabase(let id, _):
      "\(type)/\(id.uuidString)"
    case .waypoint(let waypoint, _): "\(type)/\(waypoint.id.uuidString)"
    case .mapTiles(let region): "\(type)/\(region.regionId.uuidString)"
    case .availableRegions: type
    case .gpx: nil
    }
  }

  /// What is sent, for a log: its type, and its id or name if it has one.
  var title: String {
    switch self {
    case .gpx(let name): "\(type) “\(printable(name))”"
    default: (record ?? type).replacing("/", with: " ")
    }
  }

  /// The same envelope if it is within the limits. Throws ``Failure/tooLarge(type:)``.
  func checked() throws(Failure) -> TransferEnvelope {
    let isSmall =
      switch self {
      case .plannedRoute(_, let name), .gpx(let name), .routingDatabase(_, let name):
        name.utf8.count <= Self.maximumNameBytes
      case .savedRoute(_, let name): (name?.utf8.count ?? 0) <= Self.maximumNameBytes
      case .waypoint(let waypoint, let thumbnail):
        (thumbnail?.count ?? 0) <= Self.maximumThumbnailBytes
          && waypoint.label.utf8.count + waypoint.note.utf8.count <= Self.maximumThumbnailBytes
      case .mapTiles(let region): region.name.utf8.count <= Self.maximumNameBytes
      case .availableRegions(let regions):
        regions.count <= Self.maximumRegions
          && regions.allSatisfy { $0.name.utf8.count <= Self.maximumNameBytes }
      }
    guard isSmall else { throw .tooLarge(type: type) }
    return self
  }
}

extension TransferEnvelope.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unknownType, .otherVersion: "The other device has another version of the app."
    case .noType, .badValue, .tooLarge: "The transfer from the other device is damaged."
    }
  }

  /// The missing or unknown value.
  public var failureReason: String? { description }
}
