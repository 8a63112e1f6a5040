// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import SystemIO

extension CairnError.Code {
  /// A URL that cannot be downloaded.
  package static let cannotFetch: Self = "cannot-fetch"
  /// The server does not have the file.
  package static let notOnServer: Self = "not-on-server"
  /// The downloaded file is not the requested one.
  package static let wrongDigest: Self = "wrong-digest"
}

/// A file to download from an `https`, `http` or `file` URL.
///
/// The bytes are kept in a partial file until it is complete and has the right digest; the next
/// attempt resumes an interrupted one, if the server still has the same version of the file.
/// Without a digest, the entity tag or modification date shows that; if the server provides
/// neither, the download starts over.
package struct Download: Sendable {
  /// The URL of the file.
  package var url: String
  /// The required SHA-256 in lowercase hexadecimal digits; nil to accept any.
  package var sha256: String?
  /// The largest accepted size.
  package var maximumBytes: Int
  /// Seconds without a byte, or without a connection, after which an attempt is abandoned.
  package var stallSeconds: Int
  /// The number of retries after temporary failures without progress, in total; 0 for none.
  package var retries: Int
  /// The local version: if the server still has it, nothing is downloaded.
  package var known: KnownVersion?
  /// The form-encoded body to post to the URL; nil to get a file.
  package var body: String?
  /// The URL of the file's MD5 sum for comparison; nil for none.
  package var md5URL: String?
  /// The expected kind of content; nil for any.
  package var content: DownloadedContent?
  /// Whether only the headers are asked for, to know whether the server has the file.
  package var isHeadOnly = false
  /// The most seconds to wait in all because the server asks for it.
  package var longestWait = 600
  /// The present time in seconds since 1970.
  var now: @Sendable () -> Int = { time(nil) }

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

  /// A version of a file, as a server told it.
  package struct KnownVersion: Equatable, Sendable {
    /// Its entity tag.
    package var tag: String?
    /// The date of its last change.
    package var lastModified: String?

    /// Describes a version; nil if the server provided nothing.
    package init?(tag: String?, lastModified: String?) {
      guard tag != nil || lastModified != nil else { return nil }
      self.tag = tag
      self.lastModified = lastModified
    }
  }

  /// The digest of the request, since URLs may contain passwords.
  package var identity: String { SHA256Digest.ofText(url + (body.map { "\n\($0)" } ?? "")) }

  /// The URL for display.
  var shownURL: String { redactedURL(url) }

  /// The result of a download.
  package struct Outcome: Equatable, Sendable {
    /// The size of the file.
    package var bytes: Int
    /// Its SHA-256.
    package var sha256: String
    /// The number of bytes from an earlier attempt.
    package var resumedBytes: Int
    /// Its entity tag, if any.
    package var tag: String?
    /// Its modification date, if any.
    package var lastModified: String?
    /// Its MD5 sum, if it was compared.
    package var md5: String?
    /// The time of the data, for an Overpass answer.
    package var dataTimestamp: String?
  }

  /// Downloads the file into `partial` and then renames that to `output`; both must be in one file
  /// system.
  ///
  /// Throws 65 if the file is too large, of the wrong kind, or empty without the digest of an empty
  /// file, 66 if the server does not
  /// serve it, 75 for a temporary failure, 78 for an invalid URL, 73 or 74 if the file cannot be
  /// written or if another program wrote `partial`.
  package func run(
    partial path: String, output: String, progress: Progress? = nil,
    wait: (_ seconds: Int) -> Void
  ) throws(CairnError) -> Outcome {
    let done = try run(partial: path, progress: progress, wait: wait) { _ in output }
    guard let done else {
      throw CairnError(
        .cannotFetch, .noInput, "the server has no new version", at: Location(file: shownURL))
    }
    return done
  }

  /// The same, with a name that depends on the download. Returns nil if the server still has the
  /// ``known`` version.
  package func run(
    partial path: String, progress: Progress? = nil, wait: (_ seconds: Int) -> Void,
    output: (Outcome) -> String
  ) throws(CairnError) -> Outcome? {
    let file = try PartialFile(path)
    // It may be complete, if a process was killed before renaming it.
    if file.size > 0, sha256 != nil {
      let done = try outcome(file, resumed: file.size)
      if done.sha256 == sha256 {
        try file.commit(as: output(done))
        return done
      }
    }
    guard var received = try transfer(into: file, progress, wait) else { return nil }
    if received.isPieced, let sha256, try SHA256Digest.ofFile(path) != sha256 {
      // The first piece was of another version of the file.
      received = try transferAgain(into: file, progress, wait)
    }
    var md5: String?
    if let md5URL {
      do throws(CairnError) { md5 = try checkMD5(path, md5URL, wait) } catch {
        guard error.code == .wrongDigest else { throw error }
        // The server was just replacing the file, or the file was damaged on its way.
        received = try transferAgain(into: file, progress, wait)
        do throws(CairnError) { md5 = try checkMD5(path, md5URL, wait) } catch {
          if error.code == .wrongDigest { try file.clear() }
          throw error
        }
      }
    }
    var done = try outcome(file, resumed: received.resumed)
    if let sha256, done.sha256 != sha256 {
      try file.clear()
      throw CairnError(
        .wrongDigest, .dataError,
        "has the SHA-256 \(done.sha256), not \(sha256)", at: Location(file: shownURL),
        hint: "the file was replaced or damaged; to use the new one, put its digest into the "
          + "manifest")
    }
    // With a digest, the caller knows that it is: a stage may write an empty file.
    guard done.bytes > 0 || sha256 != nil else {
      throw CairnError(
        .emptyFile, .dataError, "is empty", at: Location(file: shownURL),
        hint: "is the URL right?")
    }
    do throws(CairnError) { done.dataTimestamp = try content?.check(path) } catch {
      try file.clear()
      var error = error
      error.location = Location(file: shownURL)
      throw error
    }
    (done.tag, done.lastModified, done.md5) =
      (received.head.tag, received.head.lastModified, md5)
    try file.commit(as: output(done))
    return done
  }

  private func outcome(_ file: PartialFile, resumed: Int) throws(CairnError) -> Outcome {
    Outcome(
      bytes: file.size, sha256: try SHA256Digest.ofFile(file.path), resumedBytes: resumed)
  }

  /// The download received from the server.
  private struct Received {
    /// The number of bytes that were in the partial file before.
    var resumed: Int
    /// Whether the file came in several pieces.
    var isPieced: Bool
    var head: ResponseHead
  }

  /// Downloads the whole file, dropping the partial one.
  private func transferAgain(
    into file: PartialFile, _ progress: Progress?, _ wait: (Int) -> Void
  ) throws(CairnError) -> Received {
    try file.clear()
    var again = self
    again.known = nil
    guard let received = try again.transfer(into: file, progress, wait) else {
      throw CairnError(
        .cannotFetch, .temporaryFailure, "was not sent", at: Location(file: shownURL))
    }
    return received
  }

  /// Downloads the missing part, with retries after temporary failures; nil if the server still has
  /// the known version.
  private func transfer(
    into file: PartialFile, _ progress: Progress?, _ wait: (Int) -> Void
  ) throws(CairnError) -> Received? {
    // Attempts without progress: no byte, or only bytes in place of others.
    var fruitless = 0
    var waited = 0
    var resumed = file.size
    while true {
      let before = file.size
      let transfer = Transfer(self, file, progress)
      do throws(CairnError) {
        try transfer.run()
        if transfer.isUnchanged { return nil }
        return Received(
          resumed: transfer.startedOver ? 0 : resumed,
          isPieced: !transfer.startedOver && before > 0, head: transfer.response)
      } catch {
        guard error.exitCode == .temporaryFailure else { throw error }
        let pause = RetryAfter.seconds(transfer.response.retryAfter, now: now())
        if let pause, pause > longestWait - waited { throw tooLong(error, pause) }
        if file.size < resumed { resumed = 0 }
        // As long as the file grows, however slowly, another attempt is worthwhile.
        if transfer.startedOver || file.size <= before { fruitless += 1 }
        guard retries > 0, fruitless <= retries else { throw error }
        wait(pause ?? 1 << min(max(fruitless, 1), 6))
        waited += pause ?? 0
      }
    }
  }

  /// The error for a server that requests a long pause.
  private func tooLong(_ error: CairnError, _ pause: Int) -> CairnError {
    var error = error
    let (time, isTooMuch) = now().addingReportingOverflow(pause)
    let date = isTooMuch ? nil : timestampText(seconds: Int64(time))
    error.message += "; the server asks to wait \(roughDuration(Double(pause)))"
    error.hint = "run again" + (date.map { " after \($0)" } ?? " much later")
    return error
  }
}
