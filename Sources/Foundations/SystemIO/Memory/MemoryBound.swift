// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import Synchronization

/// The bound of this process's memory, and the folder for what does not fit.
///
/// ``LargeMemory`` takes at most half of the bound. Beyond that it is in unnamed files, whose pages
/// the system can write out and drop. The other half is for everything else. Results do not depend
/// on the bound.
package enum MemoryBound {
  private struct State {
    /// Nil until it is known.
    var bytes: Int?
    var folder: String?
    /// The size of all pieces of large memory that are not in files.
    var takenBytes = 0
  }

  private static let state = Mutex(State())
  /// Up to this size the available memory is not determined, so that small inputs do not pay for
  /// it.
  private static let smallBytes = 64 << 20
  /// The share of the available memory that is the bound if none is set.
  private static let share = (4, 5)

  /// Sets the bound, and the folder for what does not fit.
  ///
  /// - Parameters:
  ///   - bytes: The bound; nil for four fifths of what is available.
  ///   - folder: A folder on a disk with space; nil for `TMPDIR`.
  package static func set(_ bytes: Int?, folder: String?) {
    state.withLock { state in
      state.bytes = bytes
      state.folder = folder
    }
  }

  /// Takes memory if that leaves half of the bound for everything else; returns whether it did.
  static func takes(_ bytes: Int) -> Bool {
    state.withLock { state in
      if state.bytes == nil, state.takenBytes + bytes > smallBytes {
        state.bytes = availableMemory().map { $0 / share.1 * share.0 } ?? .max
      }
      if let bound = state.bytes {
        let used = max(state.takenBytes, residentBytes())
        guard used <= bound / 2, bytes <= bound / 2 - used else { return false }
      }
      state.takenBytes += bytes
      return true
    }
  }

  /// Gives back what was taken.
  static func giveBack(_ bytes: Int) { state.withLock { $0.takenBytes -= bytes } }

  /// The folder for what does not fit.
  static var folder: String { state.withLock { $0.folder } ?? temporaryFolder() }

  /// The memory of this process without pages of files; 0 if unknown.
  private static func residentBytes() -> Int {
    let pages = systemText("/proc/self/statm").split(separator: " ").prefix(3).map { Int($0) ?? 0 }
    return pages.count == 3 ? max(0, pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }
}

/// Memory for very many numbers, initially 0, which is released with the last reference.
///
/// Large pieces use huge pages: allocating page by page would take as long as computing the
/// content. If they do not fit into ``MemoryBound``, they are in an unnamed file.
package final class LargeMemory: Sendable {
  /// The size in bytes from which memory is mapped: that of a huge page.
  private static let mappedBytes = 2 << 20

  private enum Kind {
    /// Allocated by malloc.
    case small
    /// Mapped, and counted by ``MemoryBound``.
    case mapped
    /// Mapped from a file.
    case inFile
  }

  /// The first byte; valid as long as this object lives.
  package nonisolated(unsafe) let start: UnsafeMutableRawPointer
  private let byteCount: Int
  private let kind: Kind

  /// Whether the memory is in a file.
  package var isInFile: Bool { kind == .inFile }

  /// Allocates memory. If that fails, for example because the disk is full, the process ends with
  /// exit code 75.
  package init(byteCount: Int) {
    self.byteCount = max(1, byteCount)
    if byteCount < Self.mappedBytes {
      guard let memory = calloc(1, max(1, byteCount)) else { endForLackOfMemory(byteCount) }
      (start, kind) = (memory, .small)
    } else if MemoryBound.takes(byteCount) {
      let memory = mmap(
        nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let memory, memory != MAP_FAILED else { endForLackOfMemory(byteCount) }
      // A kernel without huge pages refuses, which does no harm.
      madvise(memory, byteCount, MADV_HUGEPAGE)
      (start, kind) = (memory, .mapped)
    } else {
      do throws(CairnError) {
        start = try Self.mapFile(byteCount, in: MemoryBound.folder)
      } catch { endForLackOfMemory(byteCount, error) }
      kind = .inFile
    }
  }

  /// Maps a new file. Its space is reserved at once: a disk that becomes full later would end the
  /// process with SIGBUS.
  private static func mapFile(_ byteCount: Int, in folder: String) throws(CairnError)
    -> UnsafeMutableRawPointer
  {
    let descriptor = try openUnnamedFile(in: folder)
    defer { close(descriptor) }
    var failure: Int32
    repeat { failure = posix_fallocate(descriptor, 0, byteCount) } while failure == EINTR
    guard failure == 0 else { throw writeError(failure, folder, doing: "create a file in") }
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw writeError(errno, folder, doing: "map a file in")
    }
    return memory
  }

  /// Gives memory that is no longer needed back to the system; small pieces stay.
  package func discard() {
    switch kind {
    case .small: break
    case .mapped: madvise(start, byteCount, MADV_DONTNEED)
    // Takes the pages from the file, too.
    case .inFile: madvise(start, byteCount, MADV_REMOVE)
    }
  }

  deinit {
    switch kind {
    case .small: free(start)
    case .mapped:
      munmap(start, byteCount)
      MemoryBound.giveBack(byteCount)
    case .inFile: munmap(start, byteCount)
    }
  }
}
