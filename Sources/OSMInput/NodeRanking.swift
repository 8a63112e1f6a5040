// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// The nodes that ways use, and which of them each ref means.
struct NodeRanking {
  /// The distinct ids of the refs.
  let nodes: NeededNodes
  /// The rank of each ref's node.
  let ranks: [UInt32]

  /// Sorts the refs of all ways.
  ///
  /// The refs are dealt into buckets by the highest bits in which they differ, then each bucket
  /// is sorted by radix from its lowest bits, which takes time in proportion to the number of
  /// refs whatever they are. The result does not depend on the number of threads. Throws 65 if
  /// there are more refs than 32 bits can number.
  init(_ refs: [Int64], threads: Int) throws(CairnError) {
    guard refs.count < Int(UInt32.max) else {
      throw .badData(
        .tooManyObjects, "the ways have \(grouped(refs.count)) refs, which is too many")
    }
    let sorter = RefSorter(refs)
    let buckets = WorkQueue(count: RefSorter.bucketCount)
    do {
      try withWorkers(min(threads, max(1, refs.count / 50_000))) { _ in
        while let bucket = buckets.next() { sorter.sortBucket(bucket) }
      }
    } catch { throw CairnError("unexpected", .software, "\(error)") }
    (nodes, ranks) = sorter.result()
  }
}

/// The memory of one sort. Workers sort different buckets of it at the same time.
private final class RefSorter: @unchecked Sendable {
  static let bucketCount = 256

  private struct Item: BitwiseCopyable {
    var key: UInt64
    var place: UInt32
  }

  private let smallest: Int64
  private let count: Int
  private let lowBits: Int
  private var starts = [Int](repeating: 0, count: bucketCount + 1)
  private let items: UnsafeMutableBufferPointer<Item>
  private let spare: UnsafeMutableBufferPointer<Item>

  init(_ refs: [Int64]) {
    count = refs.count
    items = .allocate(capacity: max(1, refs.count))
    spare = .allocate(capacity: max(1, refs.count))
    let nothing = Item(key: 0, place: 0)
    items.initialize(repeating: nothing)
    spare.initialize(repeating: nothing)
    var least = Int64.max
    var greatest = Int64.min
    for ref in refs {
      least = min(least, ref)
      greatest = max(greatest, ref)
    }
    smallest = refs.isEmpty ? 0 : least
    let range = refs.isEmpty ? 0 : UInt64(bitPattern: greatest &- least)
    let usedBits = UInt64.bitWidth - range.leadingZeroBitCount
    lowBits = max(0, usedBits - (Self.bucketCount - 1).nonzeroBitCount)
    deal(refs)
  }

  deinit {
    items.deallocate()
    spare.deallocate()
  }

  private func deal(_ refs: [Int64]) {
    var ends = [Int](repeating: 0, count: Self.bucketCount)
    for ref in refs { ends[bucket(of: key(of: ref))] += 1 }
    for bucket in 0..<Self.bucketCount { starts[bucket + 1] = starts[bucket] + ends[bucket] }
    var next = starts
    for (place, ref) in refs.enumerated() {
      let key = key(of: ref)
      let bucket = bucket(of: key)
      items[next[bucket]] = Item(key: key, place: UInt32(truncatingIfNeeded: place))
      next[bucket] += 1
    }
  }

  @inline(__always)
  private func key(of ref: Int64) -> UInt64 { UInt64(bitPattern: ref &- smallest) }

  @inline(__always)
  private func bucket(of key: UInt64) -> Int { Int(truncatingIfNeeded: key >> UInt64(lowBits)) }

  /// Sorts one bucket by its lower bits, eleven at a time.
  func sortBucket(_ bucket: Int) {
    let range = starts[bucket]..<starts[bucket + 1]
    guard range.count > 1 else { return }
    var source = UnsafeMutableBufferPointer(rebasing: items[range])
    var target = UnsafeMutableBufferPointer(rebasing: spare[range])
    let digitBits = 11
    var passes = 0
    var next = [Int](repeating: 0, count: 1 << digitBits)
    for shift in stride(from: 0, to: lowBits, by: digitBits) {
      let mask = (UInt64(1) << UInt64(min(digitBits, lowBits - shift))) - 1
      for digit in next.indices { next[digit] = 0 }
      for item in source { next[Int(truncatingIfNeeded: item.key >> UInt64(shift) & mask)] += 1 }
      var sum = 0
      for digit in next.indices { (next[digit], sum) = (sum, sum + next[digit]) }
      for item in source {
        let digit = Int(truncatingIfNeeded: item.key >> UInt64(shift) & mask)
        target[next[digit]] = item
        next[digit] += 1
      }
      swap(&source, &target)
      passes += 1
    }
    if passes % 2 == 1 { _ = target.update(fromContentsOf: source) }
  }

  /// Numbers the distinct keys of the sorted items.
  func result() -> (NeededNodes, [UInt32]) {
    var distinct: [Int64] = []
    distinct.reserveCapacity(count)
    let ranks = [UInt32](unsafeUninitializedCapacity: count) { ranks, initialized in
      var previous: UInt64?
      for item in items.prefix(count) {
        if item.key != previous {
          previous = item.key
          distinct.append(Int64(bitPattern: item.key) &+ smallest)
        }
        ranks[Int(item.place)] = UInt32(truncatingIfNeeded: distinct.count - 1)
      }
      // Every place from 0 to count−1 stands in exactly one item.
      initialized = count
    }
    return (NeededNodes(sorted: distinct), ranks)
  }
}
