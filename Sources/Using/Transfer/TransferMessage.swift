// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A request to another device while both are awake, told apart by `action`.
public enum TransferMessage: String, CaseIterable, Hashable, Sendable {
  /// The other device is to send its list of regions again.
  case requestRegions
  /// Whether the other device is there.
  case ping

  private static let key = "action"

  /// The message as property-list values.
  public var dictionary: [String: Any] { [Self.key: rawValue] }

  /// Reads what ``dictionary`` has; nil for anything else.
  public init?(_ dictionary: [String: Any]) {
    guard let action = dictionary[Self.key] as? String else { return nil }
    self.init(rawValue: action)
  }

  /// The immediate reply; nil if the answer comes by another way.
  public func reply(at time: Date) -> [String: Any]? {
    switch self {
    case .ping: ["status": "ok", "timestamp": time.timeIntervalSince1970]
    case .requestRegions: nil
    }
  }
}
