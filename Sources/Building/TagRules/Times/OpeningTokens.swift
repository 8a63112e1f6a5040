// SPDX-License-Identifier: Apache-2.0

/// A token of `opening_hours`.
enum OpeningToken: Equatable {
  /// Letters and underscores, in lower case.
  case word(String)
  /// Digits, at most nine, and how many.
  case number(Int, digits: Int)
  /// A text in quotes.
  case comment
  /// Any other character.
  case sign(Character)
}

/// Splits a rule into tokens. Spaces only separate words.
func openingTokens(_ text: Substring) -> [OpeningToken] {
  var tokens: [OpeningToken] = []
  var rest = text
  while let first = rest.first {
    if first.isLetter {
      let word = rest.prefix { $0.isLetter || $0 == "_" }
      tokens.append(.word(word.lowercased()))
      rest = rest.dropFirst(word.count)
    } else if isDigit(first) {
      let digits = rest.prefix(while: isDigit)
      // No date or hour has that many digits; 10⁹ is neither.
      let number = digits.count <= 9 ? Int(digits) : nil
      tokens.append(.number(number ?? 1_000_000_000, digits: digits.count))
      rest = rest.dropFirst(digits.count)
    } else if first == "\"" {
      tokens.append(.comment)
      rest = rest.dropFirst().drop { $0 != "\"" }.dropFirst()
    } else {
      // Typographic dashes mean the same.
      if !first.isWhitespace { tokens.append(.sign("–—‒−".contains(first) ? "-" : first)) }
      rest = rest.dropFirst()
    }
  }
  return tokens
}

private func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
