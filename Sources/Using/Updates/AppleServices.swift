// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(CryptoKit)
  import CryptoKit

  /// Digests and signatures by CryptoKit.
  public struct CryptoKitCryptography: UpdateCryptography {
    /// Makes it.
    public init() {}

    /// The SHA-256 of a file.
    public func sha256(of file: URL) -> String? {
      guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
      defer { try? handle.close() }
      var hash = SHA256()
      do {
        while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
          hash.update(data: piece)
        }
      } catch { return nil }
      return hash.finalize().map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }

    /// Whether a signature is valid.
    public func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    }
  }

  /// Downloads by URLSession, in pieces: after the end of the app a download continues with the next
  /// piece.
  public struct URLSessionTransport: UpdateTransport {
    private static let pieceBytes = 4 << 20

    private let root: URL
    private let session: URLSession

    /// Makes it.
    ///
    /// - Parameter root: The URL of the tree.
    public init(root: URL, session: URLSession = .shared) {
      self.root = root
      self.session = session
    }

    /// Downloads a file.
    public func download(_ path: String, to file: URL, expected: FileRecord?, limit: Int)
      async throws(UpdateError)
    {
      guard let url = URL(string: root.absoluteString.trimmingSuffix("/") + "/" + path) else {
        throw .unreachable("\(path) is not a path")
      }
      do {
        guard let expected else {
          let data = try await piece(url, 0, limit)
          return try data.write(to: file)
        }
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var size = Int(try handle.seekToEnd())
        if size > expected.bytes {
          try handle.truncate(atOffset: 0)
          size = 0
        }
        while size < expected.bytes {
          let data = try await piece(url, size, min(Self.pieceBytes, expected.bytes - size))
          guard !data.isEmpty else { throw UpdateError.unreachable("\(path) ended early") }
          try handle.write(contentsOf: data)
          size += data.count
        }
      } catch {
        throw error as? UpdateError ?? .unreachable("\(path): \(error.localizedDescription)")
      }
    }

    /// A range of a file's bytes. If a server sends the whole file instead, the rest is discarded.
    private func piece(_ url: URL, _ start: Int, _ count: Int) async throws -> Data {
      var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
      request.setValue("bytes=\(start)-\(start + count - 1)", forHTTPHeaderField: "Range")
      let (bytes, response) = try await session.bytes(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 200
      guard status == 206 || status == 200 else {
        let reason = "\(url.lastPathComponent): the server answered \(status)"
        throw [404, 410].contains(status) ? UpdateError.missing(reason) : .unreachable(reason)
      }
      var skipped = status == 206 ? start : 0
      var data = Data()
      for try await byte in bytes {
        if skipped < start {
          skipped += 1
          continue
        }
        data.append(byte)
        if data.count == count { break }
      }
      return data
    }
  }

  extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
      hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
  }
#endif
