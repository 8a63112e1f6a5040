// SPDX-License-Identifier: Apache-2.0

/// The candidate that a mistyped word most likely meant, or nil if none is near.
///
/// Near means an edit distance (Damerau, adjacent swaps count one, case counts nothing) of at most
/// a third of the word's length; of words with two letters or more one letter may differ. Words are
/// compared by their first 64 letters.
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

private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in 0..<left.count {
    var current = [row + 1]
    for column in 0..<right.count {
      let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
      var cost = min(substitution, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
