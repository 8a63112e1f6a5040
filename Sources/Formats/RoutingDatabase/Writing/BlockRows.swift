// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

// The rows of blocks, each for the part of its table that it is added to.
extension TreePart {
  /// Adds the costs and the seconds of a block of edges for a profile.
  ///
  /// - Parameters:
  ///   - profile: Counted from 1. The costs of the first one are not written.
  ///   - block: Counted from 0.
  ///   - edges: The indices of the block's edges in the columns, in order.
  ///   - costs: In the edges' own direction and in the other one.
  ///   - seconds: The same.
  package mutating func addCosts(
    profile: Int, block: Int, edges: ArraySlice<UInt32>, costs: (ahead: [Double], back: [Double]),
    seconds: (ahead: [Double], back: [Double])
  ) throws(CairnError) {
    record.addNull()
    if profile == 1 {
      record.addNull()
    } else {
      addNumbers(edges, costs) { CostBlock.rounded(cost: $0) }
    }
    addNumbers(edges, seconds) { CostBlock.rounded(seconds: $0) }
    try endRow(Int64(profile) << 32 | Int64(block))
  }

  @inline(__always)
  private mutating func addNumbers(
    _ edges: ArraySlice<UInt32>, _ numbers: (ahead: [Double], back: [Double]),
    _ rounded: (Double) -> Float
  ) {
    let size = edges.count * CostBlock.bytesPerEdge
    numbers.ahead.withUnsafeBufferPointer { ahead in
      numbers.back.withUnsafeBufferPointer { back in
        record.addBlob(upTo: size) { buffer in
          var offset = 0
          for edge in edges {
            buffer.storeBytes(
              of: CostBlock.bits(rounded(ahead[Int(edge)]), rounded(back[Int(edge)])),
              toByteOffset: offset, as: UInt64.self)
            offset += CostBlock.bytesPerEdge
          }
          return offset
        }
      }
    }
  }

  /// Adds the tag sets of a block of edges.
  ///
  /// - Parameters:
  ///   - block: Counted from 0.
  ///   - ways: The tag set of each edge's way, counted from 1.
  ///   - barriers: The tag set of each edge's barrier; 0 if it represents none.
  package mutating func addTagSets(block: Int, ways: [Int], barriers: [Int]) throws(CairnError) {
    record.addNull()
    record.addNumbers(ways)
    if barriers.allSatisfy({ $0 == 0 }) { record.addNull() } else { record.addNumbers(barriers) }
    try endRow(Int64(block))
  }

  /// Adds a rule.
  mutating func addRule(_ rule: StoredRule.Row) throws(CairnError) {
    record.addNull()
    record.addNumbers(rule.edges)
    for bytes in [rule.classes, rule.prices] { bytes.withUnsafeBytes { record.addBlob($0) } }
    try endRow(rule.id)
  }

  /// Adds the elevation profiles of a block of edges, unless it has none.
  ///
  /// - Parameter block: Counted from 0.
  package mutating func addElevations(_ elevations: borrowing BlockElevations, block: Int)
    throws(CairnError)
  {
    if elevations.size == 0 { return }
    record.addNull()
    let width = ElevationBlock.width(ofHundredths: elevations.slopes)
    let half = 1 << (8 * width - 1)
    record.addNumbers(
      elevations.slopes.map { $0 == BlockElevations.unknown ? 0 : $0 + half }, width: width)
    record.addNumbers(elevations.ends)
    let bytes = elevations.profiles
    let size = elevations.size
    record.addBlob(upTo: size) { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
      return size
    }
    try endRow(Int64(block))
  }
}

extension SQLiteRecord {
  /// Adds a blob of whole numbers.
  mutating func addNumbers(_ numbers: [Int], width: Int? = nil) {
    let width = width ?? PackedNumbers.width(of: numbers)
    addBlob(upTo: 1 + numbers.count * width) {
      PackedNumbers.pack(numbers, width: width, into: $0)
    }
  }
}

/// The elevation profiles of a block of edges, before they become a row; used for one block after
/// another.
package struct BlockElevations: ~Copyable {
  /// Stands for a slope that is unknown.
  fileprivate static let unknown = Int.min

  fileprivate var slopes: [Int] = []
  fileprivate var ends: [Int] = []
  fileprivate var profiles: UnsafeMutableRawBufferPointer
  fileprivate var size = 0

  /// Begins with no edges.
  package init() {
    profiles = .allocate(byteCount: 1 << 12, alignment: 16)
  }

  deinit { profiles.deallocate() }

  /// Removes all edges.
  package mutating func clear() {
    slopes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    size = 0
  }

  /// Adds the next edge. Throws 70 if its profile is invalid.
  ///
  /// - Parameters:
  ///   - slope: See ``EdgeElevation/maximumSlope``; NaN if its elevation is unknown.
  ///   - profile: See ``EdgeElevation/elevations``.
  package mutating func add(slope: Double, profile: UnsafeBufferPointer<Float>) throws(CairnError) {
    defer { ends.append(size) }
    guard !slope.isNaN else { return slopes.append(Self.unknown) }
    slopes.append(ElevationBlock.hundredths(slope))
    let limit = EdgeElevation.greatestSize(count: profile.count)
    if limit > profiles.count - size {
      let grown = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 2 * (size + limit), alignment: 16)
      grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: profiles[..<size]))
      profiles.deallocate()
      profiles = grown
    }
    let packed = EdgeElevation.pack(
      profile, into: UnsafeMutableRawBufferPointer(rebasing: profiles[size..<(size + limit)]))
    guard let packed else {
      throw CairnError(.database, .software, "an edge has an invalid elevation profile")
    }
    size += packed
  }
}
