// SPDX-License-Identifier: Apache-2.0
import SystemIO
import TestSupport
import Testing

@testable import CairnDeltas

@Suite("SHA-256 without a library")
struct SHA256Tests {
  private func digest(_ bytes: [UInt8]) -> String { CairnDeltas.hexadecimal(SHA256.digest(bytes)) }

  @Test(
    "the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, expected: String) { #expect(digest(Array(text.utf8)) == expected) }

  @Test("it is that of nettle for every length up to some blocks")
  func lengths() {
    var random = SeededGenerator(seed: 5)
    for count in 0...300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let expected = SHA256Digest()
      expected.update(bytes)
      #expect(digest(bytes) == expected.finish())
    }
  }

  @Test("it does not matter in what pieces bytes are added")
  func pieces() {
    var random = SeededGenerator(seed: 6)
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0) }
    for _ in 0..<50 {
      var hash = SHA256()
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + .random(in: 0...200, using: &random))
        Array(bytes[start..<end]).withUnsafeBytes { hash.update($0) }
        start = end
      }
      #expect(CairnDeltas.hexadecimal(hash.finish()) == digest(bytes))
    }
  }
}
