// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels

/// The accumulation of an edge's time or cost along it in one direction.
///
/// It never decreases, and the shares of the parts of an edge add up to 1 however it is cut.
package struct Accumulation: Equatable, Sendable {
  /// The accumulated shares of the whole at the distances k/n of the length; empty if in proportion
  /// to the length.
  private var sums: [Double] = []

  /// In proportion to the length.
  package static let even = Accumulation()

  private init() {}

  /// Makes an accumulation from the weights of equally long pieces of an edge; in proportion to the
  /// length if they are invalid.
  package init(weights: [Double]) {
    self.init(count: weights.count) { weights[$0] }
  }

  /// The same for weights by the index of the piece.
  @inline(__always)
  init(count: Int, weight: (Int) -> Double) {
    guard count > 1 else { return }
    sums.reserveCapacity(count + 1)
    sums.append(0)
    var sum = 0.0
    for index in 0..<count {
      let weight = weight(index)
      guard weight >= 0 else {
        sums = []
        return
      }
      sum += weight
      sums.append(sum)
    }
    guard sum > 0, sum.isFinite else {
      sums = []
      return
    }
    for index in 1..<count { sums[index] /= sum }
    sums[count] = 1
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

  /// The share of the whole between two positions, both as shares of the length in the direction of
  /// the row: of the quantity ahead, or of that back if the second position lies before the first.
  package func share(from start: Double, to end: Double) -> Double {
    end >= start
      ? ahead.amount(at: end) - ahead.amount(at: start)
      : back.amount(at: 1 - end) - back.amount(at: 1 - start)
  }
}

/// The measures of an edge that determine shares, in the direction of its row.
struct EdgeMeasures {
  /// Metres.
  var distance: Double
  /// Metres climbed.
  var gain: Double
  /// Metres descended.
  var loss: Double
  /// The cost in the direction of the row; infinite if it is impassable.
  var cost: Double
  /// The cost in the other direction.
  var reverseCost: Double
  /// Whether it is a ferry, whose time is in proportion to the length.
  var isFerry: Bool

  /// The measures of an edge in the direction of its row.
  init(_ edge: RoutingEdge) {
    (distance, gain, loss) = (edge.distance, edge.elevationGain, edge.elevationLoss)
    (cost, reverseCost) = (edge.cost, edge.reverseCost)
    isFerry = edge.highwayType == TagSelection.ferryRoute
  }

  /// Names the measures.
  init(
    distance: Double, gain: Double, loss: Double, cost: Double, reverseCost: Double, isFerry: Bool
  ) {
    (self.distance, self.gain, self.loss) = (distance, gain, loss)
    (self.cost, self.reverseCost, self.isFerry) = (cost, reverseCost, isFerry)
  }
}

extension ProfileFormula {
  /// The accumulation of an edge's time in the direction of its row.
  ///
  /// The model gives the weight of each piece of the elevation profile. For an additive model, such
  /// as Naismith's rule, a part then takes the model's time for the part alone; for another one the
  /// stored time of the whole edge is distributed.
  ///
  /// - Parameter elevations: Its elevation profile; if nil, the time is in proportion to the
  ///   length, as if the climb were even.
  package func timeSpread(_ edge: RoutingEdge, _ elevations: EdgeElevation?) -> EdgeSpread {
    timeSpread(EdgeMeasures(edge), elevations)
  }

  /// How the cost of an edge in the direction of its row accumulates; like
  /// ``timeSpread(_:_:)-(RoutingEdge,_)``.
  package func costSpread(_ edge: RoutingEdge, _ elevations: EdgeElevation?) -> EdgeSpread {
    costSpread(EdgeMeasures(edge), elevations)
  }

  func timeSpread(_ edge: EdgeMeasures, _ elevations: EdgeElevation?) -> EdgeSpread {
    guard let timeModel, let elevations else { return .even }
    return spread(edge, elevations) { _, up, down, length in
      max(0, timeModel.seconds(length: length, up: up, down: down, parameters))
    }
  }

  func costSpread(_ edge: EdgeMeasures, _ elevations: EdgeElevation?) -> EdgeSpread {
    switch cost {
    case .unknown: return .even
    case .time: return timeSpread(edge, elevations)
    case .equivalentDistance(let descent):
      guard let elevations else { return .even }
      func terms(_ cost: Double, up: Double, down: Double) -> (metre: Double, down: Double) {
        // The factor of descent is that of the grade of the whole edge. The rest of the cost is the
        // length times the factors of the tags.
        let factor =
          parameters.climbFactor * descent(gradePercent: down / edge.distance * 100)
        let rest = cost - up * parameters.climbFactor - down * factor
        return (rest.isFinite ? max(rest / edge.distance, 0) : 1, factor)
      }
      let ahead = terms(edge.cost, up: edge.gain, down: edge.loss)
      let back = terms(edge.reverseCost, up: edge.loss, down: edge.gain)
      return spread(edge, elevations) { isBack, up, down, length in
        let (metre, factor) = isBack ? back : ahead
        return length * metre + up * parameters.climbFactor + down * factor
      }
    }
  }

  /// The spread by the weights of the equally long pieces between the points of an elevation
  /// profile, with the climb and the descent of the row distributed among them; even for ferries
  /// and if the climb is even.
  @inline(__always)
  private func spread(
    _ edge: EdgeMeasures, _ profile: EdgeElevation,
    _ weight: (_ isBack: Bool, _ up: Double, _ down: Double, _ length: Double) -> Double
  ) -> EdgeSpread {
    let heights = profile.elevations
    let count = heights.count - 1
    guard count > 1, edge.distance > 0, !edge.isFerry else { return .even }
    var (ups, downs) = (0.0, 0.0)
    for index in 0..<count {
      let rise = Double(heights[index + 1]) - Double(heights[index])
      if rise > 0 { ups += rise } else { downs -= rise }
    }
    // The row's climb may come from points closer together than those of the elevation profile.
    let (upFactor, downFactor) = (
      ups > 0 ? edge.gain / ups : 0, downs > 0 ? edge.loss / downs : 0
    )
    let (evenUp, evenDown) = (
      ups > 0 ? 0 : edge.gain / Double(count), downs > 0 ? 0 : edge.loss / Double(count)
    )
    let length = edge.distance / Double(count)
    @inline(__always)
    func climb(_ index: Int) -> (up: Double, down: Double) {
      let rise = Double(heights[index + 1]) - Double(heights[index])
      return (evenUp + max(rise, 0) * upFactor, evenDown + max(-rise, 0) * downFactor)
    }
    return EdgeSpread(
      ahead: Accumulation(count: count) { index in
        let (up, down) = climb(index)
        return weight(false, up, down, length)
      },
      back: Accumulation(count: count) { index in
        let (up, down) = climb(count - 1 - index)
        return weight(true, down, up, length)
      })
  }
}

extension RoutingView {
  /// How the cost of an edge accumulates along it.
  func costSpread(ofEdge id: Int64) throws(RoutingError) -> EdgeSpread {
    // Only times depend on the mode.
    let formula = try formula(mode: .hiking)
    guard formula.cost != .unknown else { return .even }
    return formula.costSpread(try measures(ofEdge: id), try elevations(ofEdge: id))
  }

  /// How the time of an edge accumulates along it.
  func timeSpread(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> EdgeSpread {
    let formula = try formula(mode: mode)
    guard formula.timeModel != nil else { return .even }
    return formula.timeSpread(try measures(ofEdge: id), try elevations(ofEdge: id))
  }
}

extension EdgePoint {
  /// The cost of going from one position on its edge to another, both as shares of the length in
  /// the direction of the row; infinite if that is impassable.
  func cost(_ positions: (from: Double, to: Double), _ spread: EdgeSpread) -> Double {
    let whole = positions.to >= positions.from ? cost : reverseCost
    // Infinity times a share of 0 would not be a number.
    guard whole.isFinite else { return .infinity }
    return whole * spread.share(from: positions.from, to: positions.to)
  }
}
