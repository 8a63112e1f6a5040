// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The points of one way with what lies between them; used again for the next way.
struct WayLine {
  /// A point along an edge that has an elevation (NaN if unknown), and its distance from the start.
  struct Station {
    var metres: Double
    var elevation: Float
  }

  /// The refs of the way, as indices in the trails' refs.
  private(set) var refs = 0..<0
  private var nodes: [(coordinate: FixedCoordinate, elevation: Float)] = []
  /// The metres from the ref before to each ref.
  private var lengths: [Double] = []
  private var stations: [Station] = []

  /// Reads the nodes of some refs and measures the line along them.
  mutating func load(_ refs: Range<Int>, of columns: WayColumns) {
    self.refs = refs
    if nodes.count < refs.count {
      let none = (coordinate: FixedCoordinate(latitude: 0, longitude: 0), elevation: Float.nan)
      nodes = Array(repeating: none, count: refs.count * 2)
      lengths = Array(repeating: 0, count: refs.count * 2)
    }
    nodes.withUnsafeMutableBufferPointer { nodes in
      // First only this: nodes are far apart in memory, and loads that need no other wait together.
      columns.forEachNode(refs) { nodes[$0] = ($1, $2) }
      lengths.withUnsafeMutableBufferPointer { lengths in
        guard !refs.isEmpty else { return }
        var point = LinePoint(nodes[0].coordinate.degrees)
        for index in 1..<max(1, refs.count) {
          let next = LinePoint(nodes[index].coordinate.degrees)
          lengths[index] = point.distance(to: next)
          point = next
        }
      }
    }
  }

  /// The metres from the ref before to a ref of the way.
  @inline(__always)
  func length(to ref: Int) -> Double { lengths[ref - refs.lowerBound] }

  /// The coordinate of a ref of the way.
  func coordinate(ofRef ref: Int) -> FixedCoordinate { nodes[ref - refs.lowerBound].coordinate }

  /// Calls `body` with the stations of the edge between two refs: its nodes and the samples between
  /// them.
  mutating func withStations(
    from first: Int, to last: Int, of columns: WayColumns,
    _ body: (UnsafeBufferPointer<Station>) -> Void
  ) {
    let samples = columns.samples(from: first, to: last)
    let count = last - first + 1 + samples.count
    if stations.count < count {
      stations = Array(repeating: Station(metres: 0, elevation: .nan), count: count * 2)
    }
    let start = refs.lowerBound
    stations.withUnsafeMutableBufferPointer { stations in
      stations[0] = Station(metres: 0, elevation: nodes[first - start].elevation)
      var metres = 0.0
      var end = 1
      for ref in (first + 1)..<max(first + 1, last + 1) {
        let length = lengths[ref - start]
        if !samples.isEmpty {
          let between = columns.samples(from: ref - 1, to: ref)
          let step = length / Double(between.count + 1)
          for (index, sample) in between.enumerated() {
            stations[end] = Station(
              metres: metres + step * Double(index + 1), elevation: columns.sample(sample))
            end += 1
          }
        }
        metres += length
        stations[end] = Station(metres: metres, elevation: nodes[ref - start].elevation)
        end += 1
      }
      body(UnsafeBufferPointer(rebasing: stations[..<end]))
    }
  }
}
