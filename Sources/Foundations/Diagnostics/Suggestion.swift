// SPDX-License-Identifier: Apache-2.0

/// The most likely candidate for a mistyped word; nil if none is similar.
///
/// Similar means an edit distance of at most a third of the word's length, or of 1 for words of two
/// letters or more. The distance is Damerau's, with adjacent swaps as one edit, and ignores case.
/// Only the first 64 letters are compared.
package func nearestWord(to word: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(word.lowercased().prefix(64))
  let limit = letters.count < 2 ? 0 : max(1, letters.count / 3)
  var best: (distance: Int, word: String)?
  for candidate in candidates {
    let distance = editDistance(letters, Array(candidate.lowercased().prefix(64)))
    guard distance <= limit else { continue }
    if let known = best, (known.distance, known.word) <= (distance, candidate) { continue }
    best = (distance, candidate)
  }
  return best?.word
}

/// Whether two words differ by one edit: a different, extra or missing letter, or two neighbours
/// swapped.
package func differByOneEdit(_ word: String, _ other: String) -> Bool {
  // Each letter takes at least a byte, and at most four.
  guard word.utf8.count <= 64, other.utf8.count <= 64 else { return false }
  let (letters, otherLetters) = (Array(word), Array(other))
  return abs(letters.count - otherLetters.count) <= 1 && editDistance(letters, otherLetters) == 1
}

private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for leftIndex in 0..<left.count {
    var current = [leftIndex + 1]
    for rightIndex in 0..<right.count {
      let (leftLetter, rightLetter) = (left[leftIndex], right[rightIndex])
      let substitution = last[rightIndex] + (leftLetter == rightLetter ? 0 : 1)
      var cost = min(substitution, last[rightIndex + 1] + 1, current[rightIndex] + 1)
      if leftIndex > 0, rightIndex > 0, leftLetter == right[rightIndex - 1],
        left[leftIndex - 1] == rightLetter
      {
        cost = min(cost, beforeLast[rightIndex - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
