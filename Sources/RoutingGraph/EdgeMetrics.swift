// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TrailData

/// What is summed up along the geometry of an edge.
struct EdgeMetrics {
  /// Metres.
  var distance = 0.0
  /// Metres climbed.
  var gain = 0.0
  /// Metres descended.
  var loss = 0.0

  /// Sums up the segments between two refs of a way.
  ///
  /// Climb and descent are counted from one known elevation to the next, so that gain − loss is
  /// the difference between the first and the last known one whatever is missing between them.
  init(_ trails: TrailsFile, from start: Int, to end: Int) {
    var position = trails.position(Int(trails.refs[start])).degrees
    var elevation = trails.elevations?[Int(trails.refs[start])] ?? .nan
    for place in (start + 1)..<(end + 1) {
      let node = Int(trails.refs[place])
      let next = trails.position(node).degrees
      distance += haversineDistance(position, next)
      position = next
      guard let height = trails.elevations?[node], !height.isNaN else { continue }
      let climb = Double(height) - Double(elevation)
      if climb > 0 { gain += climb } else if climb < 0 { loss -= climb }
      elevation = height
    }
  }
}
