// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemIO

/// Memory for very many numbers, all 0 at first, that several threads fill and read, each its own
/// elements. It is given back with the last reference.
///
/// Unlike an array it is neither copied nor counted on hot loops, and large ones lie on huge pages:
/// taking memory page by page would cost as much time as computing what is kept in it.
final class Numbers<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// From this size on memory is mapped, in bytes: the size of a huge page.
  private static var mappedByteCount: Int { 2 << 20 }

  /// The elements; valid as long as this object lives.
  let elements: UnsafeMutableBufferPointer<Element>
  private let mappedBytes: Int

  var count: Int { elements.count }

  /// Takes memory for `count` numbers. Where there is none the process ends with exit code 75.
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
