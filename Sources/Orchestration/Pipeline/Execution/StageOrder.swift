// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// One run of a program for an attempt, here or elsewhere.
struct StageOrder: Codable, Equatable, Sendable {
  /// The path of the program, and its arguments.
  var command: [String]
  /// The name of the file in the attempt's folder that takes what the program prints, where that
  /// is its result.
  var printedProduct: String?
  /// The names of the files that it is to leave in the attempt's folder.
  var products: [String]
  /// Seconds after which it is stopped.
  var timeoutSeconds: Double
  /// Seconds from SIGTERM to SIGKILL.
  var graceSeconds: Double

  /// Runs the program on this machine, in the folder of its attempt.
  func run(
    in folder: String, _ executor: LocalExecutor, progress: @escaping (StageProgress) -> Void
  ) throws -> ActionResult {
    let product = printedProduct.map { joinPath(folder, $0) }
    let result = ActionResult(
      try executor.run(
        command, product: product, log: joinPath(folder, "stderr.log"),
        timeoutSeconds: timeoutSeconds, progress: progress))
    // Cairn's stages flush what they write. After a loss of power this must not have the right
    // size and nothing in it.
    if result.exit == 0, let product { try syncFile(product) }
    return result
  }
}

extension ActionResult {
  init(_ ending: LocalExecutor.Ending) {
    let process = ending.process
    // One that was stopped may still have ended well: its result is not to be used all the same.
    self.init(
      exit: ending.reason == nil ? process.exitStatus : nil, signal: process.signal,
      reason: ending.reason, wallSeconds: process.wallSeconds,
      cpuSeconds: process.use.cpuSeconds, peakBytes: process.use.peakBytes)
  }

  /// Sizes and digests of what a program left that ended well; nil if something is missing.
  static func outputs(_ names: [String], in folder: String) throws(CairnError)
    -> [String: FileRecord]?
  {
    var outputs: [String: FileRecord] = [:]
    for name in names {
      let path = joinPath(folder, name)
      guard isFile(path) else { return nil }
      outputs[name] = FileRecord(
        bytes: try InputFile(path).size, sha256: try SHA256Digest.ofFile(path))
    }
    return outputs
  }
}
