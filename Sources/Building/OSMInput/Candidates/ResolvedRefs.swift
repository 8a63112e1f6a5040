// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import SystemIO

/// The nodes that ways use, and the refs as indices into them.
struct ResolvedRefs: Sendable {
  /// The distinct ids of the refs.
  let nodes: NeededNodes
  /// The index of each ref's node in ``nodes``.
  let nodeIndices: [UInt32]

  /// Resolves the refs of all ways, given in pieces, by sorting them.
  ///
  /// The refs are distributed to buckets by the highest bits in which they differ; then each bucket
  /// is sorted with a least-significant-digit radix sort, which takes linear time whatever the
  /// refs. The result does not depend on the number of threads. Throws 65 if there are more refs
  /// than 32 bits can index.
  init(_ refs: [[Int64]], threads: Int) throws(CairnError) {
    let count = refs.reduce(0) { $0 + $1.count }
    guard count < Int(UInt32.max) else {
      throw .badData(.tooManyObjects, "the ways have \(grouped(count)) refs, which is too many")
    }
    let sorter = RefSorter(refs, count: count, threads: max(1, min(threads, count / 50_000)))
    (nodes, nodeIndices) = sorter.canPack ? sorter.sortPacked() : sorter.sortUnpacked()
  }
}

/// A parallel sort of refs.
///
/// An item packs the lower bits of an id and the index of the ref into 64 bits; the bucket that
/// contains it gives the upper bits of the id. Workers process the pieces of the refs first and
/// the buckets afterwards.
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
    var minimum = Int64.max
    var maximum = Int64.min
    for piece in refs {
      for ref in piece {
        minimum = min(minimum, ref)
        maximum = max(maximum, ref)
      }
    }
    smallest = minimum
    let range = count > 0 ? UInt64(bitPattern: maximum &- minimum) : 0
    lowBits = max(0, UInt64.bitWidth - range.leadingZeroBitCount - Self.bucketBits)
  }

  /// Whether the ids span less than 2⁴⁰, as all of OpenStreetMap's do.
  var canPack: Bool { lowBits <= 32 }

  func sortPacked() -> (NeededNodes, [UInt32]) {
    let items = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    defer { items.deallocate() }
    nonisolated(unsafe) let shared = items
    let starts = distribute(into: items)
    let distinct = mapConcurrently(Self.bucketCount) { bucket in
      sortBucket(UnsafeMutableBufferPointer(rebasing: shared[starts[bucket]..<starts[bucket + 1]]))
    }
    return resolve(items, starts, firstIndices: sums(distinct))
  }

  /// The results of `body` for each index below `count`, computed by all workers.
  private func mapConcurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Int) -> [Int] {
    let queue = WorkQueue(count: count)
    return [Int](unsafeUninitializedCapacity: count) { results, initialized in
      nonisolated(unsafe) let results = results
      runWorkers(threads) { _ in
        while let index = queue.next() { results[index] = body(index) }
      }
      initialized = count
    }
  }

  /// The prefix sums: for each count the sum of those before it, and finally the sum of all.
  private func sums(_ counts: [Int]) -> [Int] {
    var sums = [0]
    for count in counts { sums.append(sums[sums.count - 1] + count) }
    return sums
  }

  /// Distributes the refs to buckets; returns where each bucket begins, and finally the end.
  private func distribute(into items: UnsafeMutableBufferPointer<UInt64>) -> [Int] {
    let shift = UInt64(lowBits)
    let mask = (UInt64(1) << shift) - 1
    let firstRefs = sums(refs.map(\.count))
    // One count per piece and bucket, so that each piece has its own part of each bucket.
    let counts = UnsafeMutableBufferPointer<UInt32>.allocate(
      capacity: refs.count * Self.bucketCount)
    defer { counts.deallocate() }
    counts.initialize(repeating: 0)
    nonisolated(unsafe) let counters = counts
    nonisolated(unsafe) let items = items
    _ = mapConcurrently(refs.count) { piece in
      let base = piece * Self.bucketCount
      for ref in refs[piece] {
        counters[base + Int(truncatingIfNeeded: key(of: ref) >> shift)] += 1
      }
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
    _ = mapConcurrently(refs.count) { piece in
      let base = piece * Self.bucketCount
      var refIndex = UInt64(firstRefs[piece])
      for ref in refs[piece] {
        let key = key(of: ref)
        let counter = base + Int(truncatingIfNeeded: key >> shift)
        items[Int(counters[counter])] = (key & mask) << 32 | refIndex
        counters[counter] += 1
        refIndex += 1
      }
      return 0
    }
    return starts
  }

  @inline(__always)
  private func key(of ref: Int64) -> UInt64 { UInt64(bitPattern: ref &- smallest) }

  /// Sorts a bucket by id; returns the number of distinct ids.
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
    // Larger digits save a pass, but clearing their counters must be worth it.
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

  /// The distinct ids, and for each ref the index of its id.
  private func resolve(
    _ items: UnsafeMutableBufferPointer<UInt64>, _ starts: [Int], firstIndices: [Int]
  ) -> (NeededNodes, [UInt32]) {
    let nodes = NeededNodes(count: firstIndices[Self.bucketCount])
    nonisolated(unsafe) let items = items
    let nodeIndices = [UInt32](unsafeUninitializedCapacity: count) { nodeIndices, initialized in
      nonisolated(unsafe) let nodeIndices = nodeIndices
      _ = mapConcurrently(Self.bucketCount) { bucket in
        let upper = UInt64(bucket) << UInt64(lowBits)
        var index = firstIndices[bucket] - 1
        var previous = UInt64.max
        for item in items[starts[bucket]..<starts[bucket + 1]] {
          if item >> 32 != previous {
            previous = item >> 32
            index += 1
            nodes.set(index, Int64(bitPattern: upper | previous) &+ smallest)
          }
          nodeIndices[Int(truncatingIfNeeded: item & 0xffff_ffff)] =
            UInt32(truncatingIfNeeded: index)
        }
        return 0
      }
      // Every index of a ref is in exactly one item.
      initialized = count
    }
    return (nodes, nodeIndices)
  }

  /// Sorts ids that span too much to be packed, which do not occur in real files.
  func sortUnpacked() -> (NeededNodes, [UInt32]) {
    var items = refs.joined().enumerated().map { (id: $0.element, ref: $0.offset) }
    items.sort { $0.id < $1.id }
    var ids: [Int64] = []
    var nodeIndices = [UInt32](repeating: 0, count: count)
    for item in items {
      if item.id != ids.last { ids.append(item.id) }
      nodeIndices[item.ref] = UInt32(truncatingIfNeeded: ids.count - 1)
    }
    let nodes = NeededNodes(count: ids.count)
    for (index, id) in ids.enumerated() { nodes.set(index, id) }
    return (nodes, nodeIndices)
  }
}
