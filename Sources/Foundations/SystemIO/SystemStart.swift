// SPDX-License-Identifier: Apache-2.0

/// A text that names the time since the system was started, and is another one after every start;
/// nil where the system does not say. What was written since then and read back is what was written,
/// whether it is on the disk or not.
package let systemStart: String? = {
  let text = systemText("/proc/sys/kernel/random/boot_id").prefix { !$0.isWhitespace }
  return text.isEmpty ? nil : String(text)
}()
