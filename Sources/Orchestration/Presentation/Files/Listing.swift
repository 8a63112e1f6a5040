// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A description of a file, as JSON and as text.
package protocol Listing: Encodable {
  /// The text, line by line.
  var lines: [String] { get }
}

/// A label and its value as a line of a listing.
func fact(_ label: String, _ text: String) -> String { "  \((label + " ").padded(to: 20))\(text)" }
