// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The attributes of an element as Expat passes them, alternating names and values with nil at the
/// end; valid only during the callback for the start of the element.
package struct XMLAttributes: Sequence, IteratorProtocol {
  @usableFromInline var remaining: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  /// The attributes that begin with this name.
  package init(_ start: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { remaining = start }

  /// The next attribute's name and value.
  @inlinable @inline(__always)
  package mutating func next() -> (name: UnsafePointer<CChar>, value: UnsafePointer<CChar>)? {
    guard let pair = remaining, let name = pair[0], let value = pair[1] else { return nil }
    remaining = pair + 2
    return (name, value)
  }
}

/// Limits far beyond any real file, which keep a hostile one from filling the memory.
package enum XMLLimits {
  /// The deepest nesting of elements.
  package static let depth = 32
  /// The longest tag, in bytes.
  package static let tokenBytes = 1 << 20
}

/// Whether a C string equals an ASCII word.
@inlinable @inline(__always)
package func equals(_ text: UnsafePointer<CChar>, _ word: StaticString) -> Bool {
  word.utf8Start.withMemoryRebound(to: CChar.self, capacity: word.utf8CodeUnitCount + 1) {
    strcmp(text, $0) == 0
  }
}

/// The bytes of a C string without the terminating zero.
@inlinable @inline(__always)
package func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: text, count: strlen(text))
}
