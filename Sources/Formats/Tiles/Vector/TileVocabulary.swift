// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding

/// The keys and the values of all features of an archive, each with a number.
package struct TileVocabulary: Sendable {
  private var keyTexts = TextPool()
  /// The values as encoded messages of the layer.
  private var valueMessages = TextPool()

  /// Makes an empty vocabulary.
  package init() {}

  /// The number of keys.
  package var keyCount: Int { keyTexts.count }
  /// The number of values.
  package var valueCount: Int { valueMessages.count }

  /// The number of a key.
  package mutating func key(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { keyTexts.index(of: UnsafeRawBufferPointer($0)) }
  }

  /// The number of a text as a value.
  package mutating func value(_ utf8: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var writer = ByteWriter()
    // Readers always get valid UTF-8, whatever the file contains.
    writer.addField(1, Array(String(decoding: utf8, as: UTF8.self).utf8))
    return writer.bytes.withUnsafeBytes { valueMessages.index(of: $0) }
  }

  /// The number of a text as a value.
  package mutating func value(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { value($0) }
  }

  /// The number of an integer as a value.
  package mutating func value(_ number: Int64) -> UInt32 {
    var writer = ByteWriter()
    writer.addField(6, zigzag(number))
    return writer.bytes.withUnsafeBytes { valueMessages.index(of: $0) }
  }

  func keyText(_ key: UInt32) -> ArraySlice<UInt8> { keyTexts.text(Int(key)) }
  func valueMessage(_ value: UInt32) -> ArraySlice<UInt8> { valueMessages.text(Int(value)) }
}
