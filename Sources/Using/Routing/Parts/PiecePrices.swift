// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels

extension RoutingStore {
  /// Makes a store that reads the databases of several regions as one: common nodes are joined by
  /// their ids, and common content counts once. Only the data that a request needs is read.
  ///
  /// The stores are opened with it, if they are not open, and closed with it; they may also be used
  /// separately. Ids of edges are valid for this store only.
  ///
  /// ```swift
  /// let store = RoutingStore(joining: [RoutingStore(path: west), RoutingStore(path: east)])
  /// try store.open()
  /// let route = try RoutingEngine(store: store).findRoute(from: village, to: hut)
  /// ```
  public convenience init(joining stores: [RoutingStore]) {
    self.init(joining: stores, opensWhenReached: false)
  }

  /// The same for databases used only by this store, each opened when a request first needs it, so
  /// that callers need not know which ones a route needs.
  package convenience init(joiningWhenReached paths: [String]) {
    self.init(joining: paths.map { RoutingStore(path: $0) }, opensWhenReached: true)
  }

  private convenience init(joining stores: [RoutingStore], opensWhenReached: Bool) {
    self.init(joining: stores, opensWhenReached: opensWhenReached) {
      profile, edge, elevations, share in
      profile.flatMap {
        ProfileFormula(definition: $0.definition).price(of: edge, elevations, share)
      }
    }
  }
}

extension ProfileFormula {
  /// The cost and time of a piece of an edge, given as a share of its length, as in a build that
  /// cuts the edge there: by the piece's own climb and grade. Nil if the dependence of the cost on
  /// these is unknown.
  func price(
    of edge: RoutingEdge, _ elevations: (whole: EdgeElevation, piece: EdgeElevation),
    _ share: Double
  ) -> EdgePrice? {
    guard let timeModel, cost != .unknown, edge.distance > 0,
      edge.highwayType != TagSelection.ferryRoute
    else { return nil }
    let (whole, part) = (
      elevations.whole.climb(from: 0, to: 1), elevations.piece.climb(from: 0, to: 1)
    )
    let length = edge.distance * share
    // The row's climb may come from points closer together than those of the elevation profile.
    let up = whole.gain > 0 ? part.gain / whole.gain * edge.elevationGain : part.gain
    let down = whole.loss > 0 ? part.loss / whole.loss * edge.elevationLoss : part.loss
    func seconds(_ length: Double, _ up: Double, _ down: Double) -> Double {
      timeModel.seconds(length: length, up: up, down: down, parameters)
    }
    /// In one direction: the price of all of it, and the climb of the whole and of the piece.
    func price(
      _ whole: (cost: Double, seconds: Double?), _ all: (up: Double, down: Double),
      _ piece: (up: Double, down: Double)
    ) -> (cost: Double, seconds: Double?) {
      let model = seconds(edge.distance, all.up, all.down)
      let share = model > 0 ? seconds(length, piece.up, piece.down) / model : length / edge.distance
      let time = whole.seconds.map { $0 * share }
      guard case .equivalentDistance(let descent) = cost, whole.cost.isFinite else {
        return (whole.cost * share, time)
      }
      func climb(_ metres: Double, _ up: Double, _ down: Double) -> Double {
        let factor = parameters.climbFactor * descent(gradePercent: down / metres * 100)
        return up * parameters.climbFactor + down * factor
      }
      // The rest of the cost is the length times the factors of the tags.
      let rest = max(whole.cost - climb(edge.distance, all.up, all.down), 0)
      return (rest * length / edge.distance + climb(length, piece.up, piece.down), time)
    }
    var result = EdgePrice(edge)
    (result.cost, result.duration) = price(
      (result.cost, edge.duration), (edge.elevationGain, edge.elevationLoss), (up, down))
    (result.reverseCost, result.reverseDuration) = price(
      (result.reverseCost, edge.reverseDuration), (edge.elevationLoss, edge.elevationGain),
      (down, up))
    (result.gain, result.loss) = (up, down)
    return result
  }
}
