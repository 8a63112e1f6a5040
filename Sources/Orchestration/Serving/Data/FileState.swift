// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The identity and state of the file at a path: another value means that it was replaced or
/// changed.
struct FileState: Equatable {
  private let device: UInt
  private let number: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The state of the file at a path; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
