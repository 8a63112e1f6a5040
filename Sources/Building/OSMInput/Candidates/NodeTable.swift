// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
import SystemIO

/// The coordinates of the needed nodes, at first ``NodeCoordinate/missing``.
///
/// Threads may set and read coordinates concurrently.
final class NodeCoordinates: Sendable {
  /// The number of nodes.
  let count: Int
  private nonisolated(unsafe) let elements: UnsafeMutablePointer<Atomic<UInt64>>
  private let memory: LargeMemory

  /// Zero is a missing coordinate, so ``LargeMemory`` is only touched where it is used.
  init(count: Int) {
    self.count = count
    memory = LargeMemory(byteCount: count * MemoryLayout<UInt64>.stride)
    elements = memory.start.bindMemory(to: Atomic<UInt64>.self, capacity: max(1, count))
  }

  /// The coordinate of a node.
  @inline(__always)
  subscript(node: Int) -> NodeCoordinate {
    precondition(node >= 0 && node < count)
    return NodeCoordinate(bits: elements[node].load(ordering: .relaxed))
  }

  /// Sets the coordinate of a node.
  @inline(__always)
  func set(_ node: Int, _ coordinate: NodeCoordinate) {
    precondition(node >= 0 && node < count)
    elements[node].store(coordinate.bits, ordering: .relaxed)
  }

  /// Calls `body` with the bits of all coordinates; the pointer must not escape.
  func withUnsafeElements<Result>(
    _ body: (UnsafeMutableBufferPointer<Atomic<UInt64>>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeMutableBufferPointer(start: elements, count: count))
    }
  }

  /// Whether all coordinates are known.
  func areKnown(threads: Int) -> Bool {
    let length = 1 << 16
    let queue = WorkQueue(count: (count + length - 1) / length)
    let isUnknown = Atomic(false)
    runWorkers(min(threads, queue.count)) { [self] _ in
      while let piece = queue.next() {
        for node in piece * length..<min(count, (piece + 1) * length) where !self[node].isKnown {
          isUnknown.store(true, ordering: .relaxed)
          return queue.cancel()
        }
      }
    }
    return !isUnknown.load(ordering: .relaxed)
  }
}

/// A tag of a needed node.
struct NodeTag: Sendable {
  /// The node as an index into the needed nodes.
  var node: UInt32
  var tag: PooledTag
  /// The occurrence of the node that it belongs to, to distinguish versions of a node.
  var occurrence = 0
}

/// Which nodes were found several times.
struct NodeDuplicates: Sendable {
  /// How often a node appeared again.
  private(set) var count = 0
  /// The first nodes that appeared again, as indices into the needed nodes.
  private(set) var first: [UInt32] = []
  /// The number of occurrences of needed nodes found.
  private(set) var occurrences = 0
  private var lastOccurrences: [UInt32: Int] = [:]

  /// Records that a node was found, and whether it had been found before. Returns its occurrence.
  mutating func record(_ node: Int, isKnown: Bool) -> Int {
    if isKnown {
      count += 1
      let node = UInt32(truncatingIfNeeded: node)
      if first.count < WarningTally.exampleLimit { first.append(node) }
      lastOccurrences[node] = occurrences
    }
    occurrences += 1
    return occurrences - 1
  }

  /// Begins with later versions of nodes; earlier finds count as one occurrence of each.
  mutating func beginLaterVersions() { occurrences = max(occurrences, 1) }

  /// Whether a tag belongs to the last version of its node.
  func areLast(_ tag: NodeTag) -> Bool {
    lastOccurrences[tag.node, default: tag.occurrence] == tag.occurrence
  }
}

/// The coordinates and tags of the needed nodes. Of several versions of a node, the last one in the
/// file counts.
struct NodeTable: Sendable {
  /// The coordinate of each node.
  let coordinates: NodeCoordinates
  /// Which nodes were found several times.
  var duplicates = NodeDuplicates()
  private var collectedTags: [NodeTag] = []

  init(_ nodes: NeededNodes) { coordinates = NodeCoordinates(count: nodes.count) }

  /// Sets the coordinate of the next node of the file; returns its occurrence.
  mutating func add(_ node: Int, _ coordinate: NodeCoordinate) -> Int {
    defer { coordinates.set(node, coordinate) }
    return duplicates.record(node, isKnown: coordinates[node] != .missing)
  }

  /// Adds the next tags of the file; `textIndices` are the indices of their texts in the common
  /// pool.
  mutating func append(_ tags: [NodeTag], textIndices: [UInt32]) {
    for tag in tags {
      let pooled = PooledTag(
        key: textIndices[Int(tag.tag.key)], value: textIndices[Int(tag.tag.value)])
      collectedTags.append(NodeTag(node: tag.node, tag: pooled, occurrence: tag.occurrence))
    }
  }

  /// Gives nodes that are missing in the file the coordinates that are stored on ways.
  mutating func fill(from implicitNodes: [ImplicitNode], _ nodes: NeededNodes) {
    var cursor = NeededNodes.Cursor(nodes)
    for implicit in implicitNodes {
      if let node = cursor.index(of: implicit.id), coordinates[node] == .missing {
        coordinates.set(node, implicit.coordinate)
      }
    }
  }

  /// The tags of the nodes, sorted by node, those of a node in the order of the file.
  func tags() -> [NodeTag] {
    collectedTags.filter(duplicates.areLast)
      .sorted { ($0.node, $0.occurrence) < ($1.node, $1.occurrence) }
  }
}
