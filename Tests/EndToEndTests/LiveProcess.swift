// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

/// A process that a test talks to, line by line, and ends when it likes.
final class LiveProcess {
  private var process = pid_t()
  private let input: Int32
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Starts a program; its stderr goes nowhere.
  init(_ path: String, _ arguments: [String]) throws {
    var (down, up): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw TestFailure("no pipes") }
    for end in down + up { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, down[0], 0)
    posix_spawn_file_actions_adddup2(&actions, up[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    let number = posix_spawn(&process, path, &actions, nil, words + [nil], environ)
    close(down[0])
    close(up[1])
    (input, output) = (down[1], up[0])
    guard number == 0 else { throw TestFailure("cannot run \(path)") }
  }

  deinit {
    close(input)
    close(output)
  }

  /// Writes to its stdin.
  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(input, bytes, bytes.count) == bytes.count else {
      throw TestFailure("it reads no more")
    }
  }

  /// The next line of its stdout; waits for it.
  func line() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line
      }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw TestFailure("it writes no more") }
      buffer += piece[..<count]
    }
  }

  /// Ends it with SIGKILL, and waits until it has.
  func killNow() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
