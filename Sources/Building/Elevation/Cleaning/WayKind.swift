// SPDX-License-Identifier: Apache-2.0
import TrailData

/// What the tags of a way say about how its elevation runs.
struct WayKind: OptionSet, Sendable {
  let rawValue: UInt8

  /// The way leaves the ground: a bridge, a tunnel, a ferry or something else below the ground. The
  /// terrain's elevation is not its own.
  static let structure = WayKind(rawValue: 1)
  /// The way may be steeper than any path: steps, a ladder, a via ferrata.
  static let steep = WayKind(rawValue: 2)
  /// The way is a bridge; such a way is a ``structure``, too.
  static let bridge = WayKind(rawValue: 4)
}

/// Reads ``WayKind`` from the tags of ways; texts are looked up once and compared as numbers.
struct WayKinds {
  private let table: TagTable
  private let bridge, tunnel, location, route, highway, ladder, rungs, ferrata: UInt32?
  private let no, zero, buildingPassage, underground, ferry: UInt32?
  private let steepHighways: [UInt32]

  init(_ trails: TrailsFile) {
    table = trails.wayTags
    let strings = trails.strings
    bridge = strings.index(of: "bridge")
    tunnel = strings.index(of: "tunnel")
    location = strings.index(of: "location")
    route = strings.index(of: "route")
    highway = strings.index(of: "highway")
    ladder = strings.index(of: "ladder")
    rungs = strings.index(of: "rungs")
    ferrata = strings.index(of: "via_ferrata_scale")
    no = strings.index(of: "no")
    zero = strings.index(of: "0")
    buildingPassage = strings.index(of: "building_passage")
    underground = strings.index(of: "underground")
    ferry = strings.index(of: "ferry")
    steepHighways = ["steps", "ladder", "via_ferrata"].compactMap { strings.index(of: $0) }
  }

  /// The kind of a way. `covered=yes` alone says nothing about the ground below, and a passage
  /// through a building stands on it.
  func kind(ofWay way: Int) -> WayKind {
    var kind: WayKind = []
    for place in table.tags(of: way) {
      let value: UInt32? = table.value(place)
      switch table.key(place) {
      case bridge where value != no: kind.formUnion([.structure, .bridge])
      case tunnel where value != no && value != buildingPassage: kind.insert(.structure)
      case location where value == underground: kind.insert(.structure)
      case route where value == ferry: kind.insert(.structure)
      case highway where steepHighways.contains(table.value(place)): kind.insert(.steep)
      case ladder where value != no: kind.insert(.steep)
      case rungs where value != no && value != zero: kind.insert(.steep)
      case ferrata where value != no && value != zero: kind.insert(.steep)
      default: break
      }
    }
    return kind
  }
}
