// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import SystemIO

/// The nodes that ways use, and which of them each ref means.
struct NodeRanking: Sendable {
  /// The distinct ids of the refs.
  let nodes: NeededNodes
  /// The rank of each ref's node.
  let ranks: [UInt32]

  /// Sorts the refs of all ways, given in pieces.
  ///
  /// The refs are dealt into buckets by the highest bits in which they differ, then each bucket
  /// is sorted by radix from its lowest bits, which takes time in proportion to the number of
  /// refs whatever they are. The result does not depend on the number of threads. Throws 65 if
  /// there are more refs than 32 bits can number.
  init(_ refs: [[Int64]], threads: Int) throws(CairnError) {
    let count = refs.reduce(0) { $0 + $1.count }
    guard count < Int(UInt32.max) else {
      throw .badData(.tooManyObjects, "the ways have \(grouped(count)) refs, which is too many")
    }
    let sorter = RefSorter(refs, count: count)
    (nodes, ranks) =
      sorter.canPack
      ? try sorter.sortPacked(threads: min(threads, count / 50_000)) : sorter.sortPlainly()
  }
}

/// One sort of refs.
///
/// An item packs the lower bits of an id and the place of the ref into 64 bits; the bucket that it
/// lies in stands for the upper bits of the id.
private struct RefSorter {
  private static let bucketBits = 8
  private static let bucketCount = 1 << bucketBits
  private static let digitBits = 11

  private let refs: [[Int64]]
  private let count: Int
  private let smallest: Int64
  private let lowBits: Int

  init(_ refs: [[Int64]], count: Int) {
    self.refs = refs
    self.count = count
    var least = Int64.max
    var greatest = Int64.min
    for piece in refs {
      for ref in piece {
        least = min(least, ref)
        greatest = max(greatest, ref)
      }
    }
    smallest = least
    let range = count > 0 ? UInt64(bitPattern: greatest &- least) : 0
    lowBits = max(0, UInt64.bitWidth - range.leadingZeroBitCount - Self.bucketBits)
  }

  /// Whether the ids lie near enough together: within 2⁴⁰, which all of OpenStreetMap does.
  var canPack: Bool { lowBits <= 32 }

  func sortPacked(threads: Int) throws(CairnError) -> (NeededNodes, [UInt32]) {
    let items = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: max(1, count))
    items.initialize(repeating: 0)
    defer { items.deallocate() }
    nonisolated(unsafe) let shared = items
    let starts = deal(into: items)
    let distinct = UnsafeMutableBufferPointer<Int>.allocate(capacity: Self.bucketCount)
    distinct.initialize(repeating: 0)
    defer { distinct.deallocate() }
    nonisolated(unsafe) let sharedDistinct = distinct
    try forEachBucket(threads) { bucket in
      let range = starts[bucket]..<starts[bucket + 1]
      sharedDistinct[bucket] = sortBucket(UnsafeMutableBufferPointer(rebasing: shared[range]))
    }
    var firstRanks = [0]
    for bucket in 0..<Self.bucketCount { firstRanks.append(firstRanks[bucket] + distinct[bucket]) }
    return try number(items, starts, firstRanks, threads)
  }

  private func forEachBucket(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void)
    throws(CairnError)
  {
    let buckets = WorkQueue(count: Self.bucketCount)
    do {
      try withWorkers(max(1, threads)) { _ in
        while let bucket = buckets.next() { body(bucket) }
      }
    } catch { throw asCairnError(error) }
  }

  /// Deals the refs into buckets; returns where each bucket begins, and at last the end.
  private func deal(into items: UnsafeMutableBufferPointer<UInt64>) -> [Int] {
    let shift = UInt64(lowBits)
    let mask = (UInt64(1) << shift) - 1
    var starts = [Int](repeating: 0, count: Self.bucketCount + 1)
    for piece in refs {
      for ref in piece { starts[Int(truncatingIfNeeded: key(of: ref) >> shift) + 1] += 1 }
    }
    for bucket in 0..<Self.bucketCount { starts[bucket + 1] += starts[bucket] }
    var next = starts
    var place: UInt64 = 0
    for piece in refs {
      for ref in piece {
        let key = key(of: ref)
        let bucket = Int(truncatingIfNeeded: key >> shift)
        items[next[bucket]] = (key & mask) << 32 | place
        next[bucket] += 1
        place += 1
      }
    }
    return starts
  }

  @inline(__always)
  private func key(of ref: Int64) -> UInt64 { UInt64(bitPattern: ref &- smallest) }

  /// Sorts one bucket by its ids; returns how many distinct ones there are.
  private func sortBucket(_ items: UnsafeMutableBufferPointer<UInt64>) -> Int {
    if items.count > 1 { sortByRadix(items) }
    var distinct = 0
    var previous = UInt64.max
    for item in items {
      if item >> 32 != previous { distinct += 1 }
      previous = item >> 32
    }
    return distinct
  }

  private func sortByRadix(_ items: UnsafeMutableBufferPointer<UInt64>) {
    let spare = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: items.count)
    defer { spare.deallocate() }
    spare.initialize(repeating: 0)
    var source = items
    var target = spare
    var next = [Int](repeating: 0, count: 1 << Self.digitBits)
    let mask = UInt64(next.count - 1)
    for shift in stride(from: 32, to: 32 + lowBits, by: Self.digitBits) {
      for digit in next.indices { next[digit] = 0 }
      for item in source { next[Int(truncatingIfNeeded: item >> UInt64(shift) & mask)] += 1 }
      var sum = 0
      for digit in next.indices { (next[digit], sum) = (sum, sum + next[digit]) }
      for item in source {
        let digit = Int(truncatingIfNeeded: item >> UInt64(shift) & mask)
        target[next[digit]] = item
        next[digit] += 1
      }
      swap(&source, &target)
    }
    if source.baseAddress != items.baseAddress { _ = items.update(fromContentsOf: source) }
  }

  /// Writes the distinct ids, and the rank of each ref.
  private func number(
    _ items: UnsafeMutableBufferPointer<UInt64>, _ starts: [Int], _ firstRanks: [Int],
    _ threads: Int
  ) throws(CairnError) -> (NeededNodes, [UInt32]) {
    let nodes = NeededNodes(count: firstRanks[Self.bucketCount])
    var ranks = [UInt32](repeating: 0, count: count)
    try ranks.withUnsafeMutableBufferPointer { ranks throws(CairnError) in
      nonisolated(unsafe) let ranks = ranks
      nonisolated(unsafe) let items = items
      try forEachBucket(threads) { bucket in
        let upper = UInt64(bucket) << UInt64(lowBits)
        var rank = firstRanks[bucket] - 1
        var previous = UInt64.max
        for item in items[starts[bucket]..<starts[bucket + 1]] {
          if item >> 32 != previous {
            previous = item >> 32
            rank += 1
            nodes.set(rank, Int64(bitPattern: upper | previous) &+ smallest)
          }
          ranks[Int(truncatingIfNeeded: item & 0xffff_ffff)] = UInt32(truncatingIfNeeded: rank)
        }
      }
    }
    return (nodes, ranks)
  }

  /// Sorts ids that are strewn over all numbers, which no real file has.
  func sortPlainly() -> (NeededNodes, [UInt32]) {
    var items = refs.joined().enumerated().map { (id: $0.element, place: $0.offset) }
    items.sort { $0.id < $1.id }
    var ids: [Int64] = []
    var ranks = [UInt32](repeating: 0, count: count)
    for item in items {
      if item.id != ids.last { ids.append(item.id) }
      ranks[item.place] = UInt32(truncatingIfNeeded: ids.count - 1)
    }
    let nodes = NeededNodes(count: ids.count)
    for (rank, id) in ids.enumerated() { nodes.set(rank, id) }
    return (nodes, ranks)
  }
}
