// SPDX-License-Identifier: Apache-2.0

/// An identifier of the system's boot, different after every start; nil if unknown. Data written
/// since then reads back as written, whether it is on disk or not.
package let systemStart: String? = {
  let text = systemText("/proc/sys/kernel/random/boot_id").prefix { !$0.isWhitespace }
  return text.isEmpty ? nil : String(text)
}()
