// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// A way on which nobody stands who points at a map. A point that somebody chose lies on one only if
/// there is no other way within reach.
public enum LastResortWay: String, Hashable, Sendable {
  /// A ferry, in the middle of the water.
  case ferry
  /// A tunnel, below the point.
  case tunnel
  /// A bridge that does not lie at the point but beside it, more than ``bridgeMetres`` away.
  case bridge

  /// The greatest distance, in metres, of a bridge that is meant: half of a wide one, and the
  /// precision of a finger on a map.
  public static let bridgeMetres = 15.0

  /// Judges a way by its kind and its distance from the point; nil if it is like any other.
  init?(_ kind: WayKind, metres: Double) {
    if kind.contains(.ferry) {
      self = .ferry
    } else if kind.contains(.underground) {
      self = .tunnel
    } else if kind.contains(.bridge), metres > Self.bridgeMetres {
      self = .bridge
    } else {
      return nil
    }
  }
}

/// Where a point comes from.
enum PointOrigin: Sendable {
  /// Somebody chose it. See ``LastResortWay``.
  case chosen
  /// Somebody is there, or it was taken from a way: it may lie on any.
  case fix
}

extension RoutingStore {
  /// The kind of an edge's way, by its tags or, in a database without them, by its `highway`.
  func wayKind(ofEdge id: Int64) throws(RoutingError) -> WayKind {
    if let tags = try wayTags(ofEdge: id) { return WayKind(ofPlace: TagList(tags)) }
    return WayKind(highwayType: try description(ofEdge: id).highwayType)
  }
}

extension WayKind {
  /// The kind of a way of which nothing but its `highway_type` is known.
  init(highwayType: String?) {
    let highway = highwayType ?? ""
    self = highway == TagSelection.ferryRoute ? .ferry : WayKind(highway: highway)
  }
}
