// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules

/// A feature to climb or wade through on a way, named by instructions.
struct WayFeature: Hashable {
  enum Kind: String, Hashable, Sendable, Codable {
    case steps, ladder, rungs, viaFerrata, ford, steppingStones
  }

  /// The slope in the direction of travel.
  enum Slope: String, Hashable, Sendable, Codable {
    case up, down
  }

  var kind: Kind
  /// Nil if unknown or irrelevant.
  var slope: Slope?

  /// The climb from which an edge certainly leads up: elevations between posts of a tile are not
  /// exact enough for less.
  private static let certainMetres = 2.0

  /// The feature of an edge in its direction; nil if it has none.
  ///
  /// - Parameter tags: The tags of its way; if unknown, only `highway` counts.
  init?(_ edge: RoutingEdge, _ tags: [String: String]) {
    var way = edge.highwayType.map(WayKind.init(highway:)) ?? []
    for (key, value) in tags { way.formUnion(WayKind(key: key, value: value)) }
    if way.contains(.viaFerrata) {
      kind = .viaFerrata
    } else if way.contains(.ladder) {
      kind = .ladder
    } else if way.contains(.rungs) {
      kind = .rungs
    } else if let ford = tags["ford"], ford != "no" {
      kind = ford == "stepping_stones" ? .steppingStones : .ford
    } else if way.contains(.steps) {
      kind = .steps
    } else {
      return nil
    }
    if [.steps, .ladder, .rungs].contains(kind) { slope = Self.slope(edge, tags["incline"]) }
  }

  /// Makes a feature.
  init(_ kind: Kind, _ slope: Slope? = nil) { (self.kind, self.slope) = (kind, slope) }

  /// Whether it is announced even without other ways, since not everyone passes it easily.
  var isHurdle: Bool { kind != .steps }

  private static func slope(_ edge: RoutingEdge, _ incline: String?) -> Slope? {
    if let slope = incline.flatMap(Self.slope(incline:)) {
      return edge.isReversed ? (slope == .up ? .down : .up) : slope
    }
    let climb = edge.elevationGain - edge.elevationLoss
    return climb >= certainMetres ? .up : climb <= -certainMetres ? .down : nil
  }

  /// The slope of a value of `incline`: `up`, `-12%`.
  private static func slope(incline: String) -> Slope? {
    switch incline {
    case "up": .up
    case "down": .down
    default:
      Double(incline.prefix { "+-.0123456789".contains($0) }).flatMap {
        $0 == 0 ? nil : $0 > 0 ? .up : .down
      }
    }
  }
}
