// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics

private let xmlDeclaration = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
private let svgSignature = xmlDeclaration + "<!-- cairn "

/// A drawing with a comment that names its program, so that only drawings of Cairn are replaced.
func signedSVG(_ svg: String) -> String {
  svgSignature + "\(cairnVersion) -->\n" + svg.dropFirst(xmlDeclaration.count)
}

/// Whether a file with these first bytes is a drawing of Cairn.
func isSVGOfCairn(_ head: [UInt8]) -> Bool { head.starts(with: svgSignature.utf8) }
