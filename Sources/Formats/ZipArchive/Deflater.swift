// SPDX-License-Identifier: Apache-2.0
import CZlib
import CairnDiagnostics

/// Compresses a stream by DEFLATE (RFC 1951), without holding it in memory.
final class Deflater {
  private var stream = z_stream()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)

  /// Throws 75 if there is not enough memory.
  init() throws(CairnError) {
    // Zlib's own default level: the next ones take twice as long for a hundredth.
    let status = deflateInit2_(
      &stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      throw CairnError("compression", .temporaryFailure, "not enough memory to compress")
    }
  }

  deinit {
    deflateEnd(&stream)
    buffer.deallocate()
  }

  /// Compresses bytes and passes on the output; the last call must be marked as such.
  func add(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool,
    _ write: (UnsafeRawBufferPointer) throws(CairnError) -> Void
  ) throws(CairnError) {
    stream.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(clamping: bytes.count)
    while true {
      stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(clamping: buffer.count)
      let status = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw CairnError("compression", .software, "zlib fails with \(status)")
      }
      let count = buffer.count - Int(stream.avail_out)
      if count > 0 { try write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      if isLast ? status == Z_STREAM_END : stream.avail_out > 0 { return }
    }
  }
}
