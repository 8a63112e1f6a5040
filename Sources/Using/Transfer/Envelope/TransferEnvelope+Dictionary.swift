// SPDX-License-Identifier: Apache-2.0
import CairnWaypoints

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of dictionaries.
enum TransferKey {
  static let type = "type"
  static let version = "version"
  static let routeId = "routeId"
  static let name = "name"
  static let thumbnailData = "thumbnailData"
  static let availableRegions = "availableRegions"
  /// The id of the transfer, the same when it is sent again. Other apps ignore it.
  static let transferId = "transferId"
  /// When the record was changed, in seconds since 1970. Other apps pass over it.
  static let modifiedAt = "modifiedAt"
}

extension TransferEnvelope {
  /// The envelope as property-list values, with the thumbnail as data.
  public func toDictionary() -> [String: Any] {
    var dictionary: [String: Any]
    switch self {
    case .plannedRoute(let id, let name):
      dictionary = [TransferKey.routeId: id.uuidString, TransferKey.name: name]
    case .savedRoute(let id, let name):
      dictionary = [TransferKey.routeId: id.uuidString]
      if let name { dictionary[TransferKey.name] = name }
    case .waypoint(let waypoint, let thumbnailData):
      dictionary = waypoint.toDictionary()
      if let thumbnailData { dictionary[TransferKey.thumbnailData] = thumbnailData }
    case .gpx(let name): dictionary = [TransferKey.name: name]
    case .routingDatabase(let id, let name):
      dictionary = [TransferRegion.Key.regionId.rawValue: id.uuidString, TransferKey.name: name]
    case .mapTiles(let region): dictionary = region.toDictionary()
    case .availableRegions(let regions):
      dictionary = [TransferKey.availableRegions: regions.map { $0.toDictionary() }]
    }
    dictionary[TransferKey.type] = type
    return dictionary
  }

  /// Reads what ``toDictionary()`` makes. Throws ``Failure``.
  public static func fromDictionary(_ dictionary: [String: Any]) throws(Failure)
    -> TransferEnvelope
  {
    if let version = dictionary[TransferKey.version] {
      guard let number = version as? Int else { throw .badValue(type: TransferKey.version) }
      guard number == Self.version else { throw .otherVersion(number) }
    }
    var type = dictionary[TransferKey.type] as? String
    // The list of an application context has no type.
    if dictionary[TransferKey.type] == nil, dictionary[TransferKey.availableRegions] != nil {
      type = Kind.availableRegions.rawValue
    }
    guard let type else { throw .noType }
    guard let kind = Kind(rawValue: type) else { throw .unknownType(type) }
    guard let envelope = read(kind, dictionary) else { throw .badValue(type: type) }
    return try envelope.checked()
  }

  private static func read(_ kind: Kind, _ dictionary: [String: Any]) -> TransferEnvelope? {
    let name = dictionary[TransferKey.name] as? String
    func id(_ key: String) -> UUID? {
      (dictionary[key] as? String).flatMap { UUID(uuidString: $0) }
    }
    switch kind {
    case .plannedRoute:
      guard let id = id(TransferKey.routeId), let name else { return nil }
      return .plannedRoute(routeId: id, name: name)
    case .savedRoute: return id(TransferKey.routeId).map { .savedRoute(routeId: $0, name: name) }
    case .waypoint:
      return Waypoint.fromDictionary(dictionary).map {
        .waypoint($0, thumbnailData: dictionary[TransferKey.thumbnailData] as? Data)
      }
    case .gpx: return name.map { .gpx(name: $0) }
    case .routingdb:
      guard let id = id(TransferRegion.Key.regionId.rawValue), let name else { return nil }
      return .routingDatabase(regionId: id, name: name)
    case .mbtiles: return TransferRegion.fromDictionary(dictionary).map { .mapTiles($0) }
    case .availableRegions:
      guard let list = dictionary[TransferKey.availableRegions] as? [[String: Any]] else {
        return nil
      }
      let regions = list.compactMap(TransferRegion.fromDictionary)
      return regions.count == list.count ? .availableRegions(regions) : nil
    }
  }
}
