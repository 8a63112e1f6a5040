// SPDX-License-Identifier: Apache-2.0

// Errors of files, whoever reads them.
extension CairnError.Code {
  /// A file that ends too early.
  package static let truncatedFile: Self = "truncated-file"
  /// A file of an unsupported kind.
  package static let wrongFileKind: Self = "wrong-file-kind"
  /// A file without content.
  package static let emptyFile: Self = "empty-file"
  /// XML that is not well-formed.
  package static let malformedXML: Self = "malformed-xml"
  /// XML with a document type declaration, or beyond the limits of nesting, tokens or size.
  package static let refusedXML: Self = "refused-xml"
}
