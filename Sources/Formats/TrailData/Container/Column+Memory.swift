// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Column {
  /// Gives the memory of the column back; it is read from the file again when it is needed.
  ///
  /// Mapped pages count as memory of the process as long as they stay mapped, even if it never
  /// looks at them again.
  package func dropPages() {
    withUnsafeElements { elements in
      guard let start = elements.baseAddress else { return }
      // Only whole pages: the ends are shared with the neighbouring columns.
      let page = sysconf(Int32(_SC_PAGESIZE))
      let first = (Int(bitPattern: start) + page - 1) / page * page
      let end = Int(bitPattern: start + elements.count) / page * page
      guard first < end else { return }
      // It is only advice, so it does not matter whether the system takes it.
      _ = madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_DONTNEED)
    }
  }
}
