// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import Synchronization
import SystemIO
import TrailData

/// Cuts ways at their junctions into the edges of a graph.
///
/// Nodes of the graph are the junctions and way ends, in the order of their ids; edges run along
/// their ways' own direction, in the order of way ids and then along the way. Nothing depends on
/// the number of threads.
public struct RoutingGraphBuilder {
  private let trails: TrailsFile
  private let threads: Int

  /// Prepares to build from a `.elevated` file.
  public init(_ trails: TrailsFile, threads: Int = 1) {
    self.trails = trails
    self.threads = threads
  }

  /// Builds the graph.
  public func build() throws -> GraphContent {
    let marks = JunctionMarks(trails)
    var graph = GraphContent()
    let places = addNodes(marks, to: &graph)
    let spans = addEdges(marks, places, to: &graph)
    addPoints(spans, to: &graph)
    try addMetrics(spans, to: &graph)
    return graph
  }

  /// Adds the junctions; returns the place in the graph of each node of the trails.
  private func addNodes(_ marks: JunctionMarks, to graph: inout GraphContent) -> [UInt32] {
    var places = [UInt32](repeating: .max, count: trails.nodeIDs.count)
    for node in trails.nodeIDs.indices where marks.isJunction[node] {
      places[node] = UInt32(graph.nodeIDs.count)
      graph.nodeIDs.append(trails.nodeIDs[node])
      graph.latitudes.append(trails.latitudes[node])
      graph.longitudes.append(trails.longitudes[node])
      graph.elevations.append(trails.elevations?[node] ?? .nan)
    }
    return places
  }

  /// The first and the last ref of an edge, as places in the trails' refs.
  private struct Span {
    var first: Int
    var last: Int
  }

  /// Adds ways and the ends of their edges; returns where each edge's refs lie.
  private func addEdges(
    _ marks: JunctionMarks, _ places: [UInt32], to graph: inout GraphContent
  ) -> [Span] {
    var spans: [Span] = []
    var tagSets = TagSetIndex()
    let nameKey = trails.strings.index(of: "name")
    let refKey = trails.strings.index(of: "ref")
    for way in trails.wayIDs.indices {
      let before = spans.count
      appendSpans(ofWay: way, marks, to: &spans)
      guard spans.count > before else { continue }
      let wayPlace = UInt32(graph.wayIDs.count)
      graph.wayIDs.append(trails.wayIDs[way])
      graph.wayNames.append(
        text(of: nameKey, way) ?? text(of: refKey, way) ?? GraphFile.noText)
      graph.wayTagSets.append(
        tagSets.number(of: way, in: trails.wayTags) { $0 == nameKey || $0 == refKey })
      for span in spans[before...] {
        graph.from.append(places[Int(trails.refs[span.first])])
        graph.to.append(places[Int(trails.refs[span.last])])
        graph.ways.append(wayPlace)
      }
    }
    graph.tagSets = tagSets.sets
    return spans
  }

  private func text(of key: UInt32?, _ way: Int) -> UInt32? {
    key.flatMap { trails.wayTags.value(of: $0, on: way) }
  }

  /// Cuts a way at its junctions. Pieces without extent, of one node repeated, are left out.
  private func appendSpans(ofWay way: Int, _ marks: JunctionMarks, to spans: inout [Span]) {
    let refs = trails.refs(ofWay: way)
    guard var start = refs.first else { return }
    var hasLeft = false
    for place in refs.dropFirst() {
      let node = trails.refs[place]
      guard hasLeft || node != trails.refs[start] else {
        start = place
        continue
      }
      hasLeft = true
      guard marks.isJunction[Int(node)] else { continue }
      spans.append(Span(first: start, last: place))
      start = place
      hasLeft = false
    }
  }

  /// Adds the points between the ends of each edge; a node that follows itself is one point.
  private func addPoints(_ spans: [Span], to graph: inout GraphContent) {
    graph.pointOffsets.reserveCapacity(spans.count + 1)
    for span in spans {
      var previous = trails.refs[span.first]
      for place in span.first + 1..<span.last {
        let ref = trails.refs[place]
        if ref == previous { continue }
        graph.pointLatitudes.append(trails.latitudes[Int(ref)])
        graph.pointLongitudes.append(trails.longitudes[Int(ref)])
        previous = ref
      }
      graph.pointOffsets.append(UInt32(graph.pointLatitudes.count))
    }
  }

  /// How many edges a worker takes at a time.
  private static let chunkSize = 4096

  /// Adds what is worked out along the geometry of each edge.
  private func addMetrics(_ spans: [Span], to graph: inout GraphContent) throws {
    let queue = WorkQueue(count: (spans.count + Self.chunkSize - 1) / Self.chunkSize)
    let done = Collector<EdgeMetrics>(count: queue.count)
    let budget = Atomic(EdgeMetrics.profileLimit)
    try withWorkers(min(threads, queue.count)) { [trails] _ in
      while let chunk = queue.next() {
        var metrics = EdgeMetrics()
        for span in spans[(chunk * Self.chunkSize)...].prefix(Self.chunkSize) {
          metrics.add(trails, from: span.first, to: span.last, budget: budget)
        }
        done.set(chunk, metrics)
      }
    }
    guard budget.load(ordering: .relaxed) >= 0 else {
      throw CairnError(
        "too-large", .dataError, "the ways are too long for profiles of their elevation",
        at: Location(file: trails.container.path), hint: "cut out a smaller region")
    }
    for metrics in done.values() {
      graph.distances += metrics.distances
      graph.gains += metrics.gains
      graph.losses += metrics.losses
      graph.slopes += metrics.slopes
      for count in metrics.profileCounts {
        graph.profileOffsets.append((graph.profileOffsets.last ?? 0) + count)
      }
      graph.profileElevations += metrics.profileElevations
    }
  }
}
