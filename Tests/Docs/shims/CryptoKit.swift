// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Cairn uses of CryptoKit, and of Foundation's network that is not everywhere, with the
// signatures that Apple documents, so that it can be type-checked where there is no SDK. It does
// nothing.
@_exported import Foundation
@_exported import FoundationNetworking

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct SHA256 {
  public init() {}
  public mutating func update<D: DataProtocol>(data: D) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public enum Curve25519 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation data: D) throws {}
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D)
        -> Bool
      { false }
    }
  }
}

extension URLSession {
  public struct AsyncBytes: AsyncSequence {
    public typealias Element = UInt8

    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> UInt8? { nil }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  public func bytes(for request: URLRequest) async throws -> (AsyncBytes, URLResponse) {
    (AsyncBytes(), try await data(for: request).1)
  }
}
