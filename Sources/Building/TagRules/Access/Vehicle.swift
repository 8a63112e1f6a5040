// SPDX-License-Identifier: Apache-2.0

/// Tags by key, for rules that ask for them by name.
package typealias WayTags = [String: String]

/// The vehicle whose access rules apply.
package enum Vehicle: String, Sendable, CaseIterable {
  /// A walker's.
  case foot
  /// A cyclist's.
  case bicycle

  /// The access keys of this vehicle, the most specific one first.
  package var ownKeys: [String] { self == .foot ? ["foot"] : ["bicycle", "vehicle"] }

  /// The key of ``WayTags`` that names the network of the most important waymarked route of this
  /// vehicle along a way. OpenStreetMap has no such key: routes are relations there.
  package var routeKey: String {
    switch self {
    case .foot: "route:foot"
    case .bicycle: "route:bicycle"
    }
  }
}
