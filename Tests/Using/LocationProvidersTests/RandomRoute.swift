// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnLocationProviders

/// A winding route drawn at random, with a turn at most corners.
func randomRoute(seed: UInt64, corners: Int = 20) -> PlannedRoute? {
  var random = SplitMix64(seed: seed)
  let metresPerDegree = earthRadiusMetres * .pi / 180
  var (east, north, eastward) = (0.0, 0.0, true)
  var points: [PlannedRoute.LinePoint] = []
  func add() {
    points.append(
      .init(
        coordinate: Coordinate(
          latitude: 42.5 + north / metresPerDegree, longitude: 1.5 + east / metresPerDegree / 0.7373
        )))
  }
  add()
  for _ in 0..<corners {
    // Northeast on the whole, so that it does not come near itself.
    let length = 80 + 250 * random.nextShare()
    let slant = length * (random.nextShare() - 0.3) * 0.5
    for _ in 0..<10 {
      east += (eastward ? length : slant) / 10
      north += (eastward ? slant : length) / 10
      add()
    }
    eastward.toggle()
  }
  return PlannedRoute(line: points, name: "Random \(seed)", mode: .hiking)
}
