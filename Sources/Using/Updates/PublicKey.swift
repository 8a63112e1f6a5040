// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RegionUpdater {
  /// The first line of a file with a public key.
  package static let publicKeyLine = "cairn public key 1"
  /// The bytes of a key of Ed25519.
  private static let keyBytes = 32

  /// Reads the public key that `cairn keygen FILE` wrote to `FILE.pub`, for
  /// ``init(folder:transport:cryptography:publicKey:)``.
  ///
  /// Throws ``UpdateError/notWritten(_:)`` if the file cannot be read, and
  /// ``UpdateError/untrusted(_:)`` if it is not such a key.
  public static func publicKey(contentsOf file: URL) throws(UpdateError) -> [UInt8] {
    // The two lines have 84 bytes.
    guard let head = UpdateFiles.head(file) else {
      throw .notWritten("\(file.path): cannot be read")
    }
    guard let key = key(from: String(decoding: head, as: UTF8.self), firstLine: publicKeyLine)
    else {
      throw .untrusted(
        "\(file.path) is not a public key; use the FILE.pub that cairn keygen FILE wrote")
    }
    return key
  }

  /// The key in the text of a file of `cairn keygen`; nil if it is none of the kind.
  package static func key(from text: String, firstLine: String) -> [UInt8]? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 2, lines[0] == firstLine,
      let key = bytes(ofHexadecimal: lines[1]), key.count == keyBytes
    else { return nil }
    return key
  }
}

/// The bytes for hexadecimal digits; nil if the text is invalid.
package func bytes(ofHexadecimal text: some StringProtocol) -> [UInt8]? {
  let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
  guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
