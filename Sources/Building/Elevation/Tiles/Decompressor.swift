// SPDX-License-Identifier: Apache-2.0
import CDeflate
import Diagnostics

/// Inflates whole buffers of known size by libdeflate.
final class Decompressor {
  /// How an inflation ended.
  enum Outcome: Equatable {
    /// The buffer is filled to its last byte, and the input is sound.
    case exact
    /// The input is sound but ends after this many bytes of output.
    case short(Int)
    /// The buffer is too small for the input.
    case tooLong
    /// The input is cut off or damaged.
    case damaged

    /// How much a sound input holds that fits a buffer of `capacity` bytes.
    func byteCount(of capacity: Int) -> Int? {
      switch self {
      case .exact: capacity
      case .short(let count): count
      case .tooLong, .damaged: nil
      }
    }
  }

  private let handle: OpaquePointer

  init() throws(CairnError) {
    guard let handle = libdeflate_alloc_decompressor() else {
      throw CairnError("out-of-memory", .temporaryFailure, "no memory for inflating a tile")
    }
    self.handle = handle
  }

  deinit { libdeflate_free_decompressor(handle) }

  /// Inflates a raw deflate stream, as zip has it.
  func inflate(_ packed: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    packed.withUnsafeBytes { input in
      var count = 0
      let result = libdeflate_deflate_decompress(
        handle, input.baseAddress, input.count, buffer.baseAddress, buffer.count, &count)
      return Self.outcome(result, count, of: buffer.count)
    }
  }

  /// Inflates a gzip file, which may consist of several members, and checks its checksums.
  func gunzip(_ packed: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    packed.withUnsafeBytes { input in
      var read = 0
      var written = 0
      repeat {
        let member = UnsafeRawBufferPointer(rebasing: input[read...])
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[written...])
        var (taken, count) = (0, 0)
        let result = libdeflate_gzip_decompress_ex(
          handle, member.baseAddress, member.count, rest.baseAddress, rest.count, &taken, &count)
        guard result == LIBDEFLATE_SUCCESS else {
          return Self.outcome(result, count, of: rest.count)
        }
        read += taken
        written += count
      } while read < input.count
      return Self.outcome(LIBDEFLATE_SUCCESS, written, of: buffer.count)
    }
  }

  private static func outcome(_ result: libdeflate_result, _ count: Int, of expected: Int)
    -> Outcome
  {
    switch result {
    case LIBDEFLATE_SUCCESS: count == expected ? .exact : .short(count)
    case LIBDEFLATE_INSUFFICIENT_SPACE: .tooLong
    default: .damaged
    }
  }
}

/// The CRC-32 of zip.
func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  bytes.isEmpty ? 0 : libdeflate_crc32(0, bytes.baseAddress, bytes.count)
}
