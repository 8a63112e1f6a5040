// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Which nodes become nodes of the graph: those in two or more ways, twice in one way, and the
/// ends of ways. Ways of one node alone have no part in it.
struct JunctionMarks {
  /// Whether each node of the trails is one.
  private(set) var isJunction: [Bool]

  /// Counts how often each node occurs. A node that follows itself at once counts once: such a
  /// segment of length zero is no crossing.
  init(_ trails: TrailsFile) {
    var marks = [Bool](repeating: false, count: trails.nodeIDs.count)
    var isSeen = [Bool](repeating: false, count: trails.nodeIDs.count)
    for way in trails.wayIDs.indices {
      let places = trails.refs(ofWay: way)
      guard let first = places.first, let last = places.last,
        places.contains(where: { trails.refs[$0] != trails.refs[first] })
      else { continue }
      marks[Int(trails.refs[first])] = true
      marks[Int(trails.refs[last])] = true
      var previous = -1
      for place in places {
        let node = Int(trails.refs[place])
        if node == previous { continue }
        if isSeen[node] { marks[node] = true } else { isSeen[node] = true }
        previous = node
      }
    }
    isJunction = marks
  }
}
