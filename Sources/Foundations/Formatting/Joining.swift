// SPDX-License-Identifier: Apache-2.0

extension [String] {
  /// The texts one behind another, as the standard library's `joined` joins them. At its first use, that
  /// one looks up generic types, which takes longer than all that a short command joins.
  package func chained(by separator: String) -> String {
    var text = ""
    for index in indices {
      if index > 0 { text += separator }
      text += self[index]
    }
    return text
  }
}
