// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The name of the root element of an XML file, plain or compressed with gzip, at most 40 bytes of
/// it. Throws 66 if the file cannot be read, 65 if it has no root element, 74 if reading fails.
package func xmlRootName(of path: String) throws(CairnError) -> String {
  let reader = try RootReader()
  do throws(CairnError) {
    try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
  } catch {
    guard reader.name != nil else { throw error.located(inFile: path) }
  }
  return reader.name ?? ""
}

/// Ends at the first element.
private final class RootReader: XMLElementReader {
  let parser: ExpatParser
  private(set) var name: String?

  init() throws(CairnError) { parser = try ExpatParser() }

  var kind: String { "XML of this kind" }

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    let name = String(decoding: bytes(of: name).prefix(80), as: UTF8.self)
    self.name = name.split(separator: ":").last.map { String($0.prefix(40)) }
    throw CairnError(.refusedXML, .dataError, "is not read further")
  }
}
