// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
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
  /// The first sample after the edge before.
  private var nextSample = 0

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
    let samples = samples(from: first, to: last, of: columns)
    let count = last - first + 1 + samples.count
    if stations.count < count {
      stations = Array(repeating: Station(metres: 0, elevation: .nan), count: count * 2)
    }
    let start = refs.lowerBound
    stations.withUnsafeMutableBufferPointer { stations in
      stations[0] = Station(metres: 0, elevation: nodes[first - start].elevation)
      var metres = 0.0
      var end = 1
      var sample = samples.lowerBound
      for ref in (first + 1)..<max(first + 1, last + 1) {
        let length = lengths[ref - start]
        let between = sample
        while sample < samples.upperBound, columns.ref(beforeSample: sample) < ref { sample += 1 }
        if between < sample {
          let step = length / Double(sample - between + 1)
          for index in between..<sample {
            stations[end] = Station(
              metres: metres + step * Double(index - between + 1), elevation: columns.sample(index))
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

  /// The samples between two refs. They are searched for only where these are not the next ones.
  private mutating func samples(from first: Int, to last: Int, of columns: WayColumns) -> Range<Int>
  {
    let all = 0..<columns.sampleCount
    func isBefore(_ sample: Int) -> Bool { columns.ref(beforeSample: sample) < first }
    if nextSample > 0 && !isBefore(nextSample - 1) || nextSample < all.count && isBefore(nextSample)
    {
      nextSample = all.partitioningIndex { !isBefore($0) }
    }
    let start = nextSample
    while nextSample < all.count, columns.ref(beforeSample: nextSample) < last { nextSample += 1 }
    return start..<nextSample
  }
}
