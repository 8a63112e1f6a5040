// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("URLs in messages")
struct URLTests {
  @Test(
    "user names, passwords and queries are left out, and nothing else",
    arguments: [
      ("https://example.org/a.pbf", "https://example.org/a.pbf"),
      ("https://me:secret@example.org:8080/a.pbf", "https://example.org:8080/a.pbf"),
      ("https://token@example.org", "https://example.org"),
      ("https://me:p@ss@example.org/x", "https://example.org/x"),
      ("https://example.org/a.pbf?key=secret&b=1#part", "https://example.org/a.pbf?…"),
      ("https://me:secret@example.org?key=secret", "https://example.org?…"),
      ("https://example.org/a@b.pbf", "https://example.org/a@b.pbf"),
      ("file:///data/a.pbf", "file:///data/a.pbf"), ("nonsense", "nonsense"), ("", ""),
    ])
  func redaction(url: String, shown: String) { #expect(redactedURL(url) == shown) }
}
