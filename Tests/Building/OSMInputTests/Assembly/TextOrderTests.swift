// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing
import TrailData

@testable import OSMInput

@Suite("Order of texts and tags")
struct TextOrderTests {
  private func index(_ text: String, _ pool: inout TextPool) -> UInt32 {
    Array(text.utf8).withUnsafeBytes { pool.index(of: $0) }
  }

  @Test("used texts are sorted by their bytes, also those that begin alike")
  func texts() {
    let sorted = [
      "", "a", "a\0", "addr:", "addr:hou", "addr:housename", "addr:housenumber", "addr:street", "b",
      "ä",
    ]
    var pool = TextPool()
    let indices = sorted.reversed().map { index($0, &pool) }
    _ = index("addr:hous", &pool)
    var order = TextOrder(pool)
    for text in indices { order.use(PooledTag(key: text, value: indices[0])) }
    #expect(order.sort() == sorted.map { Array($0.utf8) })
  }

  @Test("the tags of an object are sorted by key, and the last value of a key counts")
  func tags() {
    var pool = TextPool()
    let texts = ["c", "a", "b", "1", "2", "3"].map { index($0, &pool) }
    let (c, a, b) = (texts[0], texts[1], texts[2])
    let objects: [[PooledTag]] = [
      [(a, 3), (b, 4), (c, 5)], [(c, 3), (b, 4), (a, 5)], [(b, 3), (a, 4), (b, 5)],
      [(a, 3), (a, 4)], [],
    ].map { tags in tags.map { PooledTag(key: $0.0, value: texts[$0.1]) } }
    var order = TextOrder(pool)
    for object in objects { order.use(object[...]) }
    let sorted = order.sort().map { String(decoding: $0, as: UTF8.self) }
    var lists = TagLists()
    for object in objects { order.add(object[...], to: &lists) }
    let tags = zip(lists.keys, lists.values).map { "\(sorted[Int($0)])=\(sorted[Int($1)])" }
    #expect(lists.offsets == [0, 3, 6, 8, 9, 9])
    #expect(tags == ["a=1", "b=2", "c=3", "a=3", "b=2", "c=1", "a=2", "b=3", "a=2"])
  }

  @Test("facts are known of the texts that they were given to")
  func facts() {
    var facts = TextFacts(unknown: 0)
    #expect(facts[0] == 0)
    facts[5] = 7
    facts[2] += 1
    #expect((0..<8).map { facts[$0] } == [0, 0, 1, 0, 0, 7, 0, 0])
    #expect(facts[.max] == 0)
  }
}
