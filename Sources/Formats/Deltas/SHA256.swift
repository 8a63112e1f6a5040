// SPDX-License-Identifier: Apache-2.0

/// An incremental SHA-256 digest (FIPS 180-4) without a library, for apps. Tools use SystemIO's,
/// which is faster.
struct SHA256: Sendable {
  /// The bytes of a digest.
  static let size = 32
  private static let blockSize = 64

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// The bytes of the incomplete block.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0

  /// Starts an empty digest.
  init() { rest.reserveCapacity(2 * Self.blockSize) }

  /// The digest of bytes.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// Adds bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(Self.blockSize - rest.count, bytes.count)
      rest.append(contentsOf: bytes[..<start])
      guard rest.count == Self.blockSize else { return }
      let block = rest
      block.withUnsafeBytes { compress($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let end = start + (bytes.count - start) / Self.blockSize * Self.blockSize
    if end > start { compress(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
    rest.append(contentsOf: bytes[end...])
  }

  /// The 32 bytes of the digest; nothing can be added afterwards.
  mutating func finish() -> [UInt8] {
    var last = rest
    last.append(0x80)
    while last.count % Self.blockSize != Self.blockSize - 8 { last.append(0) }
    withUnsafeBytes(of: (length &* 8).bigEndian) { last.append(contentsOf: $0) }
    last.withUnsafeBytes { compress($0) }
    var digest: [UInt8] = []
    for word in state { withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) } }
    return digest
  }

  /// Takes in whole blocks.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      Self.constants.withUnsafeBufferPointer { constants in
        state.withUnsafeMutableBufferPointer { state in
          for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
            Self.expand(blocks, start, words)
            Self.mix(words, constants, state)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func expand(
    _ blocks: UnsafeRawBufferPointer, _ start: Int, _ words: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      words[index] = UInt32(
        bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
  }

  @inline(__always)
  private static func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    _ state: UnsafeMutableBufferPointer<UInt32>
  ) {
    // The names of the standard.
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ upper &+ choice &+ constants[round] &+ words[round]
      let lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ lower &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 &- bits)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
