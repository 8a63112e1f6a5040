// SPDX-License-Identifier: Apache-2.0

/// The changes of the way's name where a route goes straight on.
struct NameChanges {
  /// A name that was followed for a shorter distance is not missed, in metres.
  private static let leastMetresBefore = 100.0
  /// The shortest distance, in metres, along a name worth announcing.
  private static let leastMetresAfter = 200.0

  private let junctions: [Junction]
  private let totalDistance: Double

  init(_ junctions: [Junction], totalDistance: Double) {
    self.junctions = junctions
    self.totalDistance = totalDistance
  }

  /// Whether the route passes from one named way to another at a junction and follows each far
  /// enough for the name to help.
  func isWorthSaying(at index: Int) -> Bool {
    let (before, after) = (junctions[index].before, junctions[index].after)
    guard before.name != nil, after.name != nil, !before.sharesName(with: after) else {
      return false
    }
    let here = junctions[index].distance
    return here - start(of: before, at: index) >= Self.leastMetresBefore
      && end(of: after, at: index) - here >= Self.leastMetresAfter
  }

  /// The beginning of the name by which the route arrives at a junction, searched no further back
  /// than necessary.
  private func start(of label: WayLabel, at index: Int) -> Double {
    var start = index
    while start > 0, junctions[index].distance - junctions[start].distance < Self.leastMetresBefore,
      junctions[start - 1].after.sharesName(with: label)
    {
      start -= 1
      if !junctions[start].before.sharesName(with: label) { return junctions[start].distance }
    }
    return start == 0 ? 0 : junctions[start].distance
  }

  /// The end of the name by which the route leaves a junction, searched no further ahead than
  /// necessary.
  private func end(of label: WayLabel, at index: Int) -> Double {
    var end = index
    while end + 1 < junctions.count, junctions[end + 1].before.sharesName(with: label) {
      end += 1
      let isFar = junctions[end].distance - junctions[index].distance >= Self.leastMetresAfter
      if isFar || !junctions[end].after.sharesName(with: label) { return junctions[end].distance }
    }
    return totalDistance
  }
}
