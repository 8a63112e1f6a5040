// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("SHA-256")
struct DigestTests {
  // FIPS 180-4 and NIST's examples.
  static let vectors: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test("texts and files have the digests of the published test vectors")
  func vectors() throws {
    let folder = try TemporaryFolder()
    for (text, digest) in Self.vectors {
      #expect(SHA256Digest.ofText(text) == digest)
      #expect(try SHA256Digest.ofFile(try folder.write(text, to: "file")) == digest)
    }
  }

  @Test("a UUID of a digest has version 8 and the variant of RFC 9562")
  func uuid() {
    let digest = SHA256Digest()
    digest.update("abc")
    #expect(UUID(version8: digest).uuidString == "BA7816BF-8F01-8FEA-A141-40DE5DAE2223")
  }

  @Test("updating in pieces gives the digest of the whole")
  func pieces() throws {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = SHA256Digest()
    whole.update(bytes)
    let expected = whole.finish()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let digest = SHA256Digest()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...200, using: &random)
        digest.update(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(digest.finish() == expected)
    }
  }

  @Test("after its end a digest begins anew")
  func beginsAnew() {
    let digest = SHA256Digest()
    digest.update("something")
    _ = digest.finish()
    #expect(digest.finish() == SHA256Digest.ofText(""))
  }

  @Test("a missing file gives exit code 66")
  func missingFile() {
    expectError(.cannotRead, .noInput) { try SHA256Digest.ofFile("/nonexistent/file") }
  }

  @Test("a byte is written as two lowercase hexadecimal digits")
  func digits() {
    #expect(hexadecimal([0, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
    #expect(hexadecimal([]) == "")
  }
}
