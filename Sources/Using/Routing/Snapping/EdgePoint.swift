// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A point on an edge where a route begins or ends.
public struct EdgePoint: Hashable, Sendable {
  /// The id of the edge.
  public var edge: Int64
  /// The node that the edge's row leads from.
  public var fromNode: Int64
  /// The node that it leads to.
  public var toNode: Int64
  /// Its coordinate.
  public var coordinate: Coordinate
  /// Its position as a share of the edge's length: 0 at ``fromNode``, 1 at ``toNode``.
  public var share: Double
  /// Metres from the requested point.
  public var distanceMetres: Double
  /// The cost of the whole edge in the direction of its row; infinite if it is impassable.
  public var cost: Double
  /// The cost in the other direction; infinite if that is impassable.
  public var reverseCost: Double
  /// The kind of its way if that was taken only since there is no other way near a chosen point.
  public var lastResort: LastResortWay?

  /// The node at the point; nil inside the edge.
  public var node: Int64? { share <= 0 ? fromNode : share >= 1 ? toNode : nil }

  /// A point within this distance of an end of its edge, in metres, is moved to that end, since
  /// geometries are hardly more precise.
  public static let nodeRadiusMetres = 1.0
}
