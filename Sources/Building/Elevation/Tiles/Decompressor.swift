// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics

/// Inflates whole gzip files of known size with libdeflate.
final class Decompressor {
  /// The outcome of an inflation.
  enum Outcome: Equatable {
    /// The input is valid and fills the buffer exactly.
    case exact
    /// The input is valid but has only this many bytes of output.
    case short(Int)
    /// The buffer is too small for the input.
    case tooLong
    /// The input is truncated or damaged.
    case damaged

    /// The size of the output in a buffer of `capacity` bytes; nil if the input is damaged or too
    /// long.
    func byteCount(of capacity: Int) -> Int? {
      switch self {
      case .exact: capacity
      case .short(let count): count
      case .tooLong, .damaged: nil
      }
    }
  }

  static let outOfMemory = CairnError(
    "out-of-memory", .temporaryFailure, "not enough memory to inflate a tile")

  private let handle: OpaquePointer

  init() throws(CairnError) {
    guard let handle = libdeflate_alloc_decompressor() else { throw Self.outOfMemory }
    self.handle = handle
  }

  deinit { libdeflate_free_decompressor(handle) }

  /// Inflates a gzip file, which may have several members, and verifies its checksums.
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
