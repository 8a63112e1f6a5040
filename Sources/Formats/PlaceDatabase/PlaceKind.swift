// SPDX-License-Identifier: Apache-2.0

/// The kind of a place.
public enum PlaceKind: String, Hashable, Sendable, CaseIterable {
  /// A city, town, village, hamlet or part of one.
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
  case lake
  /// A river, a stream or a canal.
  case river
  case waterfall
  case glacier
  case valley
  case ridge
  /// A hotel, a hostel, a guest house or rooms to let.
  case lodging
  /// A place of worship.
  case church
  /// A castle, a monument, ruins.
  case monument
  case museum
  /// A pharmacy, a doctor or a hospital.
  case health
  /// Mountain rescue, an emergency telephone, a defibrillator.
  case rescue
  /// A lift for skiers.
  case lift
  /// A house number.
  case address
  /// A point given by its coordinate.
  case point
  /// Anything else with a name.
  case other

  /// The kind in plain English, such as `Picnic site`.
  public var label: String {
    switch self {
    case .transport: "Stop"
    case .route: "Waymarked route"
    case .food: "Food and drink"
    case .picnicSite: "Picnic site"
    case .other: "Place"
    case .health: "Medical help"
    case .rescue: "Emergency help"
    default: rawValue.prefix(1).uppercased() + String(rawValue.dropFirst())
    }
  }

  /// Whether places of this kind have lines.
  public var isLine: Bool {
    switch self {
    case .route, .trail, .road, .ferry, .river: true
    default: false
    }
  }
}

/// A more specific type than a place's kind.
public enum PlaceDetail: UInt8, Hashable, Sendable, CaseIterable {
  case spring = 1
  /// A tap, a fountain or another source of drinking water.
  case drinkingWater
  /// A shop that sells food.
  case foodShop
  case restaurant
  /// A café, a bar or the like.
  case cafe
  case pharmacy
  case doctor
  case hospital
  case railwayStation
  case tramStop
  case busStop
  case cableCar
  case ferry
  case telephone
  case defibrillator
  case mountainRescue
  /// A staffed information office.
  case visitorCentre

  /// The detail in plain English, such as `Bus stop`.
  public var label: String {
    switch self {
    case .spring: "Spring"
    case .drinkingWater: "Drinking water"
    case .foodShop: "Food shop"
    case .restaurant: "Restaurant"
    case .cafe: "Café or bar"
    case .pharmacy: "Pharmacy"
    case .doctor: "Doctor"
    case .hospital: "Hospital"
    case .railwayStation: "Railway station"
    case .tramStop: "Tram stop"
    case .busStop: "Bus stop"
    case .cableCar: "Cable car"
    case .ferry: "Ferry"
    case .telephone: "Telephone"
    case .defibrillator: "Defibrillator"
    case .mountainRescue: "Mountain rescue"
    case .visitorCentre: "Visitor centre"
    }
  }
}

/// Warnings before going to a place, as far as mapped.
public struct PlaceFlags: OptionSet, Hashable, Sendable {
  /// The bits, as in the column `flags`.
  public let rawValue: UInt8

  /// Makes flags of their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is temporarily closed.
  public static let closed = PlaceFlags(rawValue: 1)
  /// Its water is not for drinking.
  public static let notDrinkable = PlaceFlags(rawValue: 2)

  private static let detailShift: UInt8 = 3

  /// These flags and the more specific type in one number, as in the column `flags`.
  package func bits(_ detail: PlaceDetail?) -> UInt8 {
    rawValue | (detail?.rawValue ?? 0) << Self.detailShift
  }

  /// The flags and the detail in a number of ``bits(_:)``.
  package static func parts(ofBits bits: UInt8) -> (flags: PlaceFlags, detail: PlaceDetail?) {
    (
      PlaceFlags(rawValue: bits & (1 << detailShift - 1)),
      PlaceDetail(rawValue: bits >> detailShift)
    )
  }

  private static let names: [(flag: PlaceFlags, name: String, text: String)] = [
    (.closed, "closed", "closed"), (.notDrinkable, "notDrinkable", "not for drinking"),
  ]

  /// The names of the flags, such as `closed`.
  package var names: [String] { Self.names.filter { contains($0.flag) }.map(\.name) }
  /// The flags in plain English, such as `not for drinking`.
  package var texts: [String] { Self.names.filter { contains($0.flag) }.map(\.text) }
}

/// The reach of a place: locations further away are not described by it.
package enum PlaceReach: Int, Sendable, CaseIterable {
  /// A stop, a fountain, a car park.
  case close = 0
  /// A hamlet, a saddle, a lesser peak.
  case near = 1
  /// A village, a hut, a prominent peak.
  case far = 2
  /// A town.
  case veryFar = 3
  /// A line, which describes only locations on it.
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
