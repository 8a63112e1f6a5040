// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// The rules that look at one edge at a time, and what they found so far.
struct EdgeRules {
  /// What rounding may take from a length: a millimetre and a millionth.
  private static let toleranceMetres = 0.001
  private static let toleranceShare = 1e-6
  /// What may lie between gain − loss and the difference of the end elevations, in metres.
  private static let climbToleranceMetres = 0.01

  private let content: DatabaseContent
  private let isHiking: Bool
  private(set) var positiveCosts = Breaches()
  private(set) var costCoversDistance = Breaches()
  private(set) var oneway = Breaches()
  private(set) var length = Breaches()
  private(set) var geometry = Breaches()
  private(set) var climb = Breaches()

  /// Looks at every edge; `isHiking` says whether its costs are those of a walker.
  init(_ content: DatabaseContent, isHiking: Bool) {
    self.content = content
    self.isHiking = isHiking
    for edge in content.edges { check(edge) }
  }

  private mutating func check(_ edge: DatabaseContent.Edge) {
    checkCosts(edge)
    checkLength(edge)
    checkClimb(edge)
    if case .malformed = edge.geometry { geometry.add("edge \(edge.id): is no list of points") }
  }

  private mutating func checkCosts(_ edge: DatabaseContent.Edge) {
    guard edge.cost > 0, edge.reverseCost > 0 else {
      positiveCosts.add("edge \(edge.id): costs \(edge.cost) and \(edge.reverseCost)")
      return
    }
    let least = min(edge.cost, edge.reverseCost)
    if isHiking, least < edge.distance * (1 - Self.toleranceShare) {
      costCoversDistance.add("edge \(edge.id): costs \(least) for \(edge.distance) m")
    }
    let isOneway = edge.cost.isFinite && edge.reverseCost.isInfinite
    if edge.onewayMark != (isOneway ? 1 : 0) {
      let mark = edge.onewayMark.map { "\($0)" } ?? "no number"
      oneway.add("edge \(edge.id): is_oneway is \(mark), reverse cost \(edge.reverseCost)")
    }
  }

  private mutating func checkLength(_ edge: DatabaseContent.Edge) {
    let line = haversineDistance(content.positions[edge.from], content.positions[edge.to])
    if edge.distance.isNaN {
      length.add("edge \(edge.id): has no length")
    } else if edge.distance < line * (1 - Self.toleranceShare) - Self.toleranceMetres {
      length.add("edge \(edge.id): \(edge.distance) m for a straight line of \(line) m")
    }
  }

  private mutating func checkClimb(_ edge: DatabaseContent.Edge) {
    let rise = content.elevations[edge.to] - content.elevations[edge.from]
    if edge.gain.isNaN || edge.loss.isNaN {
      climb.add("edge \(edge.id): has no gain or no loss")
    } else if abs(edge.gain - edge.loss - rise) > Self.climbToleranceMetres {
      climb.add("edge \(edge.id): gain \(edge.gain) − loss \(edge.loss) for a rise of \(rise) m")
    }
  }
}
