// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics

/// Compresses tiles and directories with gzip. The header has no time and no name.
package final class GzipPacker {
  private let handle: OpaquePointer
  private var buffer: [UInt8] = []

  /// Prepares to pack at a level, 1…12. Throws 75 without memory.
  package init(level: Int32 = 9) throws(CairnError) {
    guard let handle = libdeflate_alloc_compressor(level) else {
      throw CairnError("out-of-memory", .temporaryFailure, "not enough memory to pack a tile")
    }
    self.handle = handle
  }

  deinit { libdeflate_free_compressor(handle) }

  /// The bytes as a gzip file.
  package func pack(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let bound = libdeflate_gzip_compress_bound(handle, bytes.count)
    if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound * 2) }
    let count = buffer.withUnsafeMutableBytes { output in
      bytes.withUnsafeBytes { input in
        libdeflate_gzip_compress(
          handle, input.baseAddress, input.count, output.baseAddress, output.count)
      }
    }
    return buffer[..<count]
  }
}

/// Decompresses gzip data.
package final class GzipUnpacker {
  private let handle: OpaquePointer
  /// The bytes that may still be unpacked, or the equivalent in other work.
  private var remaining: Int
  /// Whether more was to be unpacked than that.
  package private(set) var isExhausted = false

  /// The error for what is not unpacked any more.
  static let exhausted = CairnError(
    "tile-budget", .dataError, "unpacks to far more than the size of the archive allows")

  /// Prepares to unpack, in all at most some bytes. Throws 75 without memory.
  package init(total: Int = .max) throws(CairnError) {
    remaining = total
    guard let handle = libdeflate_alloc_decompressor() else {
      throw CairnError("out-of-memory", .temporaryFailure, "not enough memory to unpack a tile")
    }
    self.handle = handle
  }

  deinit { libdeflate_free_decompressor(handle) }

  /// Counts work against the unpacked bytes, in bytes that take as long; returns false if the limit
  /// is exceeded.
  func spend(_ work: Int) -> Bool {
    if work >= remaining { isExhausted = true }
    remaining -= min(work, remaining)
    return !isExhausted
  }

  /// Whether bytes begin like a gzip file.
  package static func isPacked(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// The content of a gzip file with one member; nil if it is damaged, or exceeds `limit` or the
  /// total that may be unpacked.
  package func unpack(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard bytes.count >= 18, Self.isPacked(bytes) else { return nil }
    // The last four bytes state the length of the content.
    let stated = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
    // Deflate compresses at most 1032 to one.
    guard Int(stated) <= min(limit, bytes.count * 1040), spend(Int(stated)) else { return nil }
    var output = [UInt8](repeating: 0, count: max(1, Int(stated)))
    var (taken, count) = (0, 0)
    let result = output.withUnsafeMutableBytes {
      libdeflate_gzip_decompress_ex(
        handle, bytes.baseAddress, bytes.count, $0.baseAddress, Int(stated), &taken, &count)
    }
    guard result == LIBDEFLATE_SUCCESS, taken == bytes.count else { return nil }
    output.removeLast(output.count - count)
    return output
  }

  /// The content of zlib data, which has a known size; nil if it is damaged or of another size. Throws
  /// 65 if it exceeds the total that may be unpacked.
  func unpackZlib(_ bytes: UnsafeRawBufferPointer, size: Int) throws(CairnError) -> [UInt8]? {
    // Deflate compresses at most 1032 to one.
    guard size <= bytes.count * 1040 else { return nil }
    guard spend(size) else { throw Self.exhausted }
    var output = [UInt8](repeating: 0, count: max(1, size))
    var taken = 0
    let result = output.withUnsafeMutableBytes {
      libdeflate_zlib_decompress_ex(
        handle, bytes.baseAddress, bytes.count, $0.baseAddress, size, &taken, nil)
    }
    return result == LIBDEFLATE_SUCCESS && taken == bytes.count ? output : nil
  }
}
