// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// The number of processors that this process may use, at least 1.
package func availableProcessors() -> Int { max(1, Processors.available.count) }

/// A set of processors, a bit for each; empty if the system does not say which there are.
struct Processors: Sendable {
  private var mask: [UInt8]

  /// Those that this process might use when it first asked.
  static let available: Processors = {
    var mask = [UInt8](repeating: 0, count: 1024)
    let bytes = cairn_processor_mask(&mask, UInt(mask.count))
    return Processors(mask: Array(mask.prefix(max(0, bytes))))
  }()

  /// Their number.
  var count: Int { mask.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The one on which this thread runs.
  static var current: Int { Int(cairn_current_processor()) }

  /// Moves this thread to another processor if it runs on this one.
  static func leave(_ processor: Int) {
    guard current == processor else { return }
    available.withoutCurrent().limitThread()
    available.limitThread()
  }

  /// These without the one on which this thread runs.
  func withoutCurrent() -> Processors {
    let current = Self.current
    var others = self
    if mask.indices.contains(current / 8) { others.mask[current / 8] &= ~(1 << UInt8(current % 8)) }
    return others
  }

  /// Has a thread that is made with these attributes begin on these processors.
  func limit(_ attributes: inout pthread_attr_t) {
    if count > 0 { _ = cairn_limit_new_thread(&attributes, UInt(mask.count), mask) }
  }

  /// Limits this thread to these processors.
  func limitThread() {
    if count > 0 { cairn_limit_thread(UInt(mask.count), mask) }
  }
}
