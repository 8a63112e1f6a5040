// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemIO

/// Memory for very many numbers, initially 0, filled and read by several threads, each using its
/// own elements. It is released with the last reference.
///
/// Unlike an array it is neither copied nor reference-counted in hot loops, and large ones use huge
/// pages: allocating page by page would take as long as computing the content.
final class Numbers<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// From this size on memory is mapped, in bytes: the size of a huge page.
  private static var mappedByteCount: Int { 2 << 20 }

  /// The elements; valid as long as this object lives.
  let elements: UnsafeMutableBufferPointer<Element>
  private let mappedBytes: Int

  var count: Int { elements.count }

  /// Allocates `count` numbers. If that fails, the process ends with exit code 75.
  init(count: Int) {
    let bytes = max(1, count) * MemoryLayout<Element>.stride
    var start: UnsafeMutableRawPointer?
    if bytes >= Self.mappedByteCount {
      start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if start == MAP_FAILED { start = nil }
      mappedBytes = bytes
      // A kernel without huge pages refuses, which does no harm.
      if let start { madvise(start, bytes, MADV_HUGEPAGE) }
    } else {
      start = calloc(1, bytes)
      mappedBytes = 0
    }
    guard let start else { endForLackOfMemory(bytes) }
    elements = UnsafeMutableBufferPointer(
      start: start.bindMemory(to: Element.self, capacity: max(1, count)), count: count)
  }

  /// Copies numbers.
  convenience init(_ numbers: [Element]) {
    self.init(count: numbers.count)
    _ = elements.update(from: numbers)
  }

  deinit {
    if mappedBytes > 0 {
      munmap(elements.baseAddress, mappedBytes)
    } else {
      free(elements.baseAddress)
    }
  }

  /// Gives the memory of large numbers back, which are not needed any more; they become 0.
  func discard() {
    if mappedBytes > 0 { madvise(elements.baseAddress, mappedBytes, MADV_DONTNEED) }
  }

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
