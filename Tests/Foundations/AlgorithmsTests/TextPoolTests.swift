// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("Text pools")
struct TextPoolTests {
  private func index(_ text: String, _ pool: inout TextPool) -> UInt32 {
    Array(text.utf8).withUnsafeBytes { pool.index(of: $0) }
  }

  @Test("texts are numbered in the order of first sight, whatever the seed of the hash")
  func order() {
    for _ in 0..<3 {
      var pool = TextPool()
      // More than the table has room for at first, of all lengths around the steps of the hash.
      let texts = (0..<3000).map { String(repeating: "ä", count: $0 % 13) + "\($0)" }
      #expect(texts.map { index($0, &pool) } == Array(0..<3000))
      #expect(texts.reversed().map { index($0, &pool) } == (0..<3000).reversed())
      #expect(pool.count == 3000)
      #expect(texts.indices.allSatisfy { pool.text($0).elementsEqual(texts[$0].utf8) })
    }
  }

  @Test("the empty text and texts that differ in zeros alone are texts of their own")
  func zeros() {
    var pool = TextPool()
    let texts = ["", "\0", "\0\0", "\0\0\0\0\0\0\0\0", "a", "a\0"]
    #expect(texts.map { index($0, &pool) } == [0, 1, 2, 3, 4, 5])
  }

  @Test("the starts of texts are ordered as their first eight bytes are")
  func starts() {
    var pool = TextPool()
    let texts = ["", "\0", "a", "a\0b", "aa", "abcdefg", "abcdefgh", "abcdefghi", "b", "ä"]
    for text in texts { _ = index(text, &pool) }
    let starts = texts.indices.map(pool.start)
    #expect(starts == starts.sorted())
    #expect(starts[0] == starts[1])
    #expect(starts[6] == starts[7])
    #expect(Set(starts).count == texts.count - 2)
  }

  @Test("find adds nothing")
  func find() {
    var pool = TextPool()
    _ = index("known", &pool)
    #expect(Array("known".utf8).withUnsafeBytes { pool.find($0) } == 0)
    #expect(Array("unknown".utf8).withUnsafeBytes { pool.find($0) } == nil)
    #expect(pool.count == 1)
  }

  @Test("merging gives the indexes of the other pool's texts")
  func merge() {
    var (one, other) = (TextPool(), TextPool())
    for text in ["a", "b"] { _ = index(text, &one) }
    for text in ["c", "b", "d"] { _ = index(text, &other) }
    #expect(one.merge(other) == [2, 1, 3])
    #expect(one.count == 4)
  }
}
