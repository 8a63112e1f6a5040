import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

extension CairnError.Code {
  /// A URL that cannot be fetched.
  package static let cannotFetch: Self = "cannot-fetch"
  /// What was fetched is not what was asked for.
  package static let wrongDigest: Self = "wrong-digest"
}

/// A file to be fetched from a `https`, `http` or `file` URL.
///
/// What arrives is kept in a file of its own until it is whole and has the right digest; an
/// attempt that broke off is continued by the next one.
package struct Download: Sendable {
  /// Where it is.
  package var url: String
  /// The SHA-256 that it must have, in small hexadecimal digits; nil if any will do.
  package var sha256: String?
  /// The most bytes that are taken.
  package var maximumBytes: Int
  /// Seconds without a byte, or without a connection, after which an attempt is given up.
  package var stallSeconds: Int
  /// How often a fault that may pass is met by another attempt within one call.
  package var retries: Int

  /// Describes what to fetch.
  package init(
    url: String, sha256: String?, maximumBytes: Int, stallSeconds: Int = 60, retries: Int = 3
  ) {
    self.url = url
    self.sha256 = sha256
    self.maximumBytes = maximumBytes
    self.stallSeconds = stallSeconds
    self.retries = retries
  }

  /// What a download came to.
  package struct Outcome: Equatable, Sendable {
    /// Its size.
    package var bytes: Int
    /// Its SHA-256.
    package var sha256: String
    /// How many of the bytes were there from an earlier attempt.
    package var resumedBytes: Int
  }

  /// Fetches the file into `partial` and then gives it the name `output`; both must lie in one
  /// file system.
  ///
  /// Throws 65 if the file is too large or has another digest, 66 if the server does not give it,
  /// 75 for a fault that may pass, 78 for a URL that is none, 73 or 74 if it cannot be written.
  package func run(
    partial path: String, output: String, progress: Progress? = nil,
    wait: (_ seconds: Int) -> Void
  ) throws(CairnError) -> Outcome {
    let file = try PartialFile(path)
    let resumed = file.size
    // What is there may be whole: a process that was killed before it could say so.
    if resumed > 0, sha256 != nil {
      let done = try outcome(file, resumed: resumed)
      if done.sha256 == sha256 {
        try file.commit(as: output)
        return done
      }
    }
    try transfer(into: file, progress, wait)
    var kept = resumed
    if resumed > 0, let sha256, try SHA256Digest.ofFile(path) != sha256 {
      // The beginning was of another file, perhaps an older one.
      try file.clear()
      kept = 0
      try transfer(into: file, progress, wait)
    }
    let done = try outcome(file, resumed: kept)
    if let sha256, done.sha256 != sha256 {
      try file.clear()
      throw CairnError(
        .wrongDigest, .dataError,
        "has the SHA-256 \(done.sha256), and not \(sha256)", at: Location(file: url),
        hint: "the file was replaced or damaged on its way; if the new one is meant, put its "
          + "digest into the manifest")
    }
    try file.commit(as: output)
    return done
  }

  private func outcome(_ file: PartialFile, resumed: Int) throws(CairnError) -> Outcome {
    Outcome(
      bytes: file.size, sha256: try SHA256Digest.ofFile(file.path), resumedBytes: resumed)
  }

  /// Fetches what is missing, with further attempts after faults that may pass.
  private func transfer(
    into file: PartialFile, _ progress: Progress?, _ wait: (Int) -> Void
  ) throws(CairnError) {
    var attempt = 0
    while true {
      let before = file.size
      do throws(CairnError) {
        try Transfer(self, file, progress).run()
        return
      } catch {
        guard error.exitCode == .temporaryFailure else { throw error }
        // As long as it goes on, however slowly, it is worth another attempt.
        attempt = file.size > before ? 1 : attempt + 1
        guard attempt <= retries else { throw error }
        wait(1 << min(attempt, 6))
      }
    }
  }
}
