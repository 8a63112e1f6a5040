// SPDX-License-Identifier: Apache-2.0

// What may be wrong with a file, whoever reads it.
extension CairnError.Code {
  /// A file that ends before it should.
  package static let truncatedFile: Self = "truncated-file"
  /// A file of a kind that is not read here.
  package static let wrongFileKind: Self = "wrong-file-kind"
  /// A file without content.
  package static let emptyFile: Self = "empty-file"
  /// XML that is not well-formed.
  package static let malformedXML: Self = "malformed-xml"
  /// XML with a document type declaration, or beyond the limits of nesting, tokens or size.
  package static let refusedXML: Self = "refused-xml"
}
