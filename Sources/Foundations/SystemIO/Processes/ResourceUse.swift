// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The resources used by a process.
package struct ResourceUse: Equatable, Sendable {
  /// Seconds of processor time, user and system.
  package var cpuSeconds: Double
  /// Peak resident memory in bytes.
  package var peakBytes: Int

  /// Creates a record.
  package init(cpuSeconds: Double, peakBytes: Int) {
    self.cpuSeconds = cpuSeconds
    self.peakBytes = peakBytes
  }

  init(_ usage: rusage) {
    cpuSeconds =
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    peakBytes = usage.ru_maxrss * 1024
  }

  /// The resources used by this process so far.
  package static func current() -> ResourceUse {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return ResourceUse(usage)
  }
}

/// Seconds of a monotonic clock, from an arbitrary start.
package func monotonicSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
