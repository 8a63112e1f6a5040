// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
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
    let sorter = RefSorter(refs, count: count, threads: max(1, min(threads, count / 50_000)))
    (nodes, ranks) = sorter.canPack ? sorter.sortPacked() : sorter.sortPlainly()
  }
}

/// One sort of refs.
///
/// An item packs the lower bits of an id and the place of the ref into 64 bits; the bucket that it
/// lies in stands for the upper bits of the id. Workers share the pieces of the refs first and the
/// buckets afterwards.
private struct RefSorter: Sendable {
  private static let bucketBits = 8
  private static let bucketCount = 1 << bucketBits

  private let refs: [[Int64]]
  private let count: Int
  private let threads: Int
  private let smallest: Int64
  private let lowBits: Int

  init(_ refs: [[Int64]], count: Int, threads: Int) {
    self.refs = refs
    self.count = count
    self.threads = threads
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

  func sortPacked() -> (NeededNodes, [UInt32]) {
    let items = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    defer { items.deallocate() }
    nonisolated(unsafe) let shared = items
    let starts = deal(into: items)
    let distinct = counted(Self.bucketCount) { bucket in
      sortBucket(UnsafeMutableBufferPointer(rebasing: shared[starts[bucket]..<starts[bucket + 1]]))
    }
    return number(items, starts, firstRanks: sums(distinct))
  }

  /// What `body` gives for each number below `count`, by workers that share the numbers.
  private func counted(_ count: Int, _ body: @escaping @Sendable (Int) -> Int) -> [Int] {
    let queue = WorkQueue(count: count)
    return [Int](unsafeUninitializedCapacity: count) { results, initialized in
      nonisolated(unsafe) let results = results
      runWorkers(threads) { _ in
        while let number = queue.next() { results[number] = body(number) }
      }
      initialized = count
    }
  }

  /// The sums of all numbers before each, and at last of all.
  private func sums(_ counts: [Int]) -> [Int] {
    var sums = [0]
    for count in counts { sums.append(sums[sums.count - 1] + count) }
    return sums
  }

  /// Deals the refs into buckets; returns where each bucket begins, and at last the end.
  private func deal(into items: UnsafeMutableBufferPointer<UInt64>) -> [Int] {
    let shift = UInt64(lowBits)
    let mask = (UInt64(1) << shift) - 1
    let places = sums(refs.map(\.count))
    // One row of counts a piece, so that each piece knows its part of each bucket.
    let counts = UnsafeMutableBufferPointer<UInt32>.allocate(
      capacity: refs.count * Self.bucketCount)
    defer { counts.deallocate() }
    counts.initialize(repeating: 0)
    nonisolated(unsafe) let counters = counts
    nonisolated(unsafe) let items = items
    _ = counted(refs.count) { piece in
      let row = piece * Self.bucketCount
      for ref in refs[piece] { counters[row + Int(truncatingIfNeeded: key(of: ref) >> shift)] += 1 }
      return 0
    }
    var starts = [0]
    var next: UInt32 = 0
    for bucket in 0..<Self.bucketCount {
      for piece in refs.indices {
        let counter = piece * Self.bucketCount + bucket
        (counters[counter], next) = (next, next + counters[counter])
      }
      starts.append(Int(next))
    }
    _ = counted(refs.count) { piece in
      let row = piece * Self.bucketCount
      var place = UInt64(places[piece])
      for ref in refs[piece] {
        let key = key(of: ref)
        let counter = row + Int(truncatingIfNeeded: key >> shift)
        items[Int(counters[counter])] = (key & mask) << 32 | place
        counters[counter] += 1
        place += 1
      }
      return 0
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
    var source = items
    var target = spare
    // Counters of more bits save a pass, but must be worth being cleared.
    let digitBits = items.count < 4096 ? 8 : 11
    var next = [Int](repeating: 0, count: 1 << digitBits)
    let mask = UInt64(next.count - 1)
    for shift in stride(from: 32, to: 32 + lowBits, by: digitBits) {
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
    _ items: UnsafeMutableBufferPointer<UInt64>, _ starts: [Int], firstRanks: [Int]
  ) -> (NeededNodes, [UInt32]) {
    let nodes = NeededNodes(count: firstRanks[Self.bucketCount])
    nonisolated(unsafe) let items = items
    let ranks = [UInt32](unsafeUninitializedCapacity: count) { ranks, initialized in
      nonisolated(unsafe) let ranks = ranks
      _ = counted(Self.bucketCount) { bucket in
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
        return 0
      }
      // Every place stands in exactly one item.
      initialized = count
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
