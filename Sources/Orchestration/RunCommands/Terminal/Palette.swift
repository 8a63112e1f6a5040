// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Terminal colours, or none.
package struct Palette: Sendable {
  /// Whether text is coloured at all.
  var isOn: Bool

  /// No colours.
  static let plain = Palette(isOn: false)

  /// When text is coloured.
  enum Choice: String, CaseIterable, Sendable {
    /// On a terminal, unless NO_COLOR is set (no-color.org).
    case auto
    case always
    case never
  }

  /// The colours for output to a descriptor.
  static func chosen(_ choice: Choice, for descriptor: Int32) -> Palette {
    switch choice {
    case .always: Palette(isOn: true)
    case .never: .plain
    case .auto:
      Palette(
        isOn: isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty
          && !["", "dumb"].contains(variable("TERM")))
    }
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// What went wrong.
  func bad(_ text: String) -> String { coloured(text, "1;31") }
  /// Text that deserves attention.
  func notable(_ text: String) -> String { coloured(text, "33") }
  /// Text about results.
  func good(_ text: String) -> String { coloured(text, "32") }
  /// Less important text.
  func faint(_ text: String) -> String { coloured(text, "2") }

  private func coloured(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
