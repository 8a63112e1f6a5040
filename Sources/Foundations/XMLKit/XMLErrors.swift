// SPDX-License-Identifier: Apache-2.0
import Diagnostics

extension CairnError.Code {
  /// XML that is not well-formed, or cut off.
  package static let malformedXML: Self = "malformed-xml"
  /// XML with a document type declaration, or beyond the limits of nesting or token size.
  package static let refusedXML: Self = "refused-xml"
}
