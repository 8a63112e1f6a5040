// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with each occurrence of a scalar replaced by another text.
  ///
  /// Quoting needs this: `replacing` and `split` compare characters, and a quotation mark before a
  /// combining mark is part of another character, which they leave alone.
  package func replacing(scalar old: Unicode.Scalar, with new: String) -> String {
    guard unicodeScalars.contains(old) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar == old { result += new } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
