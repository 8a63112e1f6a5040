// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CLZ4
import CZstd
import CairnDiagnostics
import CairnFormatting

/// How a blob is compressed.
package enum BlobCompression: String, CaseIterable, Sendable {
  /// Uncompressed.
  case none
  /// zlib, as in nearly every file.
  case zlib
  /// An LZ4 block without a frame.
  case lz4
  /// A Zstandard frame.
  case zstd
}

/// Decompresses blobs into memory of the size that they state; exceeding it is an error.
struct Inflater: ~Copyable {
  private var deflate: OpaquePointer?
  private var zstd: OpaquePointer?

  init() {}

  deinit {
    if let deflate { libdeflate_free_decompressor(deflate) }
    if let zstd { ZSTD_freeDCtx(zstd) }
  }

  /// Fills `target`. Throws 65 if the data is damaged or has another size.
  mutating func inflate(
    _ data: UnsafeRawBufferPointer, _ compression: BlobCompression,
    into target: UnsafeMutableRawBufferPointer
  ) throws(CairnError) {
    guard !data.isEmpty, !target.isEmpty else {
      throw .badData(.rawSizeMismatch, "a compressed blob is empty")
    }
    let size: Int
    switch compression {
    case .none: throw .badData(.unknownCompression, "a blob is not compressed")
    case .zlib: size = try inflateZlib(data, into: target)
    case .lz4: size = try inflateLZ4(data, into: target)
    case .zstd: size = try inflateZstd(data, into: target)
    }
    guard size == target.count else {
      throw .badData(
        .rawSizeMismatch,
        "a blob states \(grouped(target.count)) bytes uncompressed, but has \(grouped(size))")
    }
  }

  private mutating func inflateZlib(
    _ data: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CairnError) -> Int {
    if deflate == nil { deflate = libdeflate_alloc_decompressor() }
    guard let deflate, let source = data.baseAddress, let output = target.baseAddress else {
      throw Self.noMemory
    }
    var size = 0
    switch libdeflate_zlib_decompress(
      deflate, source, data.count, output, target.count, &size)
    {
    case LIBDEFLATE_SUCCESS: return size
    case LIBDEFLATE_INSUFFICIENT_SPACE: throw Self.tooMuch(target.count)
    default: throw Self.damaged
    }
  }

  private func inflateLZ4(
    _ data: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CairnError) -> Int {
    // Both sizes are within the limits of a blob. LZ4 does not distinguish damage from excess data.
    let size = LZ4_decompress_safe(
      data.baseAddress, target.baseAddress, Int32(clamping: data.count),
      Int32(clamping: target.count))
    guard size >= 0 else { throw Self.damaged }
    return Int(size)
  }

  private mutating func inflateZstd(
    _ data: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CairnError) -> Int {
    if zstd == nil { zstd = ZSTD_createDCtx() }
    guard let zstd else { throw Self.noMemory }
    let size = ZSTD_decompressDCtx(
      zstd, target.baseAddress, target.count, data.baseAddress, data.count)
    guard ZSTD_isError(size) == 0 else {
      throw ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall
        ? Self.tooMuch(target.count) : Self.damaged
    }
    return size
  }

  private static let noMemory = CairnError(
    "inflater", .software, "cannot allocate a decompressor")

  private static func tooMuch(_ size: Int) -> CairnError {
    .badData(.rawSizeMismatch, "a blob states \(grouped(size)) bytes uncompressed, but has more")
  }

  private static let damaged = CairnError.badData(
    .damagedCompression, "a blob cannot be decompressed",
    hint: "the file is damaged: download it again")
}
