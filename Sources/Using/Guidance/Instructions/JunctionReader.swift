// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase

/// A place where one edge of a route ends and the next one begins.
struct Junction {
  /// The edge that the route comes by, and the one that it goes on by.
  var arriving: RoutingEdge
  var leaving: RoutingEdge
  var coordinate: Coordinate
  /// Metres from the start.
  var distance: Double
  /// The ways that one could take instead, and not go back; nil where that is not known.
  var others: [OtherWay]?

  /// Whether the route goes back by the edge that it came by.
  var isTurningBack: Bool {
    arriving.id == leaving.id && arriving.isReversed != leaving.isReversed
  }

  /// Whether a ferry is boarded or left.
  var isLanding: Bool { arriving.label.isFerry != leaving.label.isFerry }

  /// Whether one has to know what to do.
  var isChoice: Bool { isTurningBack || isLanding || others?.isEmpty != true }
}

/// A way that leads away from a junction of a route.
struct OtherWay {
  /// Where it begins, in degrees clockwise from north.
  var bearing: Double
  var name: String?
}

/// Looks up what else there is at the junctions of a route.
struct JunctionReader {
  /// The graph; nil where there is none to ask.
  let store: RoutingStore?
  let profile: String?
  let bearingDistanceMetres: Double

  /// A gate or the like stands between copies of one node; more of them than this at one place
  /// only a broken database has.
  private static let maximumCopies = 64

  /// The junctions of a route in their order.
  func junctions(of route: ComputedRoute) throws(RoutingError) -> [Junction] {
    var junctions: [Junction] = []
    var travelled = 0.0
    var arriving: (edge: RoutingEdge, place: Int)?
    for (place, edge) in route.edges.enumerated() where !edge.isBarrier {
      if let (last, lastPlace) = arriving, lastPlace + 1 < route.nodes.count {
        let nodes = route.nodes[(lastPlace + 1)...min(place, route.nodes.count - 1)]
        guard let node = nodes.first else { continue }
        junctions.append(
          Junction(
            arriving: last, leaving: edge, coordinate: node.coordinate, distance: travelled,
            others: try others(at: node, arriving: last, leaving: edge)))
      }
      travelled += edge.distance
      arriving = (edge, place)
    }
    return junctions
  }

  private func others(at node: RoutingNode, arriving: RoutingEdge, leaving: RoutingEdge)
    throws(RoutingError) -> [OtherWay]?
  {
    guard let store else { return nil }
    var others: [OtherWay] = []
    var copies = [node.id]
    var next = 0
    while next < copies.count, copies.count < Self.maximumCopies {
      for edge in try store.getEdgesFrom(copies[next], profile: profile) {
        if edge.isBarrier {
          if !copies.contains(edge.toNode) { copies.append(edge.toNode) }
          continue
        }
        let isBack = edge.id == arriving.id && edge.isReversed != arriving.isReversed
        let isOn = edge.id == leaving.id && edge.isReversed == leaving.isReversed
        if isBack || isOn { continue }
        let end = try store.getNode(edge.toNode).map { [$0.coordinate] } ?? []
        let line = [node.coordinate] + edge.geometry + end
        guard
          let bearing = BearingCalculator.bearing(along: line, metres: bearingDistanceMetres)
        else { continue }
        others.append(OtherWay(bearing: bearing, name: edge.name))
      }
      next += 1
    }
    return others
  }
}

extension RoutingEdge {
  /// What it is called in an instruction.
  var label: WayLabel {
    WayLabel(name: name, highway: highwayType, isFerry: highwayType == "ferry")
  }
}
