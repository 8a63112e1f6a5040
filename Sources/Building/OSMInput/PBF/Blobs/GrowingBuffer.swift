// SPDX-License-Identifier: Apache-2.0

/// Memory that a worker reuses for each blob, and that grows with the largest one.
struct GrowingBuffer: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init() {}

  deinit { memory.deallocate() }

  /// Memory of `count` bytes, the first `kept` of which are preserved from the previous call. It is
  /// valid until the next call.
  mutating func reserve(_ count: Int, keeping kept: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(count, memory.count + memory.count / 2), alignment: 64)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<min(kept, memory.count)]))
      memory.deallocate()
      memory = larger
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}
