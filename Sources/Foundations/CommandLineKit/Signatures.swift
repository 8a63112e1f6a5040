// SPDX-License-Identifier: Apache-2.0

private let xmlDeclaration = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
private let svgSignature = xmlDeclaration + "<!-- cairn "

/// A drawing with a comment that names its program, so that only drawings made by Cairn are
/// replaced.
package func signedSVG(_ svg: String) -> String {
  svgSignature + "\(cairnVersion) -->\n" + svg.dropFirst(xmlDeclaration.count)
}

/// Whether a file with these first bytes is a drawing of Cairn.
package func isSVGOfCairn(_ head: [UInt8]) -> Bool { head.starts(with: svgSignature.utf8) }

/// The beginning of GeoJSON written by Cairn: a foreign member (RFC 7946, section 6.1) that sorts
/// before all others, so that a command recognizes the files that it may replace.
package let geoJSONCreator = "cairn \(cairnVersion)"

/// Whether a file with these first bytes is GeoJSON that this program wrote.
package func isGeoJSONOfCairn(_ head: [UInt8]) -> Bool {
  let text = String(decoding: head, as: UTF8.self).filter { !$0.isWhitespace }
  return text.hasPrefix(#"{"creator":"cairn"#)
}
