// SPDX-License-Identifier: Apache-2.0
import CCrypto
import Diagnostics
import Glibc

/// An incremental SHA-256 digest, computed by libcrypto.
package final class SHA256Digest {
  private let context: OpaquePointer?
  private var isValid: Bool

  /// Creates the digest of no bytes.
  package init() {
    context = EVP_MD_CTX_new()
    isValid = context != nil && EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    if isValid { isValid = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 }
  }

  /// Adds bytes.
  package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Adds text as UTF-8.
  package func update(_ text: String) { update(Array(text.utf8)) }

  /// The digest as 64 hexadecimal digits. Can be called once. Throws 70 if libcrypto failed.
  package func finish() throws(CairnError) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard isValid, EVP_DigestFinal_ex(context, &digest, &length) == 1, length == 32 else {
      throw CairnError("digest-failed", .software, "libcrypto cannot compute SHA-256")
    }
    isValid = false
    return hexadecimal(digest)
  }

  /// The digest of a file's content.
  package static func ofFile(_ path: String) throws(CairnError) -> String {
    try ofFile(try InputFile(path))
  }

  /// The digest of an open file's content. Throws 70 if `isWanted` says no before the end.
  package static func ofFile(_ file: InputFile, while isWanted: () -> Bool = { true })
    throws(CairnError) -> String
  {
    let digest = SHA256Digest()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    var offset = 0
    while true {
      guard isWanted() else {
        throw CairnError("digest-unwanted", .software, "the digest was not wanted any more")
      }
      let count = try file.read(into: chunk, at: offset)
      if count == 0 { break }
      digest.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      offset += count
    }
    return try digest.finish()
  }

  /// The digest of a text's UTF-8.
  package static func ofText(_ text: String) throws(CairnError) -> String {
    let digest = SHA256Digest()
    digest.update(text)
    return try digest.finish()
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
