// SPDX-License-Identifier: Apache-2.0

/// Room for the blobs of the rows that one statement inserts, where they stay until it has run, so
/// that SQLite need not make a copy of each.
final class BlobArena {
  /// Far more than the geometries of a statement's edges usually take; only what is used of it
  /// becomes memory.
  private static let size = 1 << 20

  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
  private var used = 0

  deinit { room.deallocate() }

  /// Takes everything back.
  func reset() { used = 0 }

  /// So many bytes, or nil where there is no room for them.
  func take(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    guard count <= room.count - used else { return nil }
    defer { used += count }
    return UnsafeMutableRawBufferPointer(rebasing: room[used..<(used + count)])
  }
}
