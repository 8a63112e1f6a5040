// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase
import TagRules
import TravelModels

/// How a quantity of an edge, its time or its cost, accumulates along it in one direction.
///
/// It never decreases, and the shares of the parts of an edge add up to 1 however it is cut.
package struct Accumulation: Equatable, Sendable {
  /// What has accumulated at the distances k/n of the length, as shares of the whole; empty where it
  /// is in proportion to the length.
  private var sums: [Double] = []

  /// In proportion to the length.
  package static let even = Accumulation()

  private init() {}

  /// Makes one of the weights of equally long pieces of an edge; in proportion to the length where
  /// they make no sense.
  package init(weights: [Double]) {
    let total = weights.reduce(0, +)
    guard weights.count > 1, total > 0, total.isFinite, weights.allSatisfy({ $0 >= 0 }) else {
      return
    }
    sums.reserveCapacity(weights.count + 1)
    sums.append(0)
    var sum = 0.0
    for weight in weights {
      sum += weight
      sums.append(min(sum / total, 1))
    }
    sums[weights.count] = 1
  }

  /// The share of the whole, 0…1, that has accumulated at a share of the length, 0…1.
  package func amount(at share: Double) -> Double {
    let share = min(max(share, 0), 1)
    guard !sums.isEmpty else { return share }
    let position = share * Double(sums.count - 1)
    let before = min(Int(position.rounded(.down)), sums.count - 2)
    return sums[before] + (position - Double(before)) * (sums[before + 1] - sums[before])
  }

  /// The share of the length, 0…1, at which a share of the whole, 0…1, has accumulated; the inverse
  /// of ``amount(at:)``.
  package func share(at amount: Double) -> Double {
    let amount = min(max(amount, 0), 1)
    guard !sums.isEmpty else { return amount }
    // The first piece that ends beyond the amount.
    var (low, high) = (1, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > amount { high = middle } else { low = middle + 1 }
    }
    let piece = sums[low] - sums[low - 1]
    let within = piece > 0 ? (amount - sums[low - 1]) / piece : 1
    return min((Double(low - 1) + min(within, 1)) / Double(sums.count - 1), 1)
  }
}

/// How a quantity of an edge accumulates along it in both directions.
package struct EdgeSpread: Equatable, Sendable {
  /// In the direction of the row.
  package var ahead = Accumulation.even
  /// In the other direction, from the end of the row.
  package var back = Accumulation.even

  /// In proportion to the length.
  package static let even = EdgeSpread()

  /// The share of the whole that it takes to go from one position to another, both as shares of the
  /// length in the direction of the row: of the quantity ahead, or of that back if the second
  /// position lies before the first.
  package func share(from start: Double, to end: Double) -> Double {
    end >= start
      ? ahead.amount(at: end) - ahead.amount(at: start)
      : back.amount(at: 1 - end) - back.amount(at: 1 - start)
  }
}

extension ProfileFormula {
  /// How the time of an edge in the direction of its row accumulates.
  ///
  /// The model gives the weight of each piece of the elevation profile. For a model that adds up,
  /// such as Naismith's rule, a part then takes what the model says for the part alone; for another
  /// one the stored time of the whole edge is shared out.
  ///
  /// - Parameter elevations: Its elevation profile; where it is nil, the time is in proportion to
  ///   the length, as if the climb were even.
  package func timeSpread(_ edge: RoutingEdge, _ elevations: EdgeElevation?) -> EdgeSpread {
    guard let timeModel, let pieces = Pieces(edge, elevations) else { return .even }
    return pieces.spread { _, up, down, length in
      timeModel.seconds(length: length, up: up, down: down, parameters)
    }
  }

  /// How the cost of an edge in the direction of its row accumulates; like
  /// ``timeSpread(_:_:)``.
  package func costSpread(_ edge: RoutingEdge, _ elevations: EdgeElevation?) -> EdgeSpread {
    switch cost {
    case .unknown: return .even
    case .time: return timeSpread(edge, elevations)
    case .equivalentDistance(let descent):
      guard let pieces = Pieces(edge, elevations) else { return .even }
      func terms(_ cost: Double, up: Double, down: Double) -> (metre: Double, down: Double) {
        // The factor of descent is that of the grade of the whole edge. What is left of the cost is
        // the length times the factors of the tags.
        let factor =
          parameters.climbFactor * descent(gradePercent: down / edge.distance * 100)
        let rest = cost - up * parameters.climbFactor - down * factor
        return (rest.isFinite ? max(rest / edge.distance, 0) : 1, factor)
      }
      let ahead = terms(edge.cost, up: edge.elevationGain, down: edge.elevationLoss)
      let back = terms(edge.reverseCost, up: edge.elevationLoss, down: edge.elevationGain)
      return pieces.spread { isBack, up, down, length in
        let (metre, factor) = isBack ? back : ahead
        return length * metre + up * parameters.climbFactor + down * factor
      }
    }
  }

  /// The pieces of an edge between the points of its elevation profile, all equally long, with the
  /// climb and the descent of the row shared out among them.
  private struct Pieces {
    var length: Double
    var climbs: [(up: Double, down: Double)] = []

    /// Nil where the climb is even or unknown, and for ferries, whose time is that of the length.
    init?(_ edge: RoutingEdge, _ elevations: EdgeElevation?) {
      guard edge.distance > 0, edge.highwayType != TagSelection.ferryRoute, let elevations,
        elevations.elevations.count > 2
      else { return nil }
      let heights = elevations.elevations
      for (from, to) in zip(heights, heights.dropFirst()) {
        let rise = Double(to) - Double(from)
        climbs.append((max(rise, 0), max(-rise, 0)))
      }
      length = edge.distance / Double(climbs.count)
      let (ups, downs) = climbs.reduce((0.0, 0.0)) { ($0.0 + $1.up, $0.1 + $1.down) }
      // The row's climb may be that of points closer together than those of the elevation profile.
      let evenly = 1 / Double(climbs.count)
      for index in climbs.indices {
        climbs[index].up = edge.elevationGain * (ups > 0 ? climbs[index].up / ups : evenly)
        climbs[index].down = edge.elevationLoss * (downs > 0 ? climbs[index].down / downs : evenly)
      }
    }

    func spread(
      _ weight: (_ isBack: Bool, _ up: Double, _ down: Double, _ length: Double) -> Double
    ) -> EdgeSpread {
      EdgeSpread(
        ahead: Accumulation(
          weights: climbs.map { max(0, weight(false, $0.up, $0.down, length)) }),
        back: Accumulation(
          weights: climbs.reversed().map { max(0, weight(true, $0.down, $0.up, length)) }))
    }
  }
}

extension RoutingView {
  /// How the cost of an edge accumulates along it.
  func costSpread(_ edge: RoutingEdge, mode: RoutingMode) throws(RoutingError) -> EdgeSpread {
    let formula = try formula(mode: mode)
    guard formula.cost != .unknown else { return .even }
    return formula.costSpread(edge, try elevations(ofEdge: edge.id))
  }

  /// How the time of an edge accumulates along it.
  func timeSpread(_ edge: RoutingEdge, mode: RoutingMode) throws(RoutingError) -> EdgeSpread {
    let formula = try formula(mode: mode)
    guard formula.timeModel != nil else { return .even }
    return formula.timeSpread(edge, try elevations(ofEdge: edge.id))
  }
}
