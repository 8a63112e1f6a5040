// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Validation

@Suite("The table of ids")
struct IDLookupTests {
  private func expectFound(_ ids: [Int64], _ others: [Int64]) {
    let lookup = IDLookup(ids)
    for (index, id) in ids.enumerated() { #expect(lookup.index(of: id, in: ids) == index) }
    for id in others { #expect(lookup.index(of: id, in: ids) == nil, "\(id)") }
  }

  @Test("each id is found, and no other number")
  func ids() {
    let ends: [Int64] = [.min, -1, 0, .max]
    expectFound([], ends)
    expectFound([7], ends + [6, 8])
    expectFound((0..<5000).map { 1_000_000 + 37 * $0 }, ends + [1_000_001, 999_999])
    // Small and large ones, as those of OpenStreetMap, negative ones, and the largest numbers.
    expectFound((1..<3000).map { $0 * $0 * $0 }, ends + [2, 9, 1 << 40])
    expectFound((-500..<500).map { 3 * $0 }, [.min, .max, -1, 1])
    expectFound([.min, -3, 0, 5, .max], [-4, 1, .max - 1, .min + 1])
  }

  @Test("ids in no order, as in a damaged file, do no harm")
  func noOrder() {
    for ids: [Int64] in [[5, 900, 3, 7], [9, 1, 2, 3, 1 << 50, 4, 10], [3, 2, 1]] {
      let lookup = IDLookup(ids)
      for id in ids + [0, .min, .max] {
        if let index = lookup.index(of: id, in: ids) { #expect(ids[index] == id) }
      }
    }
  }
}
