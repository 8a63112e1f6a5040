// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension CairnError.Code {
  /// A blob header that is empty or larger than the format allows.
  package static let badBlobHeaderSize: Self = "bad-blob-header-size"
  /// A blob whose size is missing, negative or larger than the format allows.
  package static let badDataSize: Self = "bad-data-size"
  /// A compressed blob whose uncompressed size is missing or too large.
  package static let missingRawSize: Self = "missing-raw-size"
  /// A blob that does not decompress to the size that it states.
  package static let rawSizeMismatch: Self = "raw-size-mismatch"
  /// A blob with an unsupported compression.
  package static let unknownCompression: Self = "unknown-compression"
  /// A number of more than 64 bits.
  package static let overlongVarint: Self = "overlong-varint"
  /// A field that extends beyond the end of its message.
  package static let fieldPastEnd: Self = "field-past-end"
  /// A field of an unexpected type, or invalid data instead of a field.
  package static let badField: Self = "bad-field"
  /// A required field that is missing.
  package static let missingField: Self = "missing-field"
  /// A tag that refers to a text outside the string table of its block.
  package static let stringIndexOutOfRange: Self = "string-index-out-of-range"
  /// A block with more texts, string tables or groups than any program writes.
  package static let blockTooLarge: Self = "block-too-large"
  /// A unit of coordinates or times that is not positive.
  package static let badGranularity: Self = "bad-granularity"
  /// Parallel arrays of different lengths, such as ids and latitudes.
  package static let arrayLengthsDisagree: Self = "array-lengths-disagree"
  /// A file that requires a feature that this reader does not support.
  package static let unknownRequiredFeature: Self = "unknown-required-feature"
  /// More objects than a `.trails` file can index.
  package static let tooManyObjects: Self = "too-many-objects"
  /// An extract, or a region of it, without routable ways.
  package static let noRoutableWays: Self = "no-routable-ways"
  /// An XML element with missing or invalid attributes.
  package static let badAttribute: Self = "bad-attribute"
  /// An error reported by an Overpass server instead of, or after, the data.
  package static let overpassFailure: Self = "overpass-failure"
  /// An invalid region file.
  package static let badRegion: Self = "bad-region"
}

extension CairnError {
  /// An error in the input data (65); the caller adds the location.
  static func badData(_ code: Code, _ message: String, hint: String? = nil) -> CairnError {
    CairnError(code, .dataError, message, hint: hint)
  }

  /// The same error, with the name of an object before its message.
  func within(_ object: String) -> CairnError {
    CairnError(code, exitCode, "\(object): \(message)", hint: hint)
  }

  /// The same error located at a byte of a file, unless it already has a location.
  func located(inFile file: String, byte: Int) -> CairnError {
    guard location == nil else { return located(inFile: file) }
    var copy = self
    copy.location = Location(file: file, .byte(byte))
    return copy
  }
}
