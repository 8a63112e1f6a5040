// SPDX-License-Identifier: Apache-2.0

/// The most important waymarked routes along a way, as one byte of a `.graph` file: on foot in the
/// lower four bits, by bicycle in the upper four.
package struct RouteNetworks: RawRepresentable, Hashable, Sendable {
  /// How far the routes of a network reach.
  package enum Reach: UInt8, Sendable, Comparable, CaseIterable {
    /// A route without a network, or with a network other than these four.
    case any = 1
    /// `lwn`, `lcn`.
    case local
    /// `rwn`, `rcn`.
    case regional
    /// `nwn`, `ncn`.
    case national
    /// `iwn`, `icn`.
    case international

    /// The order of importance.
    package static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }

    fileprivate static let letters: [(Reach, Character)] = [
      (.local, "l"), (.regional, "r"), (.national, "n"), (.international, "i"),
    ]
  }

  /// A network, on foot or by bicycle.
  package struct Network: Equatable, Sendable {
    /// How far it reaches.
    package var reach: Reach
    /// Whether it is for bicycles rather than for walking.
    package var isForBicycles: Bool

    /// The value of `network`, such as `rwn`; `any` if there is none.
    package var name: String {
      let letter = Reach.letters.first { $0.0 == reach }?.1
      return letter.map { "\($0)\(isForBicycles ? "c" : "w")n" } ?? "any"
    }
  }

  /// The byte.
  package private(set) var rawValue: UInt8

  /// Makes networks from a byte; unknown values count as no network.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No route.
  package static let none = RouteNetworks(rawValue: 0)

  /// The most important route on foot, if any.
  package var onFoot: Network? {
    Reach(rawValue: rawValue & 15).map { Network(reach: $0, isForBicycles: false) }
  }

  /// The most important route by bicycle, if any.
  package var byBicycle: Network? {
    Reach(rawValue: rawValue >> 4).map { Network(reach: $0, isForBicycles: true) }
  }

  /// Keeps the more important routes of both.
  package mutating func formUnion(_ other: RouteNetworks) {
    rawValue = max(rawValue & 15, other.rawValue & 15) | max(rawValue & 240, other.rawValue & 240)
  }

  /// The networks of a route from its tags, each with one or more values separated by semicolons.
  package init(route: String, network: String?) {
    let kinds = Self.values(route)
    let isForBicycles = kinds.contains("bicycle") || kinds.contains("mtb")
    let isForWalkers = kinds.contains { $0 != "bicycle" && $0 != "mtb" }
    let names = network.map(Self.values) ?? []
    func reach(_ kind: Character) -> UInt8 {
      let known = Reach.letters.last { _, letter in names.contains("\(letter)\(kind)n") }
      return (known?.0 ?? .any).rawValue
    }
    rawValue = (isForWalkers ? reach("w") : 0) | (isForBicycles ? reach("c") << 4 : 0)
  }

  private static func values(_ text: String) -> [String] {
    text.split(separator: ";").map { part in
      String(part.drop { $0 == " " }.prefix { $0 != " " })
    }
  }
}
