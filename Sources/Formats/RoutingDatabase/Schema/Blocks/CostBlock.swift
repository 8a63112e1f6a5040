// SPDX-License-Identifier: Apache-2.0

extension RoutingSchema {
  /// The number of edges in a block of costs or of tag sets; the last one may have fewer. Their
  /// costs, their times or both fill pages without much waste.
  package static let edgesPerBlock = 1000

  /// The block of an edge, counted from 0, and its index there; nil for an id that no edge has.
  package static func position(ofEdge id: Int64, per edges: Int) -> (block: Int64, index: Int)? {
    guard id > 0, id <= Int64(UInt32.max) * Int64(edges) else { return nil }
    let (block, index) = (id - 1).quotientAndRemainder(dividingBy: Int64(edges))
    return (block, Int(index))
  }
}

/// The costs or the times of consecutive edges by one profile, as a blob: for each edge two
/// numbers, one in its own direction and one in the other, IEEE 754 single precision,
/// little-endian; infinity if it is impassable.
///
/// A row of `routing_cost_blocks` has `costs` and `durations`. Its id is profile · 2³² + (edge − 1)
/// / ``RoutingSchema/edgesPerBlock``. The costs of the first profile are those of `routing_edges`;
/// there, `costs` is NULL.
///
/// Times are rounded to the nearest number and costs up, so that no lower bound of a cost is lost.
/// Neither changes by more than ``precision``.
package enum CostBlock {
  /// The bytes of an edge.
  package static let bytesPerEdge = 8
  /// The greatest relative change by rounding.
  package static let precision = 0x1p-23
  /// The least positive and the greatest finite number written; others are clamped to them. Times
  /// below the least one become 0.
  package static let least: Float = 0x1p-32
  /// See ``least``.
  package static let greatest: Float = 0x1p62

  /// The id of a row; nil if no row has this profile or block.
  package static func id(profile: Int64, block: Int64) -> Int64? {
    guard profile > 0, Int32(exactly: profile) != nil, UInt32(exactly: block) != nil else {
      return nil
    }
    return profile << Int64(32) | block
  }

  /// A cost as it is written.
  package static func rounded(cost: Double) -> Float {
    if cost == .infinity { return .infinity }
    let nearest = Float(cost)
    let rounded = Double(nearest) < cost ? nearest.nextUp : nearest
    return min(max(rounded, least), greatest)
  }

  /// A time as it is written.
  package static func rounded(seconds: Double) -> Float {
    if seconds == .infinity { return .infinity }
    let nearest = Float(seconds)
    return nearest < least ? 0 : min(nearest, greatest)
  }

  /// The two numbers of an edge, by its index, which must not be negative; nil if the blob ends
  /// before.
  @inline(__always)
  package static func numbers(_ bytes: UnsafeRawBufferPointer, _ index: Int)
    -> (ahead: Double, back: Double)?
  {
    guard index >= 0, index < bytes.count / bytesPerEdge else { return nil }
    let bits = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: index * bytesPerEdge, as: UInt64.self))
    return (
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)))
    )
  }

  /// The two numbers of an edge as they lie in a blob.
  package static func bits(_ ahead: Float, _ back: Float) -> UInt64 {
    (UInt64(back.bitPattern) << 32 | UInt64(ahead.bitPattern)).littleEndian
  }
}
