// SPDX-License-Identifier: Apache-2.0

/// Sets of elements that can be joined (union–find with path halving).
package struct DisjointSets: Sendable {
  /// A lesser element of each element's set, or the element itself.
  @usableFromInline var links: [Int32]

  /// Makes each element a set of its own.
  ///
  /// - Parameter count: The number of elements, less than 2³¹.
  package init(count: Int) { links = (0..<count).map { Int32(truncatingIfNeeded: $0) } }

  /// The least element of an element's set.
  @inlinable
  package mutating func find(_ element: Int) -> Int {
    var element = element
    while Int(links[element]) != element {
      links[element] = links[Int(links[element])]
      element = Int(links[element])
    }
    return element
  }

  /// Joins the sets of two elements.
  @inlinable
  package mutating func join(_ first: Int, _ second: Int) {
    let one = find(first)
    let other = find(second)
    if one != other { links[max(one, other)] = Int32(truncatingIfNeeded: min(one, other)) }
  }
}
