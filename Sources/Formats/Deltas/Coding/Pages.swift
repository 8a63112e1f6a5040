// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Memory that is released from its beginning while being read, so that bytes and what is made from
/// them together take the memory of one of them.
final class Pages {
  /// The memory, at first of zeros; valid as long as this object.
  let buffer: UnsafeMutableRawBufferPointer
  private var givenBack = 0

  /// Allocates memory; nil if there is not enough.
  init?(count: Int) {
    guard count > 0 else {
      buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let start, start != MAP_FAILED else { return nil }
    buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit {
    if let start = buffer.baseAddress, givenBack < buffer.count {
      munmap(start + givenBack, buffer.count - givenBack)
    }
  }

  /// Calls a function with the bytes, which stay valid during it.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(buffer))
  }

  /// Releases the pages before an offset, which are then inaccessible.
  func giveBack(upTo offset: Int) {
    let page = Int(getpagesize())
    let end = min(offset, buffer.count) / page * page
    guard let start = buffer.baseAddress, end > givenBack else { return }
    munmap(start + givenBack, end - givenBack)
    givenBack = end
  }
}
