// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What gets files from the tree that `cairn publish` wrote.
public protocol UpdateTransport: Sendable {
  /// Downloads a file to where another one may be that an earlier attempt did not finish, and continues
  /// that if it can.
  ///
  /// What it brings is checked by its caller. Throws ``UpdateError/missing(_:)`` for a file that the
  /// server does not have, otherwise ``UpdateError/unreachable(_:)``.
  ///
  /// - Parameters:
  ///   - path: The path from the root of the tree, with percent-encoding.
  ///   - file: The file to write.
  ///   - expected: What the file must be; nil for the index and its signature.
  ///   - limit: More bytes than this are not to be stored.
  func download(_ path: String, to file: URL, expected: FileRecord?, limit: Int)
    async throws(UpdateError)
}

/// The digests and signatures that an updater checks: CryptoKit's, nettle's or others'.
public protocol UpdateCryptography: Sendable {
  /// The SHA-256 of a file as 64 lowercase hexadecimal digits; nil if it cannot be read.
  func sha256(of file: URL) -> String?

  /// Whether an Ed25519 signature (RFC 8032) is valid, whatever the bytes are.
  func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool
}
