// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// The rules that look at one edge at a time.
struct EdgeRules {
  /// In the order of ``ValidationRule/all``.
  static let rules: [ValidationRule] = [
    .positiveCosts, .costCoversDistance, .oneway, .straightLine, .geometry, .climb,
  ]
  /// What rounding may take from a distance: a millimetre and a millionth.
  private static let toleranceMetres = 0.001
  private static let toleranceShare = 1e-6
  /// What may lie between gain − loss and the difference of the end elevations, in metres.
  private static let climbToleranceMetres = 0.01

  private let content: DatabaseContent
  private let isHiking: Bool

  init(_ content: DatabaseContent, isHiking: Bool) {
    self.content = content
    self.isHiking = isHiking
  }

  func breaches(of edge: DatabaseContent.Edge) -> [(ValidationRule, String)] {
    var breaches: [(ValidationRule, String)] = []
    let costs = [edge.cost, edge.reverseCost]
    if !edge.isNumeric || !costs.allSatisfy({ $0 > 0 }) || !(edge.distance >= 0) {
      breaches.append((.positiveCosts, "costs \(edge.cost) and \(edge.reverseCost)"))
    }
    if isHiking, costs.contains(where: { $0 < edge.distance * (1 - Self.toleranceShare) }) {
      let least = min(edge.cost, edge.reverseCost)
      breaches.append((.costCoversDistance, "costs \(least) for \(edge.distance) m"))
    }
    let isSoundMark =
      edge.onewayMark == 0
      || edge.onewayMark == 1 && edge.cost.isFinite && edge.reverseCost == .infinity
    if !isSoundMark {
      breaches.append((.oneway, "is_oneway \(edge.onewayMark), reverse cost \(edge.reverseCost)"))
    }
    let line = haversineDistance(content.positions[edge.from], content.positions[edge.to])
    if edge.distance < line * (1 - Self.toleranceShare) - Self.toleranceMetres {
      breaches.append((.straightLine, "\(edge.distance) m for a straight line of \(line) m"))
    }
    if edge.points == nil { breaches.append((.geometry, "is no list of points")) }
    if let breach = climbBreach(edge) { breaches.append((.climb, breach)) }
    return breaches
  }

  private func climbBreach(_ edge: DatabaseContent.Edge) -> String? {
    guard edge.gain >= 0, edge.loss >= 0 else { return "gain \(edge.gain), loss \(edge.loss)" }
    let rise = content.elevations[edge.to] - content.elevations[edge.from]
    guard rise.isNaN || abs(edge.gain - edge.loss - rise) <= Self.climbToleranceMetres else {
      return "gain \(edge.gain) − loss \(edge.loss) for a rise of \(rise) m"
    }
    return nil
  }
}

extension DatabaseContent {
  /// The box around all nodes and points.
  var boundingBox: BoundingBox? {
    var box = BoundingBox(around: positions)
    for case .some(let inner) in edges.lazy.map({ $0.points?.box }) {
      box = box?.extended(to: Coordinate(latitude: inner.south, longitude: inner.west))
        .extended(to: Coordinate(latitude: inner.north, longitude: inner.east))
    }
    return box
  }
}
