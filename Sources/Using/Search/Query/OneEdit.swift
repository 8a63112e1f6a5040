// SPDX-License-Identifier: Apache-2.0

/// The match of a word in a query with a word in a name.
enum WordMatch: Int, Comparable {
  /// The words are equal.
  case exact
  /// The word begins with it.
  case prefix
  /// Equal after one edit.
  case typo
  /// The word contains it.
  case inside
  /// A prefix after one edit.
  case typoInPrefix

  static func < (left: WordMatch, right: WordMatch) -> Bool { left.rawValue < right.rawValue }
}

/// Compares words up to one edit: an extra, missing or wrong letter, or two neighbours swapped (the
/// optimal string alignment distance of Damerau, 1964, up to 1).
enum OneEdit {
  /// The fewest letters of a word searched within others.
  static let shortestInside = 3
  /// The fewest letters of a word that may have a typo.
  static let shortestTypo = 2

  /// The match of a typed word with a word of a name; nil if there is none.
  ///
  /// Takes linear time: the words are equal up to the first difference, and one of the four edits
  /// there must make the rest equal.
  static func match(_ typed: ArraySlice<UInt32>, _ word: ArraySlice<UInt32>) -> WordMatch? {
    var (left, right) = (typed.startIndex, word.startIndex)
    while left < typed.endIndex, right < word.endIndex, typed[left] == word[right] {
      left += 1
      right += 1
    }
    if left == typed.endIndex { return right == word.endIndex ? .exact : .prefix }
    guard typed.count >= shortestTypo else { return nil }
    let best = edited(typed[left...], word[right...])
    if best == .typo { return best }
    if typed.count >= shortestInside, typed.count < word.count, contains(word, typed) {
      return .inside
    }
    return best
  }

  /// The match of two words that differ in their first letters, by one edit at their beginning.
  private static func edited(_ typed: ArraySlice<UInt32>, _ word: ArraySlice<UInt32>) -> WordMatch?
  {
    var best = rest(typed.dropFirst(), word)
    if best != .typo, !word.isEmpty {
      best = better(best, rest(typed, word.dropFirst()))
      if best != .typo { best = better(best, rest(typed.dropFirst(), word.dropFirst())) }
    }
    if best != .typo, typed.count > 1, word.count > 1,
      typed[typed.startIndex] == word[word.startIndex + 1],
      typed[typed.startIndex + 1] == word[word.startIndex]
    {
      best = better(best, rest(typed.dropFirst(2), word.dropFirst(2)))
    }
    return best
  }

  /// The rest after the edit: equal, or a prefix.
  private static func rest(_ typed: ArraySlice<UInt32>, _ word: ArraySlice<UInt32>) -> WordMatch? {
    guard typed.count <= word.count else { return nil }
    let offset = word.startIndex - typed.startIndex
    for index in typed.indices where typed[index] != word[index + offset] { return nil }
    return typed.count == word.count ? .typo : .typoInPrefix
  }

  private static func better(_ one: WordMatch?, _ other: WordMatch?) -> WordMatch? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  private static func contains(_ word: ArraySlice<UInt32>, _ part: ArraySlice<UInt32>) -> Bool {
    var rest = word.dropFirst()
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest.removeFirst()
    }
    return false
  }
}
