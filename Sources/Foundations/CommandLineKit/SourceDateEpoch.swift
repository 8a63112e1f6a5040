// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// The value of SOURCE_DATE_EPOCH in seconds since 1970. Throws 64 if it is not a whole number of
/// seconds up to the end of the year 9999, the last one with four digits.
package func sourceDateEpoch(_ text: String) throws(CairnError) -> Int {
  guard let seconds = Int(text), (0...253_402_300_799).contains(seconds) else {
    throw CairnError(
      .usage, .usage,
      "SOURCE_DATE_EPOCH must be whole seconds since 1970, up to the end of the year 9999, not "
        + "“\(printable(String(text.prefix(60))))”",
      hint: "unset it, or set it to the output of date +%s")
  }
  return seconds
}
