// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("Binary search")
struct BinarySearchTests {
  @Test("a binary search finds what a linear search finds, even with repetitions")
  func agreesWithLinearSearch() {
    for count in 0...40 {
      let values = (0..<count).map { $0 / 2 * 3 }
      for target in -1...(count * 2 + 1) {
        let index = values.partitioningIndex { $0 >= target }
        #expect(index == values.firstIndex { $0 >= target } ?? values.endIndex)
        #expect(values.binarySearch(target) == values.firstIndex(of: target))
      }
    }
  }

  @Test("a binary search works on slices, whose indices do not begin at 0")
  func worksOnSlices() {
    let slice = [9, 1, 3, 5, 0].dropFirst().dropLast()
    #expect(slice.binarySearch(3) == 2)
    #expect(slice.binarySearch(4) == nil)
    #expect(slice.partitioningIndex { $0 > 9 } == slice.endIndex)
  }

  @Test("an error of the predicate ends the search and keeps its type")
  func throwing() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try (0..<10).partitioningIndex { (index) throws(Refused) -> Bool in
        if index == 2 { throw Refused() }
        return index > 2
      }
    }
  }
}
