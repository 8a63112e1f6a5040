// SPDX-License-Identifier: Apache-2.0
import CNettle
import CairnDiagnostics
import FoundationEssentials
import Glibc

/// An incremental SHA-256 digest, computed by nettle.
package final class SHA256Digest {
  private var state = sha256_ctx()

  /// Starts an empty digest.
  package init() { nettle_sha256_init(&state) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    nettle_sha256_update(&state, bytes.count, start)
  }

  /// Adds bytes.
  package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Adds text as UTF-8.
  package func update(_ text: String) { update(Array(text.utf8)) }

  /// The digest as 64 hexadecimal digits. Resets the state.
  package func finish() -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&state, digest.count, &digest)
    return hexadecimal(digest)
  }

  /// Whether a text is one: 64 hexadecimal digits.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 2 * Int(SHA256_DIGEST_SIZE)
      && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// The digest of a file's content.
  package static func ofFile(_ path: String) throws(CairnError) -> String {
    try ofFile(try InputFile(path))
  }

  /// The digest of an open file's content. Throws 70 if `isWanted` returns false before the end,
  /// and 75 after a ``StopRequest``.
  package static func ofFile(_ file: InputFile, while isWanted: () -> Bool = { true })
    throws(CairnError) -> String
  {
    let digest = SHA256Digest()
    // Most files are small, and to touch new memory takes longer than to read them.
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, min(file.size, 1 << 18)), alignment: 64)
    defer { chunk.deallocate() }
    var offset = 0
    while true {
      guard isWanted() else {
        throw CairnError("digest-unwanted", .software, "the digest was not wanted any more")
      }
      try StopRequest.check(file.path)
      let count = try file.read(into: chunk, at: offset)
      if count == 0 { break }
      digest.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      offset += count
    }
    return digest.finish()
  }

  /// The digest of a text's UTF-8.
  package static func ofText(_ text: String) -> String {
    let digest = SHA256Digest()
    digest.update(text)
    return digest.finish()
  }
}

/// Bytes as lowercase hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

extension UUID {
  /// A UUID of version 8 (RFC 9562): the first 128 bits of a digest, so that equal contents have
  /// equal UUIDs. Resets the digest.
  package init(version8 digest: SHA256Digest) {
    var hex = Array(digest.finish().prefix(32))
    // The version, and the variant of the RFC.
    hex[12] = "8"
    hex[16] = "a"
    for index in [20, 16, 12, 8] { hex.insert("-", at: index) }
    self = UUID(uuidString: String(hex)) ?? UUID()
  }
}
