// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import DownloadCache
import Glibc
import SystemIO

/// A request to a server for a new version.
package struct FetchRequest: Equatable, Sendable {
  package var url: String
  package var maximumBytes: Int
  /// The local version, if any.
  package var tag: String?
  package var lastModified: String?
  package var md5URL: String?
  /// The kind of content, as named by `cairn-fetch --content`.
  package var content: String
  /// The query posted to the URL; nil to get a file.
  package var query: String?
  /// The required digest, if known.
  package var sha256: String?

  package init(
    url: String, maximumBytes: Int, tag: String? = nil, lastModified: String? = nil,
    md5URL: String? = nil, content: String, query: String? = nil, sha256: String? = nil
  ) {
    self.url = url
    self.maximumBytes = maximumBytes
    self.tag = tag
    self.lastModified = lastModified
    self.md5URL = md5URL
    self.content = content
    self.query = query
    self.sha256 = sha256
  }
}

/// The outcome of a request.
package enum FetchAnswer: Equatable, Sendable {
  /// There is no new version.
  case unchanged
  /// A file that is now in the cache.
  case received(ReceivedFile)
}

/// A file that was added to the cache.
package struct ReceivedFile: Equatable, Sendable {
  var sha256: String
  package var bytes: Int
  var tag: String?
  var lastModified: String?
  var md5: String?
  var dataTimestamp: String?

  package init(
    sha256: String, bytes: Int, tag: String? = nil, lastModified: String? = nil,
    md5: String? = nil, dataTimestamp: String? = nil
  ) {
    self.sha256 = sha256
    self.bytes = bytes
    self.tag = tag
    self.lastModified = lastModified
    self.md5 = md5
    self.dataTimestamp = dataTimestamp
  }
}

/// Queries servers by running `cairn-fetch`, so that only that program needs the network.
package struct FetchProcess: Sendable {
  let program: String
  let cache: DownloadCache
  let interruption: Interruption
  /// Called with the number of bytes received.
  var progress: @Sendable (FetchRequest, Int) -> Void = { _, _ in }

  /// Asks by a program whether a server has a file, without downloading it. Returns the size that it
  /// states; nil if it states none. Throws the errors reported by the program.
  package static func head(_ url: String, by program: String) throws(CairnError) -> Int? {
    let folder = try newFolder(named: joinPath(temporaryFolder(), "cairn-fetch-"))
    defer { removeTree(folder) }
    // What is not downloaded needs no cache.
    let process = FetchProcess(
      program: program, cache: DownloadCache(folder), interruption: Interruption())
    let output = try process.run(["--url", url, "--head", "--stall", "20"], in: folder) { _ in }
    guard case .integer(let bytes)? = output["bytes"] else { return nil }
    return bytes
  }

  /// Sends a request. Throws the errors reported by the program.
  func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer {
    let folder = try newFolder(named: joinPath(temporaryFolder(), "cairn-fetch-"))
    defer { removeTree(folder) }
    var arguments = [
      "--url", request.url, "--cache", cache.path, "--max-bytes", "\(request.maximumBytes)",
      "--content", request.content,
    ]
    for (name, value) in [
      ("unless-tag", request.tag), ("unless-date", request.lastModified),
      ("md5", request.md5URL), ("sha256", request.sha256),
    ] {
      if let value { arguments.append("--\(name)=\(value)") }
    }
    if let query = request.query {
      let path = joinPath(folder, "query")
      try writeCacheFile(Array(query.utf8), to: path)
      arguments += ["--query", path]
    }
    return try answer(run(arguments, in: folder) { progress(request, $0) })
  }

  /// Runs the program, and returns the output that it reports.
  private func run(
    _ arguments: [String], in folder: String, progress: @escaping @Sendable (Int) -> Void
  ) throws(CairnError) -> [String: JSONValue] {
    let report = joinPath(folder, "report.json")
    let status = try run(
      arguments + ["--report", report, "--progress", "json", "--parent", "\(getpid())"],
      log: joinPath(folder, "stderr.log"), progress: progress)
    guard let bytes = try? InputFile(report).readAll(limit: 1 << 20),
      let result = StageReport(json: bytes)
    else {
      let reason = lastError(joinPath(folder, "stderr.log"))
      throw CairnError(
        .sourceFailed, interruption.signal == nil ? .software : .temporaryFailure,
        reason ?? "cairn-fetch ended with \(status.map { "exit \($0)" } ?? "a signal")")
    }
    if let failure = result.error {
      throw CairnError(
        .init(rawValue: failure.code), ExitCode(rawValue: failure.exitCode) ?? .software,
        failure.message)
    }
    return result.output
  }

  private func answer(_ output: [String: JSONValue]) throws(CairnError) -> FetchAnswer {
    func text(_ key: String) -> String? {
      if case .text(let text)? = output[key] { return text }
      return nil
    }
    if case .boolean(true)? = output["isUnchanged"] { return .unchanged }
    guard let sha256 = text("sha256"), case .integer(let bytes)? = output["bytes"] else {
      throw CairnError(.sourceFailed, .software, "cairn-fetch did not report what it downloaded")
    }
    return .received(
      ReceivedFile(
        sha256: sha256, bytes: bytes, tag: text("tag"), lastModified: text("lastModified"),
        md5: text("md5"), dataTimestamp: text("dataTimestamp")))
  }

  private func run(
    _ arguments: [String], log: String, progress: @escaping @Sendable (Int) -> Void
  ) throws(CairnError) -> Int32? {
    let messages = StageMessages(log: try BoundedLog(log)) { progress($0.done) }
    defer { messages.finish() }
    let said = try OutputPipe()
    let process = try Subprocess(
      program, arguments, standardOutput: .nothing, standardError: .pipe(said))
    interruption.register(process)
    defer { interruption.forget(process) }
    return process.wait(reading: [said]) { _, bytes in messages.append(bytes) }.exitStatus
  }
}

extension CairnError.Code {
  /// The content of a source cannot be determined.
  static let sourceFailed: Self = "source-failed"
}
