// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc

/// A file mapped into memory for reading, and unmapped when the last reference is released.
///
/// The mapping is private and read-only. It is meant for files that Cairn writes under a temporary
/// name and renames: those never shrink. Use ``InputFile`` for a file that another process may
/// truncate while it is read.
package final class MappedFile: Sendable {
  /// The path as given.
  package let path: String
  /// The content; valid as long as this object lives.
  package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// Maps a regular file. Throws 66 if it is missing, unreadable or not a regular file.
  package init(_ path: String) throws(CairnError) {
    let (opened, size) = try openForReading(path)
    defer { close(opened) }
    self.path = path
    guard size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, opened, 0)
    guard let start, start != MAP_FAILED else { throw readError(errno, path) }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
  }

  /// Releases the memory of whole pages within a part of ``bytes``; the next access reads the file
  /// again.
  package func releasePages(of part: UnsafeRawBufferPointer) {
    guard let start = part.baseAddress, !part.isEmpty else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let address = Int(bitPattern: start)
    let first = (address + page - 1) / page * page
    let end = (address + part.count) / page * page
    guard first < end, let pages = UnsafeMutableRawPointer(bitPattern: first) else { return }
    // If it fails, the memory stays in use.
    madvise(pages, end - first, MADV_DONTNEED)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
