// SPDX-License-Identifier: Apache-2.0

/// A buffer for the blobs of the rows that one statement inserts. They stay there until it has run,
/// so SQLite need not copy them.
final class BlobArena {
  /// Far more than the geometries of a statement's edges usually take; unused pages of it take no
  /// memory.
  private static let size = 1 << 20

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
  private var used = 0

  deinit { buffer.deallocate() }

  /// Releases all blobs.
  func reset() { used = 0 }

  /// A buffer of `count` bytes, or nil if they do not fit.
  func take(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    guard count <= buffer.count - used else { return nil }
    defer { used += count }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[used..<(used + count)])
  }
}
