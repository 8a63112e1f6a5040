// SPDX-License-Identifier: Apache-2.0

extension PlannedRoute {
  /// Metres from the start to each via point: as the route says, or, in files of earlier versions, by
  /// where its line comes nearest to each, in their order.
  var knownViaDistances: [Double] {
    if let viaDistances, viaDistances.count == viaPoints.count { return viaDistances }
    var first = 0
    return viaPoints.map { point in
      var (nearest, best) = (first, Double.infinity)
      for index in first..<max(first, coordinates.count) {
        let away = haversineDistance(coordinates[index], point)
        if away < best { (nearest, best) = (index, away) }
      }
      first = nearest
      return metres(toPoint: nearest)
    }
  }

  /// Metres along the line to one of its points.
  private func metres(toPoint index: Int) -> Double {
    let line = coordinates.prefix(index + 1)
    return zip(line, line.dropFirst()).reduce(0) { $0 + haversineDistance($1.0, $1.1) }
  }
}
