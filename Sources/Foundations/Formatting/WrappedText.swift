// SPDX-License-Identifier: Apache-2.0

/// Breaks text between words so that no line is longer than `width`; line breaks in the text are
/// kept.
package func wrapped(_ text: String, width: Int) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
    wrapped(paragraph.split(separator: " ").map(String.init), width: width)
  }
}

/// Puts words on lines of at most `width` characters, unless a single word is longer.
package func wrapped(_ words: [String], width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in words {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  return lines + [line]
}
