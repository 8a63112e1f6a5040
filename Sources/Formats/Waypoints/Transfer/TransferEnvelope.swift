// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What devices of one user send each other, told apart by `type`.
///
/// As JSON or as a property list it is one dictionary: the `type`, and beside it the values of the
/// case. ``toDictionary()`` has the same keys.
public enum TransferEnvelope: Hashable, Sendable {
  /// The file of a planned route comes along; `type` is `plannedRoute`.
  case plannedRoute(routeId: UUID, name: String)
  /// A waypoint with its thumbnail, if it has one; `type` is `waypoint`.
  case waypoint(Waypoint, thumbnailData: Data?)

  /// Why a transfer cannot be read.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no `type`.
    case noType
    /// A later version may know this type.
    case unknownType(String)
    /// A value of this type is missing or invalid.
    case badValue(type: String)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .noType: "the transfer has no type"
      case .unknownType(let type): "the transfer has the unknown type “\(type.prefix(40))”"
      case .badValue(let type): "a value of the transfer of type “\(type)” is missing or invalid"
      }
    }
  }

  private enum Kind: String { case plannedRoute, waypoint }

  private var kind: Kind {
    switch self {
    case .plannedRoute: .plannedRoute
    case .waypoint: .waypoint
    }
  }

  /// The values that a property list can have; the thumbnail is data.
  public func toDictionary() -> [String: Any] {
    var dictionary: [String: Any]
    switch self {
    case .plannedRoute(let routeId, let name):
      dictionary = ["routeId": routeId.uuidString, "name": name]
    case .waypoint(let waypoint, let thumbnailData):
      dictionary = waypoint.toDictionary()
      if let thumbnailData { dictionary["thumbnailData"] = thumbnailData }
    }
    dictionary["type"] = kind.rawValue
    return dictionary
  }

  /// Reads what ``toDictionary()`` makes. Throws ``Failure``.
  public static func fromDictionary(_ dictionary: [String: Any]) throws(Failure)
    -> TransferEnvelope
  {
    guard let type = dictionary["type"] as? String else { throw .noType }
    switch Kind(rawValue: type) {
    case .plannedRoute:
      guard let id = (dictionary["routeId"] as? String).flatMap({ UUID(uuidString: $0) }),
        let name = dictionary["name"] as? String
      else { throw .badValue(type: type) }
      return .plannedRoute(routeId: id, name: name)
    case .waypoint:
      guard let waypoint = Waypoint.fromDictionary(dictionary) else { throw .badValue(type: type) }
      return .waypoint(waypoint, thumbnailData: dictionary["thumbnailData"] as? Data)
    case nil: throw .unknownType(type)
    }
  }
}

extension TransferEnvelope: Codable {
  private enum CodingKeys: String, CodingKey { case type, routeId, name, thumbnailData }

  /// Reads a transfer. Throws ``Failure/noType`` and ``Failure/unknownType(_:)``, and a
  /// `DecodingError` where a value is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let type = try? values.decode(String.self, forKey: .type) else { throw Failure.noType }
    switch Kind(rawValue: type) {
    case .plannedRoute:
      self = .plannedRoute(
        routeId: try values.decode(UUID.self, forKey: .routeId),
        name: try values.decode(String.self, forKey: .name))
    case .waypoint:
      self = .waypoint(
        try Waypoint(from: decoder),
        thumbnailData: try values.decodeIfPresent(Data.self, forKey: .thumbnailData))
    case nil: throw Failure.unknownType(type)
    }
  }

  /// Writes the transfer.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind.rawValue, forKey: .type)
    switch self {
    case .plannedRoute(let routeId, let name):
      try values.encode(routeId, forKey: .routeId)
      try values.encode(name, forKey: .name)
    case .waypoint(let waypoint, let thumbnailData):
      try waypoint.encode(to: encoder)
      try values.encodeIfPresent(thumbnailData, forKey: .thumbnailData)
    }
  }
}

extension TransferEnvelope.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unknownType: "The other device has a later version of the app."
    case .noType, .badValue: "The transfer from the other device is damaged."
    }
  }

  /// What is missing or unknown.
  public var failureReason: String? { description }
}
