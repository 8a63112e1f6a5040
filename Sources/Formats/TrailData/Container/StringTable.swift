// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// The texts of a container, unique, sorted by their bytes, and referred to by index.
///
/// Stages compare indices, not texts: a stage looks up its words once with ``index(of:)`` and then
/// handles no strings in its loops.
package struct StringTable: Sendable {
  private let offsets: Column<UInt32>
  private let bytes: Column<UInt8>

  init(_ container: ContainerReader) throws(CairnError) {
    offsets = try container.column("string.offset")
    bytes = try container.column("string.bytes")
    try checkOffsets(offsets, end: bytes.count, "string.offset", container)
    try checkOrder(container)
  }

  private func checkOrder(_ container: ContainerReader) throws(CairnError) {
    let isInOrder = bytes.withUnsafeElements { all in
      var previous = all[..<0]
      for index in 0..<count {
        let text = all[Int(offsets[index])..<Int(offsets[index + 1])]
        if index > 0, !previous.lexicographicallyPrecedes(text) { return false }
        previous = text
      }
      return true
    }
    guard isInOrder else { throw container.damage("the texts are out of order") }
  }

  /// The number of texts.
  package var count: Int { offsets.count - 1 }

  /// The text at an index. Bytes that are not UTF-8 are replaced.
  package subscript(_ index: Int) -> String {
    bytes.withUnsafeElements { all in
      String(decoding: all[Int(offsets[index])..<Int(offsets[index + 1])], as: UTF8.self)
    }
  }

  /// The UTF-8 of a text, valid as long as the container is open.
  package func utf8(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    bytes.withUnsafeElements { all in
      UnsafeBufferPointer(rebasing: all[Int(offsets[index])..<Int(offsets[index + 1])])
    }
  }

  /// The index of a text, or nil if the table does not contain it.
  package func index(of text: String) -> UInt32? {
    var text = text
    return text.withUTF8 { utf8 in
      let index = (0..<count).partitioningIndex { !precedes($0, utf8) }
      return index < count && equals(index, utf8) ? UInt32(index) : nil
    }
  }

  private func precedes(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeElements { all in
      all[Int(offsets[index])..<Int(offsets[index + 1])].lexicographicallyPrecedes(utf8)
    }
  }

  private func equals(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeElements { all in
      all[Int(offsets[index])..<Int(offsets[index + 1])].elementsEqual(utf8)
    }
  }

  /// The indices of the texts that begin with a prefix.
  package func indices(startingWith prefix: String) -> Range<Int> {
    var prefix = prefix
    return prefix.withUTF8 { prefix in
      let start = (0..<count).partitioningIndex { !precedes($0, prefix) }
      let end = (start..<count).partitioningIndex { !utf8($0).starts(with: prefix) }
      return start..<end
    }
  }

  /// Writes some of the texts, given as ascending indices, into another container.
  package func copy(keeping kept: [UInt32], to writer: ContainerWriter) throws(CairnError) {
    try writeStrings(kept.lazy.map { utf8(Int($0)) }, to: writer)
  }
}

/// Writes texts, which must be sorted by their bytes and unique, as a ``StringTable``.
func writeStrings(
  _ texts: some Collection<some Collection<UInt8>>, to writer: ContainerWriter
) throws(CairnError) {
  var offsets: [UInt32] = [0]
  offsets.reserveCapacity(texts.count + 1)
  var bytes: [UInt8] = []
  for text in texts {
    bytes += text
    guard let end = UInt32(exactly: bytes.count) else {
      throw CairnError("too-large", .dataError, "the texts of all tags exceed 4 GiB")
    }
    offsets.append(end)
  }
  try writer.add("string.offset", offsets)
  try writer.add("string.bytes", bytes)
}
