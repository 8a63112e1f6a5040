// SPDX-License-Identifier: Apache-2.0
import Diagnostics
@preconcurrency import Glibc
import Synchronization

/// A program that was started, in a process group of its own.
///
/// It reads nothing (`/dev/null`), writes into files, inherits the environment and the working
/// folder, and starts with no signal blocked or ignored.
public final class Subprocess: Sendable {
  /// How a program ended.
  public struct Ending: Equatable, Sendable {
    /// Its exit status, or nil if a signal ended it.
    public var exitStatus: Int32?
    /// The signal that ended it, if one did.
    public var signal: Int32?
    /// Seconds from start to end.
    public var wallSeconds: Double
    /// Processor time and memory of it and of those of its children that it waited for.
    public var use: ResourceUse
  }

  /// The number of the process and of its group.
  public let processID: Int32
  private let startSeconds: Double
  private let isReaped = Mutex(false)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Its path; `PATH` is not searched.
  ///   - arguments: The words after its name.
  ///   - standardOutput: The file, made or emptied, that takes what it prints.
  ///   - standardError: The file, made or extended, that takes its messages.
  ///
  /// Throws `cannot-start`: 66 if there is no such program or it may not be run, 75 if the system
  /// has no room for another process or the program is being written at this moment.
  public init(
    _ executable: String, _ arguments: [String], standardOutput: String, standardError: String
  ) throws(CairnError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, standardOutput, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, standardError, O_WRONLY | O_CREAT | O_APPEND, 0o644)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    startSeconds = monotonicSeconds()
    var process: pid_t = 0
    let status = posix_spawn(&process, executable, &actions, &attributes, words, __environ)
    guard status == 0 else {
      throw CairnError(
        .cannotStart, [EAGAIN, ENOMEM, ETXTBSY].contains(status) ? .temporaryFailure : .noInput,
        "cannot be started: \(systemMessage(status))", at: Location(file: executable))
    }
    processID = process
  }

  /// Blocks until the program ends. To be called exactly once, by one thread.
  public func wait() -> Ending {
    // Watched first and reaped afterwards, so that no signal can reach a stranger who got the
    // number of a process that is gone.
    var information = siginfo_t()
    while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    var status: Int32 = 0
    var usage = rusage()
    isReaped.withLock { isReaped in
      while wait4(processID, &status, 0, &usage) < 0, errno == EINTR {}
      isReaped = true
    }
    let signal = status & 0x7F
    return Ending(
      exitStatus: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
      wallSeconds: monotonicSeconds() - startSeconds, use: ResourceUse(usage))
  }

  /// Sends a signal to the program and all that it started, unless it has ended.
  public func send(_ signal: Int32) {
    isReaped.withLock { isReaped in
      if !isReaped { kill(-processID, signal) }
    }
  }
}
