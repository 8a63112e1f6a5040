// SPDX-License-Identifier: Apache-2.0
import CHogweed
import CairnDiagnostics
import CairnUpdates
import Glibc
import SystemIO

/// Ed25519 signatures (RFC 8032), by nettle.
enum Ed25519 {
  static let keySize = 32
  static let signatureSize = 64

  /// A new private key.
  static func newKey() throws(CairnError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: keySize)
    guard getentropy(&key, keySize) == 0 else {
      throw CairnError("no-random", .ioError, "cannot get random numbers from the system")
    }
    return key
  }

  /// The public key of a private one.
  static func publicKey(of key: [UInt8]) -> [UInt8] {
    precondition(key.count == keySize)
    var result = [UInt8](repeating: 0, count: keySize)
    nettle_ed25519_sha512_public_key(&result, key)
    return result
  }

  /// The signature of a message.
  static func sign(_ message: [UInt8], with key: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: signatureSize)
    nettle_ed25519_sha512_sign(publicKey(of: key), key, message.count, message, &signature)
    return signature
  }

  /// Whether a signature of a message was made with a public key's private key; accepts arbitrary
  /// bytes.
  static func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == signatureSize, publicKey.count == keySize else { return false }
    return nettle_ed25519_sha512_verify(publicKey, message.count, message, signature) == 1
  }
}

/// A key file, as written by `cairn keygen`: a line with its kind, and one with the key.
struct KeyFile {
  enum Kind {
    case secret, open

    var line: String { self == .open ? RegionUpdater.publicKeyLine : "cairn signing key 1" }
  }

  static func text(_ kind: Kind, _ key: [UInt8]) -> [UInt8] {
    Array("\(kind.line)\n\(hexadecimal(key))\n".utf8)
  }

  /// Reads the key of a kind. Throws 65 for anything else.
  static func read(_ path: String, _ kind: Kind) throws(CairnError) -> [UInt8] {
    let text = String(decoding: try InputFile(path).readAll(limit: 4096), as: UTF8.self)
    guard let key = RegionUpdater.key(from: text, firstLine: kind.line) else {
      throw CairnError(
        "not-a-key", .dataError, "is not a \(kind == .secret ? "signing" : "public") key",
        at: Location(file: path),
        hint: "make one with cairn keygen FILE, which writes FILE and "
          + "FILE.pub")
    }
    return key
  }
}
