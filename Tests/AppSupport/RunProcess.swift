// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a finished process left.
package struct ProcessResult: Sendable {
  /// The exit status, or 128 plus the number of the signal that ended it.
  package let status: Int32
  /// All that it wrote to stdout.
  package let stdout: String
  /// All that it wrote to stderr.
  package let stderr: String
}

/// Runs a program to its end.
///
/// Its output goes through files, so that no pipe can fill up and nothing that it leaves running
/// can hold the caller.
///
/// - Parameters:
///   - path: The program; a name without a slash is looked up in PATH.
///   - environment: The whole environment of the process; that of the tests where it is nil.
///   - stdin: The file that it reads as its stdin, by default one that is empty.
///   - folder: Where it runs; where the tests run if it is nil.
package func runProcess(
  _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
  stdin: String = "/dev/null", in folder: String? = nil
) throws -> ProcessResult {
  let output = try TemporaryFolder()
  let variables = environment ?? ProcessInfo.processInfo.environment
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, stdin, O_RDONLY, 0)
  let creation = O_WRONLY | O_CREAT | O_TRUNC
  posix_spawn_file_actions_addopen(&actions, 1, output.file("stdout"), creation, 0o600)
  posix_spawn_file_actions_addopen(&actions, 2, output.file("stderr"), creation, 0o600)

  var words = [path] + arguments
  if let folder { words = ["env", "--chdir=\(folder)"] + words }
  var process = pid_t()
  let number = withCStrings(words) { pointers in
    withCStrings(variables.map { "\($0.key)=\($0.value)" }.sorted()) { settings in
      posix_spawnp(&process, words[0], &actions, nil, pointers, settings)
    }
  }
  guard number == 0 else {
    throw TestFailure("cannot run \(path): \(String(cString: strerror(number)))")
  }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 {
    guard errno == EINTR else { throw TestFailure("cannot wait for \(path)") }
  }
  let signal = status & 0x7F
  return ProcessResult(
    status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
    stdout: String(decoding: try output.read("stdout"), as: UTF8.self),
    stderr: String(decoding: try output.read("stderr"), as: UTF8.self))
}

private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}

/// A test that cannot be carried out, with the reason.
package struct TestFailure: Error, CustomStringConvertible {
  /// The reason.
  package let description: String

  /// Makes a failure of its reason.
  package init(_ description: String) { self.description = description }
}
