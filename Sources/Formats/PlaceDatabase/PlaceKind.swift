// SPDX-License-Identifier: Apache-2.0

/// What a place is.
public enum PlaceKind: String, Hashable, Sendable, CaseIterable {
  /// A city, town, village, hamlet or a part of one.
  case settlement
  /// A named area without inhabitants.
  case locality
  case peak
  /// A saddle or a mountain pass.
  case saddle
  /// A hut, staffed or not.
  case hut
  case shelter
  /// A spring or drinking water.
  case water
  case viewpoint
  case campsite
  case picnicSite = "picnic_site"
  case cave
  case food
  case parking
  /// A stop or station of public transport.
  case transport
  case guidepost
  /// An information board or office.
  case information
  case toilets
  case danger
  /// A waymarked route.
  case route
  /// A named way for walking or cycling.
  case trail
  /// A named road or street.
  case road
  case ferry
  /// Anything else that has a name.
  case other

  /// The kind in plain English, such as `Picnic site`.
  public var label: String {
    switch self {
    case .transport: "Stop"
    case .route: "Waymarked route"
    case .food: "Food and drink"
    case .picnicSite: "Picnic site"
    case .other: "Place"
    default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }

  /// Whether places of this kind have lines.
  public var isLine: Bool {
    switch self {
    case .route, .trail, .road, .ferry: true
    default: false
    }
  }
}

/// How far a place is known around: what is further away is not described by it.
package enum PlaceReach: Int, Sendable, CaseIterable {
  /// A stop, a fountain, a car park.
  case close = 0
  /// A hamlet, a saddle, a lesser peak.
  case near = 1
  /// A village, a hut, a prominent peak.
  case far = 2
  /// A town.
  case veryFar = 3
  /// A line, which nothing is described by except what lies on it.
  case line = 4

  /// The reach in metres.
  package var metres: Double {
    switch self {
    case .close: 250
    case .near: 1000
    case .far: 4000
    case .veryFar: 16_000
    case .line: 0
    }
  }
}
