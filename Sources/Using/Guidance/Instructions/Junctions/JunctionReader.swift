// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

/// A junction at which a route passes from one edge to the next.
struct Junction {
  /// The edges by which the route arrives and leaves.
  var arriving: RoutingEdge
  var leaving: RoutingEdge
  /// The labels of these edges in sentences.
  var before: WayLabel
  var after: WayLabel
  var coordinate: Coordinate
  /// Metres from the start.
  var distance: Double
  /// The other ways out, except back; nil if unknown.
  var others: [OtherWay]?
  /// Whether the edges by which the route arrives and leaves are part of a roundabout.
  var arrivesOnRoundabout = false
  var leavesOnRoundabout = false

  /// Whether the route turns back along the edge by which it arrived.
  var isTurningBack: Bool {
    arriving.id == leaving.id && arriving.isReversed != leaving.isReversed
  }

  /// Whether the route boards or leaves a ferry.
  var isLanding: Bool { before.isFerry != after.isFerry }

  /// Whether the route stays on an area to walk on. One without a name is a part of its neighbour.
  var staysOnArea: Bool {
    guard before.isArea, after.isArea, !isTurningBack else { return false }
    return before.name == nil || after.name == nil || before.name == after.name
  }

  /// Whether there is a choice.
  var isChoice: Bool { isTurningBack || isLanding || others?.isEmpty != true }
}

/// A way that leads away from a junction of a route, as the eye sees it.
struct OtherWay {
  /// The bearing at its beginning, in degrees clockwise from north.
  var bearing: Double
  /// The bearing of its first metres, as ``TurnDecision/firstMetres`` says.
  var firstBearing: Double
  var label: WayLabel
  /// Whether it is closed to the profile in this direction, such as a private road.
  var isClosed = false
  /// Whether cars may leave a roundabout by it; known only at roundabouts.
  var isExit = false
}

/// What surrounds a route.
protocol RouteSurroundings {
  associatedtype Failure: Error

  /// The tags of an edge's way; empty if unknown.
  func tags(of edge: RoutingEdge) throws(Failure) -> [String: String]

  /// The other ways at a node of the route, except back; nil if unknown.
  ///
  /// - Parameters:
  ///   - isRoundabout: Whether the route arrives on a roundabout.
  ///   - seconds: The time from the departure until the route reaches the junction.
  func others(
    at node: RoutingNode, arriving: RoutingEdge, leaving: RoutingEdge, isRoundabout: Bool,
    seconds: Double
  ) throws(Failure) -> [OtherWay]?

  /// How long an edge of the route takes; 0 if no time matters.
  func seconds(_ edge: RoutingEdge) -> Double
}

/// The surroundings of a route without a database.
struct UnknownSurroundings: RouteSurroundings {
  func tags(of edge: RoutingEdge) -> [String: String] { [:] }

  func others(
    at node: RoutingNode, arriving: RoutingEdge, leaving: RoutingEdge, isRoundabout: Bool,
    seconds: Double
  ) -> [OtherWay]? { nil }

  func seconds(_ edge: RoutingEdge) -> Double { 0 }
}

extension RouteSurroundings {
  /// The junctions of a route in their order.
  func junctions(of route: ComputedRoute) throws(Failure) -> [Junction] {
    var junctions: [Junction] = []
    var (travelled, seconds) = (0.0, 0.0)
    var arriving: (edge: RoutingEdge, label: WayLabel, index: Int)?
    var wasRoundabout = false
    for (index, edge) in route.edges.enumerated() where !edge.isBarrier {
      let tags = try tags(of: edge)
      let (isRoundabout, label) = (isPartOfRoundabout(tags), edge.label(tags: tags))
      defer { wasRoundabout = isRoundabout }
      if let (last, before, lastIndex) = arriving, lastIndex + 1 < route.nodes.count {
        let nodes = route.nodes[(lastIndex + 1)...min(index, route.nodes.count - 1)]
        guard let node = nodes.first else { continue }
        junctions.append(
          Junction(
            arriving: last, leaving: edge, before: before, after: label,
            coordinate: node.coordinate, distance: travelled,
            others: try others(
              at: node, arriving: last, leaving: edge, isRoundabout: wasRoundabout,
              seconds: seconds),
            arrivesOnRoundabout: wasRoundabout, leavesOnRoundabout: isRoundabout))
      }
      travelled += edge.distance
      seconds += self.seconds(edge)
      arriving = (edge, label, index)
    }
    return junctions
  }

  /// The label of an edge, including its tags.
  func label(of edge: RoutingEdge) throws(Failure) -> WayLabel {
    edge.label(tags: try tags(of: edge))
  }
}

/// Looks up the surroundings of a route in a database.
struct JunctionReader: RouteSurroundings {
  private let store: RoutingStore
  private let profile: String?
  private let bearingDistanceMetres: Double
  /// The ways on the day of the route.
  private let ways: WaysOfDay

  /// Reads the surroundings of a route from a database.
  init(
    _ store: RoutingStore, of route: ComputedRoute, profile: String?,
    bearingDistanceMetres: Double
  ) throws(RoutingError) {
    (self.store, self.profile) = (store, profile)
    self.bearingDistanceMetres = bearingDistanceMetres
    ways = try WaysOfDay(store, of: route, profile: profile)
  }

  /// Barriers separate copies of one node; only a broken database has more copies than this.
  private static let maximumCopies = 64

  func others(
    at node: RoutingNode, arriving: RoutingEdge, leaving: RoutingEdge, isRoundabout: Bool,
    seconds: Double
  ) throws(RoutingError) -> [OtherWay]? {
    var others: [OtherWay] = []
    var copies = [node.id]
    var next = 0
    while next < copies.count, copies.count < Self.maximumCopies {
      for edge in try ways.edges(at: copies[next], seconds: seconds) {
        if edge.isBarrier {
          if edge.cost.isFinite, !copies.contains(edge.toNode) { copies.append(edge.toNode) }
          continue
        }
        let isBack = edge.id == arriving.id && edge.isReversed != arriving.isReversed
        let isOn = edge.id == leaving.id && edge.isReversed == leaving.isReversed
        if isBack || isOn || !edge.isVisible { continue }
        let end = try store.getNode(edge.toNode).map { [$0.coordinate] } ?? []
        let line = [node.coordinate] + edge.geometry + end
        guard
          let bearing = BearingCalculator.bearing(along: line, metres: bearingDistanceMetres),
          let first = BearingCalculator.bearing(along: line, metres: TurnDecision.firstMetres)
        else { continue }
        others.append(
          OtherWay(
            bearing: bearing, firstBearing: first, label: edge.label,
            isClosed: edge.cost.isInfinite,
            isExit: isRoundabout ? try isExit(edge) : false))
      }
      next += 1
    }
    return others
  }

  func tags(of edge: RoutingEdge) throws(RoutingError) -> [String: String] {
    try store.tags(ofEdge: edge.id)?.way ?? [:]
  }

  func seconds(_ edge: RoutingEdge) -> Double { ways.seconds(edge) }

  /// Whether an edge, in its direction, is a road that leaves a roundabout: not part of it, not a
  /// path, and not a one-way towards it.
  private func isExit(_ edge: RoutingEdge) throws(RoutingError) -> Bool {
    guard edge.label.isRoad else { return false }
    let tags = try tags(of: edge)
    guard !isPartOfRoundabout(tags) else { return false }
    switch tags["oneway"] {
    case "yes", "true", "1": return !edge.isReversed
    case "-1", "reverse": return edge.isReversed
    default: return true
    }
  }
}

/// Whether a way with these tags is part of a roundabout.
private func isPartOfRoundabout(_ tags: [String: String]) -> Bool {
  tags["junction"] == "roundabout" || tags["junction"] == "circular"
}

extension RoutingEdge {
  /// Whether a traveller notices the way at a junction. Any usable way counts; an unusable one does
  /// not if it is a ferry or hardly visible.
  fileprivate var isVisible: Bool {
    cost.isFinite
      || !label.isFerry && !["bad", "horrible", "no"].contains(trailVisibility ?? "")
  }
}
