import Diagnostics
// SPDX-License-Identifier: Apache-2.0
import Formatting
import Glibc
import SystemIO

/// Runs stages as processes of this machine.
struct LocalExecutor: Sendable {
  /// How a program ended.
  struct Ending: Sendable {
    var process: Subprocess.Ending
    /// Why it was stopped from here, if it was.
    var reason: String?
  }

  /// Seconds that a program has to end after it was asked to.
  static let defaultGraceSeconds = 10.0
  /// The most that a stage may print as its result.
  static let outputLimit = 16 << 20

  /// The folder of the stages' executables.
  let binaries: String
  /// Where the wish to stop comes from.
  let interruption: Interruption
  /// Seconds from SIGTERM to SIGKILL.
  var graceSeconds = Self.defaultGraceSeconds

  /// The path of a stage's executable.
  func path(of executable: String) -> String { joinPath(binaries, executable) }

  /// Throws 66 with all executables that are not there.
  func check(_ executables: [String]) throws(CairnError) {
    let missing = executables.filter { access(path(of: $0), X_OK) != 0 }
    guard missing.isEmpty else {
      throw CairnError(
        .cannotStart, .noInput, "has no \(missing.joined(separator: ", "))",
        at: Location(file: binaries),
        hint: "the stages lie beside cairn: build all of them, or name their folder with --bin")
    }
  }

  /// Runs a program to its end, to that of its time, or to that of the run.
  ///
  /// - Parameters:
  ///   - command: The path of the program, and its arguments.
  ///   - product: The file that takes what it prints; where it is nil, that goes to the log.
  ///   - log: The file that takes its messages, the middle left out where they are many.
  ///   - timeoutSeconds: When it is asked to end (SIGTERM), and some seconds later killed with all
  ///     that it started.
  ///   - progress: Told how far it is.
  func run(
    _ command: [String], product: String?, log: String, timeoutSeconds: Double,
    progress: @escaping (StageProgress) -> Void
  ) throws -> Ending {
    let messages = StageMessages(log: try BoundedLog(log), report: progress)
    defer { messages.finish() }
    let printed = try OutputPipe()
    let said = try OutputPipe()
    let printing = try product.map { path throws(CairnError) in try PrintedProduct(path) }
    let process = try Subprocess(
      command.first ?? "", Array(command.dropFirst()),
      standardOutput: .pipe(printing == nil ? said : printed), standardError: .pipe(said))
    interruption.register(process)
    defer { interruption.forget(process) }
    var patience = Patience(timeoutSeconds: timeoutSeconds, graceSeconds: graceSeconds)
    let ending = process.wait(reading: [said, printed]) { pipe, bytes in
      if pipe == 1, let printing {
        printing.append(bytes)
        if printing.isTooLong {
          patience.end(process, "prints more than \(byteSize(Self.outputLimit))")
        }
      } else {
        messages.append(bytes)
      }
    } tick: {
      patience.tick(process, isInterrupted: interruption.signal != nil)
    }
    try printing?.finish()
    return Ending(process: ending, reason: patience.reason)
  }
}

/// When to ask a program to end, and when to make it.
private struct Patience {
  let timeoutSeconds: Double
  let graceSeconds: Double
  private let start = monotonicSeconds()
  private var killTime: Double?
  private(set) var reason: String?

  init(timeoutSeconds: Double, graceSeconds: Double) {
    self.timeoutSeconds = timeoutSeconds
    self.graceSeconds = graceSeconds
  }

  mutating func tick(_ process: Subprocess, isInterrupted: Bool) {
    let now = monotonicSeconds()
    if let killTime {
      if now >= killTime { process.send(SIGKILL) }
    } else if isInterrupted {
      // It has the signal already.
      killTime = now + graceSeconds
    } else if now - start >= timeoutSeconds {
      end(process, "did not end within \(roughDuration(timeoutSeconds)) and was stopped")
    }
  }

  /// Asks a program to end, for a reason.
  mutating func end(_ process: Subprocess, _ reason: String) {
    guard self.reason == nil else { return }
    self.reason = reason
    killTime = killTime ?? monotonicSeconds() + graceSeconds
    process.send(SIGTERM)
  }
}

/// The file that takes what a stage prints as its result.
private final class PrintedProduct {
  private let path: String
  private let descriptor: Int32
  private var bytes = 0
  private var failure: CairnError?

  init(_ path: String) throws(CairnError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw systemFailure(path, "create") }
  }

  deinit { close(descriptor) }

  var isTooLong: Bool { bytes > LocalExecutor.outputLimit }

  func append(_ part: UnsafeRawBufferPointer) {
    bytes += part.count
    guard failure == nil, !isTooLong else { return }
    var done = 0
    while done < part.count {
      let count = write(descriptor, part.baseAddress.map { $0 + done }, part.count - done)
      if count > 0 {
        done += count
      } else if errno != EINTR {
        failure = systemFailure(path, "write")
        return
      }
    }
  }

  /// Throws 74 if not all was written.
  func finish() throws(CairnError) { if let failure { throw failure } }
}
