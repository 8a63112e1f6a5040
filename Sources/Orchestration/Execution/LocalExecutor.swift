// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import Planning
import ResultStore
import SystemIO

/// Runs stages as processes of this machine.
package struct LocalExecutor: Executor {
  /// How a program ended.
  package struct Ending: Sendable {
    package var process: Subprocess.Ending
    /// Why Cairn stopped it, if it did.
    package var reason: String?
  }

  /// The default seconds between SIGTERM and SIGKILL.
  package static let defaultGraceSeconds = 10.0
  /// The largest output that may be a stage's result.
  package static let outputLimit = 16 << 20

  /// The source of requests to stop.
  package let interruption: Interruption
  /// Whether results are flushed to the disk.
  package var isFlushing = true

  package init(interruption: Interruption, isFlushing: Bool = true) {
    self.interruption = interruption
    self.isFlushing = isFlushing
  }

  package func capacity(parallelism: Int, memoryBytes: Int?) -> Capacity {
    // Other programs use memory, too, and may need more later.
    let limit = availableMemory().map { $0 / 5 * 4 } ?? .max
    return Capacity(processors: parallelism, memoryBytes: memoryBytes ?? limit)
  }

  package func run(_ attempt: PreparedAttempt, progress: @escaping (StageProgress) -> Void) throws
    -> ActionResult
  {
    try run(
      attempt.invocation, in: attempt.folder, yields: attempt.limits.yields, progress: progress)
  }

  /// Runs a program in the folder of its attempt.
  ///
  /// - Parameter yields: Whether other programs go first.
  package func run(
    _ invocation: Invocation, in folder: String, yields: Bool = false,
    progress: @escaping (StageProgress) -> Void
  ) throws -> ActionResult {
    let copies = invocation.copies ?? [:]
    defer { for copy in copies.values { removeTree(splitPath(copy).folder) } }
    for (path, copy) in copies {
      try makeFolders(splitPath(copy).folder)
      let output = try AtomicOutput(copy) { _ in false }
      try output.write(contentOf: path)
      try output.commit(flushing: false)
    }
    let product = invocation.printedProduct.map { joinPath(folder, $0) }
    let result = ActionResult(
      try run(
        invocation, product: product, log: joinPath(folder, ActionStore.logName), yields: yields,
        progress)
    )
    // After power loss this file must not have the right size and no content.
    if result.exit == 0, isFlushing, let product { try syncFile(product) }
    return result
  }

  /// Runs a program until it ends, its time is over, or the run is stopped.
  ///
  /// - Parameters:
  ///   - product: The file for its output; nil to send that to the log.
  ///   - log: The file for its messages, whose middle is left out if there are many.
  ///   - progress: Called with the program's progress.
  private func run(
    _ invocation: Invocation, product: String?, log: String, yields: Bool,
    _ progress: @escaping (StageProgress) -> Void
  ) throws -> Ending {
    let command = invocation.command
    let messages = StageMessages(log: try BoundedLog(log), report: progress)
    defer { messages.finish() }
    let printed = try OutputPipe()
    let said = try OutputPipe()
    let printing = try product.map { path throws(CairnError) in try PrintedProduct(path) }
    let process = try Subprocess(
      command.first ?? "", Array(command.dropFirst()),
      standardOutput: .pipe(printing == nil ? said : printed), standardError: .pipe(said))
    if yields { process.yieldToOthers() }
    interruption.register(process)
    defer { interruption.forget(process) }
    var patience = Patience(
      timeoutSeconds: invocation.timeoutSeconds, graceSeconds: invocation.graceSeconds)
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

/// Decides when to ask a program to end, and when to kill it.
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
      // It has received the signal already.
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

/// The file for a stage's output that is its result.
private final class PrintedProduct {
  private let path: String
  private let descriptor: Int32
  private var bytes = 0
  private var failure: CairnError?

  init(_ path: String) throws(CairnError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
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

extension ActionResult {
  fileprivate init(_ ending: LocalExecutor.Ending) {
    let process = ending.process
    // A stopped program may still have ended with 0: its result must not be used.
    self.init(
      exit: ending.reason == nil ? process.exitStatus : nil, signal: process.signal,
      reason: ending.reason, wallSeconds: process.wallSeconds,
      cpuSeconds: process.use.cpuSeconds, peakBytes: process.use.peakBytes)
  }
}
