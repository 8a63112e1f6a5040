// SPDX-License-Identifier: Apache-2.0

/// Values that deny what their key is about.
package enum TagDenial {
  /// They, in lower case.
  private static let values: Set<String> = ["", "-", "0", "false", "no", "none"]

  /// Whether a value denies.
  package static func contains(_ value: String) -> Bool {
    values.contains(value) || value.utf8.count <= 5 && values.contains(value.lowercased())
  }
}
