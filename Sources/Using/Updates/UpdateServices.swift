// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fetches files from the tree written by `cairn publish`.
public protocol UpdateTransport: Sendable {
  /// Downloads a file. Continues a partial file from an earlier attempt if possible.
  ///
  /// The caller checks the content. Throws ``UpdateError/missing(_:)`` for a file that the server
  /// does not have, otherwise ``UpdateError/unreachable(_:)``.
  ///
  /// - Parameters:
  ///   - path: The percent-encoded path from the root of the tree.
  ///   - file: The file to write.
  ///   - expected: The expected size and digest; nil for the index and its signature.
  ///   - limit: The most bytes to store.
  func download(_ path: String, to file: URL, expected: FileRecord?, limit: Int)
    async throws(UpdateError)
}

/// The digests and signatures that an updater checks: CryptoKit's, nettle's or others'.
public protocol UpdateCryptography: Sendable {
  /// The SHA-256 of a file as 64 lowercase hexadecimal digits; nil if it cannot be read.
  func sha256(of file: URL) -> String?

  /// Whether an Ed25519 signature (RFC 8032) is valid, for arbitrary bytes.
  func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool
}
