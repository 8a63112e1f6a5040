// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with another one in place of a scalar, wherever it is.
  ///
  /// Quoting needs this: `replacing` and `split` compare characters, and a quotation mark before a
  /// combining mark is part of another character, which they leave as it is.
  package func replacing(scalar old: Unicode.Scalar, with new: String) -> String {
    guard unicodeScalars.contains(old) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar == old { result += new } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
