// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// What a difference of 0 is, alone; at an end of a range it is `0 m` or `0 min`.
let noChange = "no change"

/// `+12 min`, `−1 h 5 min`, `no change`.
func signedTime(_ seconds: Double, zero: String = noChange) -> String {
  signed(seconds, isNone: abs(seconds) < 30, zero) { duration($0) }
}

/// `12 min`; `–` if not a time.
func errorTime(_ seconds: Double) -> String {
  seconds.isFinite && abs(seconds) < 1e12 ? duration(seconds) : "–"
}

/// `+120 m`, `−1.3 km`, `no change`.
func signedLength(_ metres: Double, zero: String = noChange) -> String {
  signed(metres, isNone: abs(metres) < 0.5, zero) {
    $0 < 999.5 ? CairnFormatting.metres($0) : kilometres($0, decimals: 1)
  }
}

/// `+46 m`, `−3 m`, `no change`.
func signedMetres(_ metres: Double, zero: String = noChange) -> String {
  signed(metres, isNone: abs(metres) < 0.5, zero) { CairnFormatting.metres($0) }
}

private func signed(
  _ value: Double, isNone: Bool, _ zero: String, _ text: (Double) -> String
) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "–" }
  return isNone ? zero : (value < 0 ? "−" : "+") + text(abs(value))
}

/// `8.1 km`, `850 m`; `–` if not a length.
func length(_ metres: Double) -> String {
  guard metres.isFinite, abs(metres) < 1e12 else { return "–" }
  return metres < 999.5 ? CairnFormatting.metres(metres) : kilometres(metres, decimals: 1)
}

/// `812 m`; `unknown` if nil.
func climb(_ metres: Double?) -> String {
  guard let metres, metres.isFinite, abs(metres) < 1e12 else { return "unknown" }
  return CairnFormatting.metres(metres)
}
