// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import DownloadCache
import Glibc
import SystemIO

/// The task of `cairn-fetch`: get a file from the cache or the network to a path, or into the cache
/// only.
struct FetchTask {
  /// How it ended.
  enum Ending: Equatable {
    /// The file was in the cache.
    case cached(bytes: Int, sha256: String)
    case downloaded(Download.Outcome)
    /// The server still has the known version.
    case unchanged
  }

  /// The concurrent queries allowed for a machine at Overpass servers; see
  /// https://dev.overpass-api.de/overpass-doc/en/preface/commons.html.
  static let queryLimit = 2

  var download: Download
  /// The output path; nil to put the file into the cache only.
  var output: String?
  /// The path of the partial file without a cache; nil for the default.
  var partial: String?
  var cache: DownloadCache?
  var isOffline = false
  var isLocked = false

  init(download: Download, output: String?, cache: DownloadCache?) {
    self.download = download
    self.output = output
    self.cache = cache
  }

  /// Reads the options of the command.
  init(_ arguments: Arguments) throws(CairnError) {
    let sha256 = arguments.value("sha256")?.lowercased()
    if let sha256, !isDigest(sha256) {
      throw arguments.usageError("--sha256 takes 64 hexadecimal digits, not “\(sha256)”")
    }
    download = Download(
      url: try arguments.required("url"), sha256: sha256,
      maximumBytes: try arguments.integer("max-bytes", in: 1...1_000_000_000_000_000)
        ?? 200_000_000_000,
      stallSeconds: try arguments.integer("stall", in: 1...3600) ?? 60,
      retries: try arguments.integer("retries", in: 0...100) ?? 3)
    download.longestWait = try arguments.integer("max-wait", in: 0...86_400) ?? 600
    for name in ["unless-tag", "unless-date", "md5"] {
      // A line break would begin another header.
      if let value = arguments.value(name), !value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
        throw arguments.usageError("--\(name) takes plain text")
      }
    }
    download.known = .init(
      tag: arguments.value("unless-tag"), lastModified: arguments.value("unless-date"))
    download.md5URL = arguments.value("md5")
    let kinds = DownloadedContent.allCases.map(\.rawValue)
    download.content = try arguments.choice("content", of: kinds).flatMap {
      DownloadedContent(rawValue: $0)
    }
    if let path = arguments.value("query") {
      let text = try InputFile(path).readAll(limit: 1 << 20)
      download.body = "data=" + formEncoded(text)
    }
    output = arguments.value("output")
    partial = arguments.value("partial")
    cache = arguments.value("cache").map { DownloadCache($0) }
    isOffline = arguments.has("offline")
    isLocked = arguments.has("locked")
    download.isHeadOnly = arguments.has("head")
    guard output != nil || cache != nil || download.isHeadOnly else {
      throw arguments.usageError("--output is required, or --cache to only add the file to it")
    }
    if isOffline, sha256 == nil || cache == nil {
      throw arguments.usageError("--offline needs --sha256 and --cache")
    }
  }

  /// Asks the server whether it has the file, once. Returns the size that it states; nil if it states
  /// none. Throws as a download would.
  func head() throws(CairnError) -> Int? {
    let folder = try newFolder(named: joinPath(temporaryFolder(), "cairn-head-"))
    defer { removeTree(folder) }
    let transfer = Transfer(download, try PartialFile(joinPath(folder, "none")), nil)
    try transfer.run()
    return transfer.response.totalBytes
  }

  /// Runs the task.
  ///
  /// - Parameter wait: Called with the seconds to wait before a retry.
  func run(progress: Progress?, wait: (Int) -> Void) throws(CairnError) -> Ending {
    if let done = try fromCache() { return done }
    if isOffline {
      throw CairnError(
        .cannotFetch, .noInput,
        "is not in the cache of downloads, and --offline forbids downloading it",
        at: Location(file: download.shownURL), hint: "run once without --offline")
    }
    do throws(CairnError) {
      guard let cache = usableCache else { return try withoutCache(progress, wait) }
      // While the slot is held, no third query begins.
      let place =
        download.body == nil
        ? nil
        : try cache.place(
          "query", of: Self.queryLimit, waitingSeconds: download.longestWait, wait: wait)
      defer { withExtendedLifetime(place) {} }
      return try into(cache, progress, wait)
    } catch {
      guard isLocked, error.code == .wrongDigest else { throw error }
      var error = error
      error.message = "has a newer version than the one in the lock file: \(error.message)"
      error.hint = "run without --frozen to use it and renew the lock file"
      throw error
    }
  }

  private func fromCache() throws(CairnError) -> Ending? {
    guard let cache, let sha256 = download.sha256 else { return nil }
    if let output {
      return try cache.take(sha256, as: output).map { .cached(bytes: $0, sha256: sha256) }
    }
    guard cache.has(sha256), try SHA256Digest.ofFile(cache.file(sha256)) == sha256 else {
      return nil
    }
    return .cached(bytes: try InputFile(cache.file(sha256)).size, sha256: sha256)
  }

  /// The cache, if it is writable. A file with an output path does not depend on it.
  private var usableCache: DownloadCache? {
    guard let cache, output == nil || (try? cache.prepare()) != nil else { return nil }
    return cache
  }

  private func withoutCache(_ progress: Progress?, _ wait: (Int) -> Void) throws(CairnError)
    -> Ending
  {
    guard let output else { return .unchanged }
    if AtomicOutput.isStream(output) { return try toStream(output, progress, wait) }
    let done = try download.run(
      partial: partial ?? output + ".part", progress: progress, wait: wait
    ) { _ in output }
    return done.map { .downloaded($0) } ?? .unchanged
  }

  /// Writes the complete file to a pipe or a device.
  private func toStream(_ output: String, _ progress: Progress?, _ wait: (Int) -> Void)
    throws(CairnError) -> Ending
  {
    let folder = try newFolder(named: joinPath(temporaryFolder(), "cairn-fetch-"))
    let (part, whole) = (joinPath(folder, "part"), joinPath(folder, "whole"))
    defer {
      for path in [part, part + ".state", whole] { unlink(path) }
      rmdir(folder)
    }
    guard
      let done = try download.run(
        partial: part, progress: progress, wait: wait, output: { _ in whole })
    else { return .unchanged }
    try DownloadCache.copy(whole, to: output)
    return .downloaded(done)
  }

  private func into(_ cache: DownloadCache, _ progress: Progress?, _ wait: (Int) -> Void)
    throws(CairnError) -> Ending
  {
    try cache.prepare()
    let path = cache.partialFile(download.sha256 ?? download.identity)
    var waited = 0
    while true {
      do throws(CairnError) {
        let done = try download.run(partial: path, progress: progress, wait: wait) {
          cache.file($0.sha256)
        }
        guard let done else { return .unchanged }
        cache.protect(done.sha256)
        if let output { _ = try cache.take(done.sha256, as: output, isChecked: true) }
        return .downloaded(done)
      } catch {
        // Another process is downloading the same file: its result will be in the cache.
        guard error.code == .isLocked, waited < download.longestWait else { throw error }
        wait(1)
        waited += 1
        if let done = try fromCache() { return done }
      }
    }
  }
}

/// Text as a value of a form: `application/x-www-form-urlencoded`.
func formEncoded(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      text.append(byte)
    case UInt8(ascii: " "): text.append(UInt8(ascii: "+"))
    default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: text, as: UTF8.self)
}
