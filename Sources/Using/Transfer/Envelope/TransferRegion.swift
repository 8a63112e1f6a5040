// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A region as described between devices: its name, its area and its map.
public struct TransferRegion: Hashable, Sendable, Codable {
  /// Its identity, the `id` of `region.json`.
  public var regionId: UUID
  /// Its name.
  public var name: String
  /// The least zoom of its map, 0…24.
  public var minZoom: Int
  /// The greatest zoom of its map, not below ``minZoom``.
  public var maxZoom: Int
  /// The tiles of its map.
  public var tileCount: Int
  /// The greatest latitude.
  public var north: Double
  /// The least latitude.
  public var south: Double
  /// The longitude of the eastern edge; less than ``west`` across the antimeridian.
  public var east: Double
  /// The longitude of the western edge.
  public var west: Double
  /// Whether there is a routing database.
  public var hasRoutingData: Bool

  /// Makes a region without checking it; the other device reads only plausible ones.
  public init(
    regionId: UUID, name: String, minZoom: Int, maxZoom: Int, tileCount: Int, north: Double,
    south: Double, east: Double, west: Double, hasRoutingData: Bool
  ) {
    self.regionId = regionId
    self.name = name
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.tileCount = tileCount
    self.north = north
    self.south = south
    self.east = east
    self.west = west
    self.hasRoutingData = hasRoutingData
  }

  /// The region of a bundle; nil if its id is not a UUID.
  public init?(_ record: RegionRecord) {
    guard let id = record.regionId else { return nil }
    let box = record.boundingBox
    self.init(
      regionId: id, name: record.name, minZoom: record.minZoom, maxZoom: record.maxZoom,
      tileCount: record.tileCount, north: box.north, south: box.south, east: box.east,
      west: box.west, hasRoutingData: record.hasRoutingData)
  }

  /// Whether its zooms, counts and edges are plausible.
  var isSound: Bool {
    0 <= minZoom && minZoom <= maxZoom && maxZoom <= 24 && tileCount >= 0 && south <= north
      && Coordinate(latitude: north, longitude: east).isValid
      && Coordinate(latitude: south, longitude: west).isValid
  }

  enum Key: String, CodingKey {
    case regionId, name, minZoom, maxZoom, tileCount, north, south, east, west, hasRoutingData
  }

  /// Throws a `DecodingError` if a value is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func degrees(_ key: Key) throws -> Double { try values.decode(Double.self, forKey: key) }
    self.init(
      regionId: try values.decode(UUID.self, forKey: .regionId),
      name: try values.decode(String.self, forKey: .name),
      minZoom: try values.decode(Int.self, forKey: .minZoom),
      maxZoom: try values.decode(Int.self, forKey: .maxZoom),
      tileCount: try values.decode(Int.self, forKey: .tileCount), north: try degrees(.north),
      south: try degrees(.south), east: try degrees(.east), west: try degrees(.west),
      hasRoutingData: try values.decode(Bool.self, forKey: .hasRoutingData))
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .regionId, in: values,
        debugDescription: "a zoom, a count or an edge is out of range")
    }
  }

  /// The region as property-list values.
  public func toDictionary() -> [String: Any] {
    let values: [Key: Any] = [
      .regionId: regionId.uuidString, .name: name, .minZoom: minZoom, .maxZoom: maxZoom,
      .tileCount: tileCount, .north: north, .south: south, .east: east, .west: west,
      .hasRoutingData: hasRoutingData,
    ]
    return values.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
  }

  /// Reads the result of ``toDictionary()``; nil if a value is missing or out of range.
  /// `hasRoutingData` may be missing and is then false.
  public static func fromDictionary(_ dictionary: [String: Any]) -> TransferRegion? {
    func degrees(_ key: Key) -> Double? {
      let value = dictionary[key.rawValue]
      return value as? Double ?? (value as? Int).map(Double.init)
    }
    guard
      let id = (dictionary[Key.regionId.rawValue] as? String).flatMap({ UUID(uuidString: $0) }),
      let name = dictionary[Key.name.rawValue] as? String,
      let minZoom = dictionary[Key.minZoom.rawValue] as? Int,
      let maxZoom = dictionary[Key.maxZoom.rawValue] as? Int,
      let tileCount = dictionary[Key.tileCount.rawValue] as? Int, let north = degrees(.north),
      let south = degrees(.south), let east = degrees(.east), let west = degrees(.west)
    else { return nil }
    let region = TransferRegion(
      regionId: id, name: name, minZoom: minZoom, maxZoom: maxZoom, tileCount: tileCount,
      north: north, south: south, east: east, west: west,
      hasRoutingData: dictionary[Key.hasRoutingData.rawValue] as? Bool ?? false)
    return region.isSound ? region : nil
  }
}
