// SPDX-License-Identifier: Apache-2.0
import Diagnostics

extension CairnError.Code {
  /// A blob header that is empty or larger than the format allows.
  package static let badBlobHeaderSize: Self = "bad-blob-header-size"
  /// A blob whose header states no size, a negative one or more than the format allows.
  package static let badDataSize: Self = "bad-data-size"
  /// A compressed blob that does not say how large it is when inflated, or says too much.
  package static let missingRawSize: Self = "missing-raw-size"
  /// A blob that inflates to another size than it says.
  package static let rawSizeMismatch: Self = "raw-size-mismatch"
  /// A blob compressed in a way that is not read here.
  package static let unknownCompression: Self = "unknown-compression"
  /// A number of more than 64 bits.
  package static let overlongVarint: Self = "overlong-varint"
  /// A field that reaches beyond the message that it belongs to.
  package static let fieldPastEnd: Self = "field-past-end"
  /// A field of a kind that does not belong there, or that is no field at all.
  package static let badField: Self = "bad-field"
  /// A required field that is missing.
  package static let missingField: Self = "missing-field"
  /// A tag that points outside the texts of its block.
  package static let stringIndexOutOfRange: Self = "string-index-out-of-range"
  /// Arrays that belong together and differ in length, such as ids and latitudes.
  package static let arrayLengthsDisagree: Self = "array-lengths-disagree"
  /// A file that says a reader must know something that this one does not.
  package static let unknownRequiredFeature: Self = "unknown-required-feature"
  /// More objects than a `.trails` file can number.
  package static let tooManyObjects: Self = "too-many-objects"
  /// An extract, or a region of it, without a single way to route on.
  package static let noRoutableWays: Self = "no-routable-ways"
  /// An object of the XML whose attributes are missing or make no sense.
  package static let badAttribute: Self = "bad-attribute"
  /// An Overpass server that reports a failure in place of, or after, the data.
  package static let overpassFailure: Self = "overpass-failure"
  /// A region file that is no polygon.
  package static let badRegion: Self = "bad-region"
}

extension CairnError {
  /// An error of the input data (65) whose place the caller knows better.
  static func badData(_ code: Code, _ message: String, hint: String? = nil) -> CairnError {
    CairnError(code, .dataError, message, hint: hint)
  }

  /// The same error, placed at a byte of a file unless it has a place already.
  func located(inFile file: String, byte: Int) -> CairnError {
    guard location == nil else { return located(inFile: file) }
    var copy = self
    copy.location = Location(file: file, .byte(byte))
    return copy
  }
}
