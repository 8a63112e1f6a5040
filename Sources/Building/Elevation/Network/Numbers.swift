// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Memory for very many numbers, initially 0, filled and read by several threads, each using its
/// own elements. It is released with the last reference.
///
/// Unlike an array it is neither copied nor reference-counted in hot loops.
final class Numbers<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The elements; valid as long as this object lives.
  let elements: UnsafeMutableBufferPointer<Element>
  private let memory: LargeMemory

  var count: Int { elements.count }

  /// Allocates `count` numbers in ``LargeMemory``.
  init(count: Int) {
    memory = LargeMemory(byteCount: count * MemoryLayout<Element>.stride)
    elements = UnsafeMutableBufferPointer(
      start: memory.start.bindMemory(to: Element.self, capacity: max(1, count)), count: count)
  }

  /// Copies numbers.
  convenience init(_ numbers: [Element]) {
    self.init(count: numbers.count)
    _ = elements.update(from: numbers)
  }

  /// Gives the memory of large numbers back, which are not needed any more; they become 0.
  func discard() { memory.discard() }

  /// The element at an index, which is checked. Hot loops use ``elements``.
  subscript(index: Int) -> Element {
    get {
      precondition(elements.indices.contains(index))
      return elements[index]
    }
    set {
      precondition(elements.indices.contains(index))
      elements[index] = newValue
    }
  }
}
