// SPDX-License-Identifier: Apache-2.0
import CairnUpdates
import Foundation
import TestSupport
import Testing

@Suite("Public keys")
struct PublicKeyTests {
  private let folder: TemporaryFolder
  private let digits = String(repeating: "0aFF", count: 16)

  init() throws { folder = try TemporaryFolder() }

  private func key(_ text: String) throws -> [UInt8] {
    let path = try folder.write(text, to: "maps.key.pub")
    return try RegionUpdater.publicKey(contentsOf: URL(filePath: path))
  }

  @Test("the file that cairn keygen writes is the key of an updater")
  func read() throws {
    let expected = (0..<32).map { [0x0A, 0xFF][$0 % 2] as UInt8 }
    #expect(try key("cairn public key 1\n\(digits)\n") == expected)
    #expect(try key("cairn public key 1\n\(digits)") == expected)
  }

  @Test(
    "anything else is no key, such as the private one, and says so",
    arguments: [
      "", "cairn public key 1", "cairn public key 1\n", "cairn public key 1\n0aff\n",
      "cairn public key 1\n" + String(repeating: "0g", count: 32),
      "cairn public key 2\n" + String(repeating: "0a", count: 32),
      "cairn signing key 1\n" + String(repeating: "0a", count: 32),
      String(repeating: "0a", count: 32),
      "cairn public key 1\n" + String(repeating: "é", count: 32),
      String(repeating: "x", count: 100_000),
    ])
  func others(_ text: String) throws {
    let path = folder.file("maps.key.pub")
    let expected = UpdateError.untrusted(
      "\(path) is not a public key; use the FILE.pub that cairn keygen FILE wrote")
    #expect(throws: expected) { try key(text) }
  }

  @Test("a file that is missing, or a folder, cannot be read")
  func missing() {
    for path in [folder.file("none.pub"), folder.path] {
      #expect(throws: UpdateError.notWritten("\(path): cannot be read")) {
        try RegionUpdater.publicKey(contentsOf: URL(filePath: path))
      }
    }
  }
}
