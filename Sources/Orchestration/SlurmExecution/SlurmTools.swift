// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Execution
import Glibc
import SystemIO

extension CairnError.Code {
  /// Slurm is missing, or refuses.
  package static let slurm: Self = "slurm"
}

/// Slurm's own programs: `sbatch`, `squeue` and `scancel`.
package struct SlurmTools: Sendable {
  /// The most that one of them may print: a line of some hundred bytes for each job.
  private static let outputLimit = 64 << 20
  /// Parts of Slurm's messages for failures after which the same command may succeed later.
  private static let passingFaults = [
    "contact slurm controller", "contact controller", "timed out", "temporar", "connect failure",
    "connection refused", "try again", "retrying", "zero bytes", "send/recv", "socket",
  ]

  /// The folders where the programs are looked for, as `PATH` lists them.
  package let searchPath: String
  /// How long one of the programs may take; they try for a minute to reach the cluster.
  package var timeoutSeconds = 90.0

  /// Throws 78 if a program is missing.
  package func check() throws(CairnError) {
    for name in ["sbatch", "squeue", "scancel"] { _ = try path(of: name) }
  }

  /// Submits a job of one task on one node and returns its id.
  ///
  /// - Parameters:
  ///   - name: The job's name: letters, digits, points and hyphens.
  ///   - folder: Where it runs and leaves `slurm.log`; an absolute path.
  ///   - predecessor: The job that must succeed before this one begins. If it fails, Slurm removes
  ///     this one.
  func submit(
    _ script: String, name: String, folder: String, _ limits: AttemptLimits,
    after predecessor: String? = nil
  ) throws(CairnError) -> String {
    // A lost node ends the job: the orchestrator counts attempts. The log has no path, in which
    // sbatch would replace each %.
    let options =
      ["--parsable", "--job-name=\(name)", "--chdir=\(folder)", "--output=\(SlurmAttempt.logName)"]
      + ["--no-requeue", "--nodes=1", "--ntasks=1"] + limits.sbatchOptions
    let order =
      predecessor.map { ["--dependency=afterok:\($0)", "--kill-on-invalid-dep=yes"] } ?? []
    let printed = try run("sbatch", options + order + [script])
    // NUMBER or NUMBER;CLUSTER
    let id = printed.split(whereSeparator: \.isNewline).last?.prefix { $0 != ";" } ?? ""
    guard !id.isEmpty, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw CairnError(
        .slurm, .configuration,
        "sbatch printed no job id but “\(printable(String(printed.prefix(80))))”",
        hint: "is the sbatch in PATH from Slurm?")
    }
    return String(id)
  }

  /// This user's jobs, including those that ended in the last minutes.
  package func queue() throws(CairnError) -> [SlurmJob] {
    let printed = try run(
      "squeue",
      ["--noheader", "--states=all", "--user=\(getuid())", "--format=%i|%T|%j|%r"])
    return printed.split(whereSeparator: \.isNewline).compactMap { SlurmJob(line: $0) }
  }

  /// Cancels jobs by their ids.
  package func cancel(_ ids: [String]) throws(CairnError) {
    if !ids.isEmpty { _ = try run("scancel", ids) }
  }

  /// Cancels this user's jobs of a name.
  package func cancel(named name: String) throws(CairnError) {
    _ = try run("scancel", ["--name=\(name)", "--user=\(getuid())"])
  }

  private func path(of name: String) throws(CairnError) -> String {
    for folder in searchPath.split(separator: ":") {
      let path = joinPath(String(folder), name)
      if access(path, X_OK) == 0 { return path }
    }
    throw CairnError(
      .slurm, .configuration, "no \(name) in PATH",
      hint: "install Slurm's commands (Debian: slurm-client), load their module, "
        + "or run with --executor local")
  }

  private func run(_ name: String, _ arguments: [String]) throws(CairnError) -> String {
    let printed = try OutputPipe()
    let said = try OutputPipe()
    let process = try Subprocess(
      try path(of: name), arguments, standardOutput: .pipe(printed), standardError: .pipe(said))
    let start = monotonicSeconds()
    var output: [UInt8] = []
    var messages: [UInt8] = []
    var isLate = false
    let ending = process.wait(reading: [printed, said]) { pipe, bytes in
      if pipe == 0, output.count < Self.outputLimit { output.append(contentsOf: bytes) }
      if pipe == 1, messages.count < 4096 { messages.append(contentsOf: bytes) }
    } tick: {
      guard monotonicSeconds() - start > timeoutSeconds else { return }
      isLate = true
      process.send(SIGKILL)
    }
    guard ending.exitStatus == 0 else {
      throw failure(name, ending, String(decoding: messages, as: UTF8.self), isLate: isLate)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func failure(
    _ name: String, _ ending: Subprocess.Ending, _ messages: String, isLate: Bool
  ) -> CairnError {
    let words = messages.split(whereSeparator: \.isNewline).suffix(3).joined(separator: "; ")
    let small = messages.lowercased()
    let isUnconfigured = ["configuration file", "configuration source"].contains {
      small.contains($0)
    }
    let isPassing =
      isLate || ending.exitStatus == nil
      || !isUnconfigured && Self.passingFaults.contains { small.contains($0) }
    let what =
      isLate
      ? "did not answer within \(roughDuration(timeoutSeconds))"
      : words.isEmpty ? "failed without a message" : "failed: \(printable(words))"
    let hint =
      isPassing
      ? "is slurmctld up? see scontrol ping"
      : isUnconfigured
        ? "this machine finds no cluster: set SLURM_CONF, or run with --executor local"
        : "see sinfo, and resources: in the manifest; "
          + "SBATCH_PARTITION and SBATCH_ACCOUNT choose partition and account"
    return CairnError(
      .slurm, isPassing ? .temporaryFailure : .configuration, "\(name) \(what)", hint: hint)
  }
}

extension AttemptLimits {
  /// The options of `sbatch` that set these limits.
  var sbatchOptions: [String] {
    var options = ["--cpus-per-task=\(threads)"]
    if let memoryMiB { options.append("--mem=\(memoryMiB)M") }
    if let timeSeconds { options.append("--time=\(Int((timeSeconds / 60).rounded(.up)))") }
    return options
  }
}

/// A line of Slurm's queue.
package struct SlurmJob: Equatable, Sendable {
  var id: String
  /// Such as `PENDING`, `RUNNING` or `NODE_FAIL`.
  var state: String
  var name: String
  /// Why it waits or ended, such as `Resources`; else `None`.
  var reason: String

  /// Reads `ID|STATE|NAME|REASON`; nil for anything else.
  init?(line: some StringProtocol) {
    let parts = line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty else { return nil }
    id = String(parts[0])
    state = String(parts[1])
    name = String(parts[2])
    reason = String(parts[3])
  }

  /// Whether it has yet to begin.
  var isWaiting: Bool { ["PENDING", "CONFIGURING", "SUSPENDED"].contains(state) }

  /// Whether it waits or runs.
  var isAlive: Bool {
    isWaiting
      || ["RUNNING", "COMPLETING", "STAGE_OUT", "RESIZING", "SIGNALING", "STOPPED"].contains(state)
  }

  /// Whether it will never begin with what it asks for.
  var isHopeless: Bool {
    state == "PENDING"
      && [
        "PartitionTimeLimit", "PartitionNodeLimit", "PartitionConfig", "BadConstraints",
        "DependencyNeverSatisfied", "InvalidAccount", "InvalidQOS", "JobHeldAdmin",
        "launch failed requeued held",
      ].contains(reason)
  }
}

extension SlurmTools {
  /// What `cairn doctor` says about Slurm.
  package static var finding: Finding {
    let names = ["sbatch", "squeue", "scancel"]
    let missing = names.filter { programInPath($0) == nil }
    if missing == names {
      return Finding(.good, "Slurm", "not installed; regions are built on this machine")
    }
    guard missing.isEmpty else {
      let list = listed(missing)
      return Finding(.note, "Slurm", "has no \(list) in PATH", fix: "put \(list) into PATH")
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    do throws(CairnError) {
      let jobs = try SlurmTools(searchPath: path, timeoutSeconds: 10).queue().filter(\.isAlive)
      return Finding(.good, "Slurm", "answers; \(jobs.count) jobs of yours are in the queue")
    } catch {
      return Finding(.note, "Slurm", error.message, fix: error.hint)
    }
  }
}
