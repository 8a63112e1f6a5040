// SPDX-License-Identifier: Apache-2.0

extension [Coordinate] {
  /// The part of a line between two shares of its length, 0…1: its start, the points between, and
  /// its end. For a line without length, the first and the last point.
  package func part(from start: Double, to end: Double) -> [Coordinate] {
    guard start > 0 || end < 1, let first, let last else { return self }
    var lengths = [0.0]
    lengths.reserveCapacity(count)
    for (one, other) in zip(self, dropFirst()) {
      lengths.append(lengths[lengths.count - 1] + segmentMetres(one, other))
    }
    let total = lengths[lengths.count - 1]
    guard total > 0 else { return [first, last] }
    func point(at share: Double) -> Coordinate {
      guard share > 0 else { return first }
      guard share < 1, let next = lengths.firstIndex(where: { $0 > share * total }), next > 0
      else { return last }
      let piece = lengths[next] - lengths[next - 1]
      return interpolated(
        self[next - 1], self[next], (share * total - lengths[next - 1]) / piece)
    }
    let inner = indices.dropFirst().dropLast().filter {
      lengths[$0] > start * total && lengths[$0] < end * total
    }
    return [point(at: start)] + inner.map { self[$0] } + [point(at: end)]
  }
}

/// The length of a segment in metres, on the plane that touches the Earth at its middle: for
/// positions along a line, with a fifth of the trigonometry of the great circle. The error for a
/// segment of 10 km is a centimetre.
package func segmentMetres(_ one: Coordinate, _ other: Coordinate) -> Double {
  var degrees = other.longitude - one.longitude
  if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
  let east = degrees * longitudeShrinking(atLatitude: (one.latitude + other.latitude) / 2)
  let north = other.latitude - one.latitude
  return earthRadiusMetres * .pi / 180 * (east * east + north * north).squareRoot()
}
