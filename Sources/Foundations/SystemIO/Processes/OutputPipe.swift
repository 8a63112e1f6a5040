// SPDX-License-Identifier: Apache-2.0
import CLinux
import CairnDiagnostics
import Glibc
import Synchronization

/// A pipe that a program writes to and this process reads from.
package final class OutputPipe: Sendable {
  let readingEnd: Int32
  private let writer: Mutex<Int32>

  /// Creates a pipe. Throws 75 if this process has too many open files.
  package init() throws(CairnError) {
    var ends: [Int32] = [-1, -1]
    guard cairn_pipe(&ends) == 0 else {
      throw CairnError(
        .cannotStart, .temporaryFailure, "cannot create a pipe: \(systemMessage(errno))")
    }
    readingEnd = ends[0]
    writer = Mutex(ends[1])
    // The kernel may report a pipe as readable when it is empty.
    _ = fcntl(readingEnd, F_SETFL, O_NONBLOCK)
  }

  deinit {
    closeWritingEnd()
    close(readingEnd)
  }

  var writingEnd: Int32 { writer.withLock { $0 } }

  func closeWritingEnd() {
    writer.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Reads once, up to 64 KiB. Returns false when the writing end is closed everywhere.
  func read(_ received: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      let count = Glibc.read(readingEnd, buffer.baseAddress, buffer.count)
      if count > 0 { received(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
  }

  /// Reads the content of the pipe, without waiting for more: at most 1 MiB, since a process left
  /// behind by the program may keep writing.
  func drain(_ received: (UnsafeRawBufferPointer) -> Void) {
    var hasRead = true
    for _ in 0..<16 where hasRead {
      hasRead = false
      _ = read { bytes in
        hasRead = true
        received(bytes)
      }
    }
  }
}
