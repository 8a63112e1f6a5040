// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import TrailData

/// Makes the content of a `.trails` file of candidate ways and their nodes: the last step of every
/// parser, so that the same data gives the same content whatever format it came in.
struct TrailsAssembler {
  private let ways: CandidateWays
  private let ranking: NodeRanking
  private let nodes: NodeTable
  private let pool: TextPool
  private let region: Region
  private let hasAllNodes: Bool
  private let expectsVersions: Bool
  private var warnings = WarningTally()

  /// `expectsVersions` says that several versions of an object are no reason for a warning.
  init(
    ways: CandidateWays, ranking: NodeRanking, nodes: NodeTable, pool: TextPool, region: Region,
    expectsVersions: Bool = false
  ) {
    self.ways = ways
    self.ranking = ranking
    self.nodes = nodes
    self.pool = pool
    self.region = region
    self.expectsVersions = expectsVersions
    hasAllNodes = nodes.positions.allSatisfy(\.isKnown)
  }

  /// A way to keep, and which of its refs.
  private struct KeptWay {
    var way: Int
    var refs: Range<Int>
  }

  /// Throws 65 if nothing is left to route on.
  consuming func assemble() throws(CairnError) -> (TrailsContent, WarningTally) {
    let kept = keptWays()
    if kept.isEmpty { throw noRoutableWays(in: region.name == nil ? "the file" : "the region") }
    if nodes.duplicates > 0, !expectsVersions {
      let examples = nodes.firstDuplicates.map { "node \(ranking.nodes[Int($0)])" }
      warnings.add("duplicate-node", count: nodes.duplicates, examples: examples)
    }
    var content = TrailsContent()
    let numbers = addNodes(of: kept, to: &content)
    addRefs(of: kept, numbers, to: &content)
    addTags(of: kept, numbers, to: &content)
    return (content, warnings)
  }

  private mutating func keptWays() -> [KeptWay] {
    var kept: [KeptWay] = []
    for way in waysByID() {
      let refs = ways.refs(of: way)
      let run = longestRun(of: refs)
      guard touchesRegion(run) else { continue }
      if refs.count < 2 {
        warnings.add("short-way", "way \(ways.ids[way]) has fewer than two nodes")
      } else if run.count < refs.count {
        warnAboutGaps(way, refs, run)
      }
      if run.count >= 2 { kept.append(KeptWay(way: way, refs: run)) }
    }
    return kept
  }

  private func touchesRegion(_ run: Range<Int>) -> Bool {
    region.touches(run.lazy.map { nodes.positions[Int(ranking.ranks[$0])] })
  }

  /// The ways by their ids, of several versions the last one, without deleted ones.
  private mutating func waysByID() -> [Int] {
    var order = Array(0..<ways.count)
    let ids = ways.ids
    let ascends = order.dropFirst().allSatisfy { ids[$0 - 1] < ids[$0] }
    if !ascends {
      order.sort { (ids[$0], $0) < (ids[$1], $1) }
      var last: [Int] = []
      for way in order {
        if let previous = last.last, ids[previous] == ids[way] {
          if !expectsVersions { warnings.add("duplicate-way", "way \(ids[way])") }
          last.removeLast()
        }
        last.append(way)
      }
      order = last
    }
    return order.filter { !ways.tags(of: $0).isEmpty }
  }

  /// The longest stretch of a way without a missing node, the first one of equal ones. To close
  /// the gap would invent a path that is not there.
  private func longestRun(of refs: Range<Int>) -> Range<Int> {
    if hasAllNodes { return refs }
    var best = refs.lowerBound..<refs.lowerBound
    var start = refs.lowerBound
    for place in refs where !nodes.positions[Int(ranking.ranks[place])].isKnown {
      if place - start > best.count { best = start..<place }
      start = place + 1
    }
    return refs.upperBound - start > best.count ? start..<refs.upperBound : best
  }

  private mutating func warnAboutGaps(_ way: Int, _ refs: Range<Int>, _ run: Range<Int>) {
    for place in refs {
      let rank = Int(ranking.ranks[place])
      let position = nodes.positions[rank]
      if position.isKnown { continue }
      warnings.add(
        position == .invalid ? "invalid-position" : "missing-node",
        "node \(ranking.nodes[rank]) of way \(ways.ids[way])")
    }
    if run.count < 2 {
      warnings.add("dropped-way", "way \(ways.ids[way]): too few of its nodes are there")
    } else {
      warnings.add(
        "shortened-way",
        "way \(ways.ids[way]): \(run.count) of \(refs.count) nodes kept, in one piece")
    }
  }

  /// Adds the nodes of the kept ways; returns the number of each rank's node in the content.
  private func addNodes(of kept: [KeptWay], to content: inout TrailsContent) -> [UInt32] {
    var numbers = [UInt32](repeating: .max, count: nodes.positions.count)
    for way in kept {
      for place in way.refs { numbers[Int(ranking.ranks[place])] = 0 }
    }
    let count = numbers.count { $0 == 0 }
    content.nodeIDs.reserveCapacity(count)
    content.latitudes.reserveCapacity(count)
    content.longitudes.reserveCapacity(count)
    for rank in numbers.indices where numbers[rank] == 0 {
      numbers[rank] = UInt32(truncatingIfNeeded: content.nodeIDs.count)
      content.nodeIDs.append(ranking.nodes[rank])
      content.latitudes.append(nodes.positions[rank].latitude)
      content.longitudes.append(nodes.positions[rank].longitude)
    }
    return numbers
  }

  private func addRefs(of kept: [KeptWay], _ numbers: [UInt32], to content: inout TrailsContent) {
    content.wayIDs.reserveCapacity(kept.count)
    content.refOffsets.reserveCapacity(kept.count + 1)
    var end = 0
    for way in kept {
      end += way.refs.count
      content.wayIDs.append(ways.ids[way.way])
      content.refOffsets.append(UInt32(truncatingIfNeeded: end))
    }
    content.refs = [UInt32](unsafeUninitializedCapacity: end) { refs, initialized in
      for way in kept {
        for place in way.refs {
          refs[initialized] = numbers[Int(ranking.ranks[place])]
          initialized += 1
        }
      }
    }
  }

  private func addTags(of kept: [KeptWay], _ numbers: [UInt32], to content: inout TrailsContent) {
    let nodeTags = nodes.tags().filter { numbers[Int($0.rank)] != .max }
    var texts = TextOrder(pool)
    for way in kept { for tag in ways.tags(of: way.way) { texts.use(tag) } }
    for tag in nodeTags { texts.use(tag.tag) }
    content.strings = texts.sort()

    for way in kept { texts.add(ways.tags(of: way.way), to: &content.wayTags) }
    var place = 0
    while place < nodeTags.count {
      let rank = nodeTags[place].rank
      var tags: [PooledTag] = []
      while place < nodeTags.count, nodeTags[place].rank == rank {
        tags.append(nodeTags[place].tag)
        place += 1
      }
      content.taggedNodes.append(numbers[Int(rank)])
      texts.add(tags[...], to: &content.nodeTags)
    }
  }
}

/// Brings the used texts of a pool into the order of their bytes.
private struct TextOrder {
  private static let unused = UInt32.max

  private let pool: TextPool
  private var numbers: [UInt32]
  private var sorted: [(key: UInt32, place: Int, value: UInt32)] = []

  init(_ pool: TextPool) {
    self.pool = pool
    numbers = [UInt32](repeating: Self.unused, count: pool.count)
  }

  /// Notes that a tag is used.
  mutating func use(_ tag: PooledTag) {
    numbers[Int(tag.key)] = 0
    numbers[Int(tag.value)] = 0
  }

  /// Numbers the used texts; returns them.
  mutating func sort() -> [[UInt8]] {
    let used = numbers.indices.filter { numbers[$0] != Self.unused }
      .map { (number: $0, text: Array(pool.text($0))) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    for (place, entry) in used.enumerated() {
      numbers[entry.number] = UInt32(truncatingIfNeeded: place)
    }
    return used.map(\.text)
  }

  /// Adds the tags of an object, sorted by key; of a key that stands there twice the last value.
  mutating func add(_ tags: ArraySlice<PooledTag>, to lists: inout TagLists) {
    sorted.removeAll(keepingCapacity: true)
    for (place, tag) in tags.enumerated() {
      sorted.append((numbers[Int(tag.key)], place, numbers[Int(tag.value)]))
    }
    sorted.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    for (place, tag) in sorted.enumerated() {
      let isLast = place + 1 == sorted.count || sorted[place + 1].key != tag.key
      if isLast { lists.add(key: tag.key, value: tag.value) }
    }
    lists.endObject()
  }
}

/// The error of an input without anything to route on.
func noRoutableWays(in what: String) -> CairnError {
  .badData(
    .noRoutableWays, "there is no way with a routable highway in \(what)",
    hint: "does the extract cover the region, and was it cut out with its highways?")
}
