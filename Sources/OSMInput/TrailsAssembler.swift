// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import TrailData

/// Makes the content of `.trails` files of candidate ways and their nodes: the last step of every
/// parser, so that the same data gives the same content whatever format it came in.
///
/// What all regions of an input have in common is worked out once, so that a further region costs
/// no more than what is kept for it and a glance at the extent of each way.
struct TrailsAssembler: Sendable {
  private let ways: CandidateWays
  private let ranking: NodeRanking
  private let nodes: NodeTable
  private let pool: TextPool
  private let hasAllNodes: Bool
  private let nodeTags: [NodeTable.Tag]
  private let extents: [WayExtent]
  private let order: [Int]
  /// What was wrong with the data whatever the region.
  let warnings: WarningTally

  /// `expectsVersions` says that several versions of an object are no reason for a warning.
  init(
    ways: CandidateWays, ranking: NodeRanking, nodes: NodeTable, pool: TextPool, threads: Int,
    expectsVersions: Bool = false
  ) {
    self.ways = ways
    self.ranking = ranking
    self.nodes = nodes
    self.pool = pool
    hasAllNodes = nodes.positions.allSatisfy(\.isKnown)
    nodeTags = nodes.tags()
    extents = Self.extents(of: ways, ranking, nodes, threads: threads)
    var duplicates: [Int64] = []
    order = Self.waysByID(ways, &duplicates)
    var warnings = WarningTally()
    if !expectsVersions {
      for id in duplicates { warnings.add("duplicate-way", "way \(id)") }
      if nodes.duplicates > 0 {
        let examples = nodes.firstDuplicates.map { "node \(ranking.nodes[Int($0)])" }
        warnings.add("duplicate-node", count: nodes.duplicates, examples: examples)
      }
    }
    self.warnings = warnings
  }

  /// A way to keep, and which of its refs.
  private struct KeptWay {
    var way: Int
    var refs: Range<Int>
  }

  /// The content for a region, and what was wrong with the data there, besides ``warnings``.
  ///
  /// Throws 65 if nothing is left to route on.
  func assemble(_ region: Region) throws(CairnError) -> (TrailsContent, WarningTally) {
    var warnings = WarningTally()
    let kept = keptWays(region, &warnings)
    if kept.isEmpty { throw noRoutableWays(in: region.name == nil ? "the file" : "the region") }
    var content = TrailsContent()
    let selection = addNodes(of: kept, to: &content)
    addRefs(of: kept, selection, to: &content)
    addTags(of: kept, selection, to: &content)
    return (content, warnings)
  }

  private func keptWays(_ region: Region, _ warnings: inout WarningTally) -> [KeptWay] {
    var kept: [KeptWay] = []
    for way in order where region.mayTouch(extents[way]) {
      let refs = ways.refs(of: way)
      let run = longestRun(of: refs)
      guard touches(region, run) else { continue }
      if refs.count < 2 {
        warnings.add("short-way", "way \(ways.ids[way]) has fewer than two nodes")
      } else if run.count < refs.count {
        warnAboutGaps(way, refs, run, &warnings)
      }
      if run.count >= 2 { kept.append(KeptWay(way: way, refs: run)) }
    }
    return kept
  }

  private func touches(_ region: Region, _ run: Range<Int>) -> Bool {
    region.touches(run.lazy.map { nodes.positions[Int(ranking.ranks[$0])] })
  }

  /// The ways by their ids, of several versions the last one, without deleted ones.
  private static func waysByID(_ ways: CandidateWays, _ duplicates: inout [Int64]) -> [Int] {
    var order = Array(0..<ways.count)
    let ids = ways.ids
    let ascends = order.dropFirst().allSatisfy { ids[$0 - 1] < ids[$0] }
    if !ascends {
      order.sort { (ids[$0], $0) < (ids[$1], $1) }
      var last: [Int] = []
      for way in order {
        if let previous = last.last, ids[previous] == ids[way] {
          duplicates.append(ids[way])
          last.removeLast()
        }
        last.append(way)
      }
      order = last
    }
    return order.filter { !ways.tags(of: $0).isEmpty }
  }

  private static func extents(
    of ways: CandidateWays, _ ranking: NodeRanking, _ nodes: NodeTable, threads: Int
  ) -> [WayExtent] {
    let piece = 4096
    let pieces = WorkQueue(count: (ways.count + piece - 1) / piece)
    return [WayExtent](unsafeUninitializedCapacity: ways.count) { extents, initialized in
      nonisolated(unsafe) let extents = extents
      runWorkers(min(threads, pieces.count)) { _ in
        while let number = pieces.next() {
          for way in number * piece..<min(ways.count, (number + 1) * piece) {
            extents.initializeElement(
              at: way,
              to: WayExtent(
                ways.refs(of: way).lazy.map { nodes.positions[Int(ranking.ranks[$0])] }))
          }
        }
      }
      initialized = ways.count
    }
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

  private func warnAboutGaps(
    _ way: Int, _ refs: Range<Int>, _ run: Range<Int>, _ warnings: inout WarningTally
  ) {
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

  /// Adds the nodes of the kept ways; returns which ones they are.
  private func addNodes(of kept: [KeptWay], to content: inout TrailsContent) -> RankSelection {
    var selection = RankSelection(count: nodes.positions.count)
    for way in kept {
      for place in way.refs { selection.insert(ranking.ranks[place]) }
    }
    let count = selection.finish()
    content.nodeIDs.reserveCapacity(count)
    content.latitudes.reserveCapacity(count)
    content.longitudes.reserveCapacity(count)
    selection.forEach { rank in
      content.nodeIDs.append(ranking.nodes[rank])
      content.latitudes.append(nodes.positions[rank].latitude)
      content.longitudes.append(nodes.positions[rank].longitude)
    }
    return selection
  }

  private func addRefs(
    of kept: [KeptWay], _ selection: RankSelection, to content: inout TrailsContent
  ) {
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
          refs[initialized] = selection.number(of: ranking.ranks[place])
          initialized += 1
        }
      }
    }
  }

  private func addTags(
    of kept: [KeptWay], _ selection: RankSelection, to content: inout TrailsContent
  ) {
    let nodeTags = nodeTags.filter { selection.contains($0.rank) }
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
      content.taggedNodes.append(selection.number(of: rank))
      texts.add(tags[...], to: &content.nodeTags)
    }
  }
}

/// Brings the used texts of a pool into the order of their bytes.
private struct TextOrder {
  private static let unused = UInt32.max

  private let pool: TextPool
  private var numbers: [UInt32]
  private var used: [Int] = []
  private var sorted: [(key: UInt32, place: Int, value: UInt32)] = []

  init(_ pool: TextPool) {
    self.pool = pool
    numbers = [UInt32](repeating: Self.unused, count: pool.count)
  }

  /// Notes that a tag is used.
  mutating func use(_ tag: PooledTag) {
    use(Int(tag.key))
    use(Int(tag.value))
  }

  private mutating func use(_ text: Int) {
    guard numbers[text] == Self.unused else { return }
    numbers[text] = 0
    used.append(text)
  }

  /// Numbers the used texts; returns them.
  mutating func sort() -> [[UInt8]] {
    let texts = used.map { (number: $0, text: Array(pool.text($0))) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    for (place, entry) in texts.enumerated() {
      numbers[entry.number] = UInt32(truncatingIfNeeded: place)
    }
    return texts.map(\.text)
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
