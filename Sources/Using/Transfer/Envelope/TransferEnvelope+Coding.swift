// SPDX-License-Identifier: Apache-2.0
import CairnWaypoints

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TransferEnvelope: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, version, routeId, regionId, name, thumbnailData, availableRegions
  }

  /// Reads a transfer. Throws ``Failure``, and a `DecodingError` if a value is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let version = try values.decodeIfPresent(Int.self, forKey: .version),
      version != Self.version
    {
      throw Failure.otherVersion(version)
    }
    guard let type = try? values.decode(String.self, forKey: .type) else { throw Failure.noType }
    let envelope: TransferEnvelope
    switch Kind(rawValue: type) {
    case .plannedRoute:
      envelope = .plannedRoute(
        routeId: try values.decode(UUID.self, forKey: .routeId),
        name: try values.decode(String.self, forKey: .name))
    case .savedRoute:
      envelope = .savedRoute(
        routeId: try values.decode(UUID.self, forKey: .routeId),
        name: try values.decodeIfPresent(String.self, forKey: .name))
    case .waypoint:
      envelope = .waypoint(
        try Waypoint(from: decoder),
        thumbnailData: try values.decodeIfPresent(Data.self, forKey: .thumbnailData))
    case .gpx: envelope = .gpx(name: try values.decode(String.self, forKey: .name))
    case .routingdb:
      envelope = .routingDatabase(
        regionId: try values.decode(UUID.self, forKey: .regionId),
        name: try values.decode(String.self, forKey: .name))
    case .mbtiles: envelope = .mapTiles(try TransferRegion(from: decoder))
    case .availableRegions:
      envelope = .availableRegions(
        try values.decode([TransferRegion].self, forKey: .availableRegions))
    case nil: throw Failure.unknownType(type)
    }
    self = try envelope.checked()
  }

  /// Writes the transfer.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(type, forKey: .type)
    switch self {
    case .plannedRoute(let id, let name):
      try values.encode(id, forKey: .routeId)
      try values.encode(name, forKey: .name)
    case .savedRoute(let id, let name):
      try values.encode(id, forKey: .routeId)
      try values.encodeIfPresent(name, forKey: .name)
    case .waypoint(let waypoint, let thumbnailData):
      try waypoint.encode(to: encoder)
      try values.encodeIfPresent(thumbnailData, forKey: .thumbnailData)
    case .gpx(let name): try values.encode(name, forKey: .name)
    case .routingDatabase(let id, let name):
      try values.encode(id, forKey: .regionId)
      try values.encode(name, forKey: .name)
    case .mapTiles(let region): try region.encode(to: encoder)
    case .availableRegions(let regions): try values.encode(regions, forKey: .availableRegions)
    }
  }
}
