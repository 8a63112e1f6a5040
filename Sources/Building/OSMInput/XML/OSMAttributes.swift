// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import XMLKit

extension XMLElementReader {
  /// The key and the value of a `<tag>`.
  func tag(_ attributes: XMLAttributes) throws(CairnError)
    -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
  {
    var key: UnsafeRawBufferPointer?
    var value: UnsafeRawBufferPointer?
    for (name, text) in attributes {
      if equals(name, "k") { key = bytes(of: text) }
      if equals(name, "v") { value = bytes(of: text) }
    }
    guard let key, let value else { throw .badData(.badAttribute, "a tag has no key or no value") }
    return (key, value)
  }

  /// Whether an attribute of an object says that it is deleted.
  @inline(__always)
  func saysDeleted(_ key: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Bool {
    equals(key, "visible") && equals(value, "false")
      || equals(key, "action") && equals(value, "delete")
  }

  @inline(__always)
  func integer(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>)
    throws(CairnError) -> Int64
  {
    guard let integer = wholeNumber(bytes(of: value)) else { throw badNumber(value, key) }
    return integer
  }

  @inline(__always)
  func degrees(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>)
    throws(CairnError) -> Int64
  {
    guard let units = degreeUnits(bytes(of: value)) else { throw badNumber(value, key) }
    return units
  }

  func badNumber(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>) -> CairnError {
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    return .badData(.badAttribute, "\(String(cString: key)) is not a number: “\(text)”")
  }
}
