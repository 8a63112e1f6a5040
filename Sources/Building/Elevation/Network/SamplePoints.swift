// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import TrailData

/// The points between the nodes of a network at which the elevation is looked up as well, so that no
/// hill or hollow between two distant nodes is missed.
///
/// The samples of a segment divide it into equal parts; those of a link are in the order of its refs,
/// and links that repeat others have none of their own. Structures have none either, because their
/// elevation does not follow the terrain. Very long segments, which no path has, have none, too.
struct SamplePoints: Sendable {
  /// The longest segment that is sampled, in metres.
  static let longestSegmentMetres = 50_000.0
  /// The maximum number of samples; more would take gigabytes of memory.
  static let limit = 1 << 28
  private static let linksPerPiece = 2048

  /// The distance above which a segment has samples, in metres.
  let stepMetres: Double
  /// The number of samples.
  let count: Int
  /// Latitudes of the samples in 10⁻⁷ degrees.
  let latitudes: Numbers<Int32>
  /// Longitudes of the samples.
  let longitudes: Numbers<Int32>

  /// Places samples so that no step is longer than `stepMetres`, and tells the links of the network
  /// which are theirs. Throws 65 if there are too many.
  init(_ network: WayNetwork, stepMetres: Double, threads: Int = 1) throws(CairnError) {
    self.stepMetres = stepMetres
    let rule = SampleRule(stepMetres: stepMetres)
    let counts = mapPieces(
      of: network.links.count, threads: threads, size: Self.linksPerPiece
    ) { links in links.reduce(0) { $0 + rule.count(ofLink: $1, network) } }
    var total = 0
    let starts = counts.map { count in
      defer { total += count }
      return total
    }
    guard total <= Self.limit else { throw Self.tooMany(network.columns.trails) }
    count = total
    latitudes = Numbers(count: total)
    longitudes = Numbers(count: total)
    let points = self
    forEachPiece(of: network.links.count, threads: threads, size: Self.linksPerPiece) { links in
      var next = starts[links.lowerBound / Self.linksPerPiece]
      for link in links {
        network.links.elements[link].firstSample = UInt32(next)
        points.placeSamples(ofLink: link, network, rule, &next)
      }
    }
  }

  /// The samples of a link, as indices into ``latitudes``.
  @inline(__always)
  func samples(ofLink link: Int, _ network: WayNetwork) -> Range<Int> {
    let links = network.links.elements
    let end = link + 1 < links.count ? Int(links[link + 1].firstSample) : count
    return Int(links[link].firstSample)..<end
  }

  /// The number of samples of the links of the region, which come first.
  func regionCount(_ network: WayNetwork) -> Int {
    let first = network.regionLinkCount
    return first < network.links.count ? Int(network.links[first].firstSample) : count
  }

  static func tooMany(_ trails: TrailsFile) -> CairnError {
    CairnError(
      "too-many-samples", .dataError, "needs more than \(grouped(limit)) elevation samples",
      at: Location(file: trails.container.path),
      hint: "choose a smaller region or a larger --step-metres")
  }

  private func placeSamples(
    ofLink index: Int, _ network: WayNetwork, _ rule: SampleRule, _ next: inout Int
  ) {
    guard rule.isSampled(index, network) else { return }
    let link = network.links.elements[index]
    let columns = network.columns
    for ref in Int(link.first)..<Int(link.last) {
      let count = rule.count(network.run(ref))
      guard count > 0 else { continue }
      place(count, from: columns.refs[ref], to: columns.refs[ref + 1], columns, at: next)
      next += count
    }
  }

  /// Places the samples of a segment.
  private func place(
    _ count: Int, from start: UInt32, to end: UInt32, _ columns: MapColumns, at first: Int
  ) {
    // From the lower node, so that the direction of the way does not matter for rounding.
    let isForward = columns.idOrder(start) < columns.idOrder(end)
    let low = columns.coordinate(isForward ? start : end)
    let high = columns.coordinate(isForward ? end : start)
    let rise = Int(high.latitude) - Int(low.latitude)
    var run = Int(high.longitude) - Int(low.longitude)
    // The short way round across the antimeridian.
    let circle = 3_600_000_000
    if run > circle / 2 { run -= circle } else if run < -circle / 2 { run += circle }
    let parts = count + 1
    for index in 1..<parts {
      let share = isForward ? index : parts - index
      var longitude = Int(low.longitude) + run * share / parts
      if longitude > circle / 2 { longitude -= circle }
      if longitude < -circle / 2 { longitude += circle }
      let point = first + index - 1
      latitudes.elements[point] = Int32(
        truncatingIfNeeded: Int(low.latitude) + rise * share / parts)
      longitudes.elements[point] = Int32(truncatingIfNeeded: longitude)
    }
  }
}

/// The rule for the number of samples of a segment.
struct SampleRule: Sendable {
  let stepMetres: Double

  /// The number of samples of a segment of this length that is no structure.
  @inline(__always)
  func count(_ metres: Double) -> Int {
    guard metres > stepMetres, metres <= SamplePoints.longestSegmentMetres else { return 0 }
    // Rounding errors must not add a sample.
    return Int((metres / stepMetres - 1e-6).rounded(.up)) - 1
  }

  /// Whether the segments of a link may have samples of their own.
  @inline(__always)
  func isSampled(_ link: Int, _ network: WayNetwork) -> Bool {
    let all = network.links.elements
    return Int(all[link].original) == link && !all[link].kind.contains(.structure)
  }

  /// The number of samples of a link.
  func count(ofLink link: Int, _ network: WayNetwork) -> Int {
    guard isSampled(link, network) else { return 0 }
    let (all, runs) = (network.links.elements, network.metres.elements)
    var count = 0
    for ref in Int(all[link].first)..<Int(all[link].last) { count += self.count(Double(runs[ref])) }
    return count
  }
}

extension WayNetwork {
  /// Calls `body` with each ref of the region that samples follow, their number, and the index of the
  /// first of them; they run backwards where the ref is the last of the segment that has them.
  @inline(__always)
  func forEachSampledRef(
    _ rule: SampleRule,
    _ body: (_ ref: Int, _ first: Int, _ count: Int, _ isForward: Bool) throws(CairnError) -> Void
  ) throws(CairnError) {
    for link in links.elements[..<regionLinkCount] where rule.isSampled(Int(link.original), self) {
      let original = links.elements[Int(link.original)]
      var sample = Int(original.firstSample)
      let isForward = original.from == link.from
      for ref in Int(link.first)..<Int(link.last) {
        let count = rule.count(run(ref))
        if count > 0 { try body(ref, sample, count, isForward) }
        sample += count
      }
    }
  }
}
