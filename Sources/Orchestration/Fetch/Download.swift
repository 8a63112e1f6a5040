// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Formatting
import SystemIO

extension CairnError.Code {
  /// A URL that cannot be downloaded.
  package static let cannotFetch: Self = "cannot-fetch"
  /// The downloaded file is not the one that was asked for.
  package static let wrongDigest: Self = "wrong-digest"
}

/// A file to download from an `https`, `http` or `file` URL.
///
/// The bytes are kept in a partial file until it is complete and has the right digest; the next
/// attempt continues one that was interrupted, provided that the server still has the same version
/// of the file. Without a digest that is known only from an entity tag or a date of change; where
/// the server gives neither, the download starts over.
package struct Download: Sendable {
  /// Where the file is.
  package var url: String
  /// The required SHA-256 in lowercase hexadecimal digits; nil to accept any.
  package var sha256: String?
  /// The largest accepted size.
  package var maximumBytes: Int
  /// Seconds without a byte, or without a connection, after which an attempt is given up.
  package var stallSeconds: Int
  /// How many further attempts follow a temporary failure within one call.
  package var retries: Int

  /// Describes a download.
  package init(
    url: String, sha256: String?, maximumBytes: Int, stallSeconds: Int = 60, retries: Int = 3
  ) {
    self.url = url
    self.sha256 = sha256
    self.maximumBytes = maximumBytes
    self.stallSeconds = stallSeconds
    self.retries = retries
  }

  /// The URL as it may be shown.
  var shownURL: String { redactedURL(url) }

  /// The result of a download.
  package struct Outcome: Equatable, Sendable {
    /// The size of the file.
    package var bytes: Int
    /// Its SHA-256.
    package var sha256: String
    /// How many of the bytes came from an earlier attempt.
    package var resumedBytes: Int
  }

  /// Downloads the file into `partial` and then renames that to `output`; both must lie in one
  /// file system.
  ///
  /// Throws 65 if the file is too large, empty or has another digest, 66 if the server does not
  /// serve it, 75 for a temporary failure, 78 for an invalid URL, 73 or 74 if the file cannot be
  /// written or if another program wrote `partial`.
  package func run(
    partial path: String, output: String, progress: Progress? = nil,
    wait: (_ seconds: Int) -> Void
  ) throws(CairnError) -> Outcome {
    let file = try PartialFile(path)
    // It may be complete: a process that was killed before it could rename it.
    if file.size > 0, sha256 != nil {
      let done = try outcome(file, resumed: file.size)
      if done.sha256 == sha256 {
        try file.commit(as: output)
        return done
      }
    }
    var (resumed, isPieced) = try transfer(into: file, progress, wait)
    if isPieced, let sha256, try SHA256Digest.ofFile(path) != sha256 {
      // The first piece was of another version of the file.
      try file.clear()
      (resumed, isPieced) = try transfer(into: file, progress, wait)
    }
    let done = try outcome(file, resumed: resumed)
    if let sha256, done.sha256 != sha256 {
      try file.clear()
      throw CairnError(
        .wrongDigest, .dataError,
        "has the SHA-256 \(done.sha256), not \(sha256)", at: Location(file: shownURL),
        hint: "the file was replaced, or damaged on its way; if the new one is meant, put its "
          + "digest into the manifest")
    }
    guard done.bytes > 0 else {
      throw CairnError(
        .emptyFile, .dataError, "is empty", at: Location(file: shownURL),
        hint: "is the URL right?")
    }
    try file.commit(as: output)
    return done
  }

  private func outcome(_ file: PartialFile, resumed: Int) throws(CairnError) -> Outcome {
    Outcome(
      bytes: file.size, sha256: try SHA256Digest.ofFile(file.path), resumedBytes: resumed)
  }

  /// Downloads what is missing, with further attempts after temporary failures; returns how many
  /// of the bytes were in the partial file before, and whether the file came in several pieces.
  private func transfer(
    into file: PartialFile, _ progress: Progress?, _ wait: (Int) -> Void
  ) throws(CairnError) -> (resumed: Int, isPieced: Bool) {
    var attempt = 0
    var resumed = file.size
    while true {
      let before = file.size
      do throws(CairnError) {
        let transfer = Transfer(self, file, progress)
        try transfer.run()
        return transfer.startedOver ? (0, false) : (resumed, before > 0)
      } catch {
        guard error.exitCode == .temporaryFailure else { throw error }
        if file.size < resumed { resumed = 0 }
        // As long as bytes arrive, however slowly, another attempt is worthwhile.
        attempt = file.size > before ? 1 : attempt + 1
        guard attempt <= retries else { throw error }
        wait(1 << min(attempt, 6))
      }
    }
  }
}
