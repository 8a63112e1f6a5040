// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CLinux
import CairnDiagnostics
@preconcurrency import Glibc
import Synchronization

/// A running program, in its own process group unless it shares that of this process.
///
/// Its standard input is `/dev/null`, its outputs are files or pipes; it inherits the environment,
/// except for variables it is given, and the working directory, and starts with no signal blocked or ignored.
package final class Subprocess: Sendable {
  /// How a program ended.
  package struct Ending: Equatable, Sendable {
    /// Its exit status, or nil if a signal ended it.
    package var exitStatus: Int32?
    /// The signal that ended it, if any.
    package var signal: Int32?
    /// Seconds from start to end.
    package var wallSeconds: Double
    /// Processor time and memory of the program and of the children that it waited for.
    package var use: ResourceUse
  }

  /// The destination of a program's output.
  package enum Sink: Sendable {
    /// A file, created or truncated.
    case file(String)
    /// A file, created or appended to.
    case appending(String)
    /// The writing end of a pipe.
    case pipe(OutputPipe)
    /// Nowhere: `/dev/null`, which is not created if missing.
    case nothing
  }

  /// The id of the process, and of its process group if it has one of its own.
  package let processID: Int32
  private let startSeconds: Double
  private let sharesGroup: Bool
  private let isReaped = Mutex(false)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Its path; `PATH` is not searched.
  ///   - arguments: Its arguments, without the name of the program.
  ///   - standardOutput: The destination of its standard output.
  ///   - standardError: The destination of its standard error.
  ///   - sharingGroup: Whether it stays in the process group of this process, so that signals to
  ///     the group end both.
  ///   - variables: Variables of its environment, instead of inherited ones with these names.
  ///
  /// Throws `cannot-start`: 66 if the program is missing or not executable, 75 if the system cannot
  /// start another process or the program file is being written.
  package init(
    _ executable: String, _ arguments: [String], standardOutput: Sink, standardError: Sink,
    sharingGroup: Bool = false, variables: [String: String] = [:]
  ) throws(CairnError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    Self.redirect(&actions, STDOUT_FILENO, to: standardOutput)
    Self.redirect(&actions, STDERR_FILENO, to: standardError)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    sharesGroup = sharingGroup
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if !sharingGroup { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    let given = variables.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
    defer { for variable in given { free(variable) } }
    let environment = Self.inherited(without: variables) + given + [nil]
    startSeconds = monotonicSeconds()
    var process: pid_t = 0
    let status = posix_spawn(&process, executable, &actions, &attributes, words, environment)
    guard status == 0 else {
      throw CairnError(
        .cannotStart, [EAGAIN, ENOMEM, ETXTBSY].contains(status) ? .temporaryFailure : .noInput,
        "cannot be started: \(systemMessage(status))", at: Location(file: executable))
    }
    processID = process
  }

  /// The variables of this process, except for some names.
  private static func inherited(without variables: [String: String]) -> [UnsafeMutablePointer<
    CChar
  >?] {
    var kept: [UnsafeMutablePointer<CChar>?] = []
    var next = __environ
    while let entry = next?.pointee {
      let name = String(cString: entry).prefix { $0 != "=" }
      if variables[String(name)] == nil { kept.append(entry) }
      next = next?.successor()
    }
    return kept
  }

  private static func redirect(
    _ actions: inout posix_spawn_file_actions_t, _ descriptor: Int32, to sink: Sink
  ) {
    switch sink {
    case .file(let path):
      posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    case .appending(let path):
      posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    case .pipe(let pipe):
      posix_spawn_file_actions_adddup2(&actions, pipe.writingEnd, descriptor)
    case .nothing:
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
  }

  /// Blocks until the program ends, and reads its output from pipes. Must be called exactly once.
  ///
  /// Processes that the program leaves behind in its own process group are killed.
  ///
  /// - Parameters:
  ///   - pipes: The pipes to which the program writes.
  ///   - received: Takes the output, with the index of the pipe in `pipes`.
  ///   - tick: Called several times a second, for example to enforce a time limit.
  package func wait(
    reading pipes: [OutputPipe] = [],
    received: (_ pipe: Int, _ bytes: UnsafeRawBufferPointer) -> Void = { _, _ in },
    tick: () -> Void = {}
  ) -> Ending {
    for pipe in pipes { pipe.closeWritingEnd() }
    watch(pipes, received, tick)
    for (index, pipe) in pipes.enumerated() { pipe.drain { received(index, $0) } }
    // Reaped only now, so that no signal can reach another process with a reused id.
    send(SIGKILL)
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

  /// Returns when the program has ended, before it is reaped.
  private func watch(
    _ pipes: [OutputPipe], _ received: (Int, UnsafeRawBufferPointer) -> Void, _ tick: () -> Void
  ) {
    let descriptor = cairn_process_descriptor(processID)
    defer { if descriptor >= 0 { close(descriptor) } }
    var open = Array(pipes.enumerated())
    while true {
      var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      watched += open.map { pollfd(fd: $0.element.readingEnd, events: Int16(POLLIN), revents: 0) }
      // Without a descriptor (before Linux 5.3) the process must be polled.
      poll(&watched, nfds_t(watched.count), descriptor >= 0 ? 100 : 10)
      let ready = zip(watched.dropFirst(), open).filter { $0.0.revents != 0 }.map(\.1)
      for (index, pipe) in ready where !pipe.read({ received(index, $0) }) {
        open.removeAll { $0.offset == index }
      }
      tick()
      var information = siginfo_t()
      let status = waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT | WNOHANG)
      // The process id stays 0 while the process runs.
      if status == 0 ? information._sifields._kill.si_pid != 0 : errno != EINTR { return }
    }
  }

  /// Lets other programs go first where processors are scarce: with five steps of niceness it gets a
  /// third of what they get. For a program that has just been started.
  package func yieldToOthers() {
    isReaped.withLock { isReaped in if !isReaped { cairn_lower_priority(processID, 5) } }
  }

  /// Sends a signal to the program and its own process group, unless the program has ended.
  package func send(_ signal: Int32) {
    isReaped.withLock { isReaped in
      if !isReaped { kill(sharesGroup ? processID : -processID, signal) }
    }
  }

  /// Makes the system kill this process when the thread that started it ends in any way; false if
  /// that thread does not belong to the process `parent`, or has ended.
  ///
  /// So a child of a killed parent does not run alongside its successor.
  package static func endWithParent(_ parent: Int32) -> Bool { cairn_end_with_parent(parent) == 0 }
}
