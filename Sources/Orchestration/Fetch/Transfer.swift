// SPDX-License-Identifier: Apache-2.0
import CCurl
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import SystemIO

/// An attempt to download a file with libcurl.
final class Transfer {
  private static let redirectLimit = 8
  private static let rangeNotSatisfiable = 416
  private static let notModified = 304

  private let download: Download
  private let file: PartialFile
  private let progress: Progress?
  private var head = ResponseHead()
  private var failure: CairnError?
  private var handle: UnsafeMutableRawPointer?
  /// Whether the server was asked for the rest of the file only.
  private var asksForRest = false
  /// Whether bytes of this response were written, or may be.
  private var hasBegun = false

  /// Whether the bytes of earlier attempts were dropped.
  private(set) var startedOver = false
  /// Whether the server has the known version; then there are no bytes.
  private(set) var isUnchanged = false
  /// The server's description of the file.
  var response: ResponseHead { head }

  /// A server that stays below it for the time of a stall will not send the file either.
  private static let leastBytesPerSecond = 100

  init(_ download: Download, _ file: PartialFile, _ progress: Progress?) {
    self.download = download
    self.file = file
    self.progress = progress
  }

  deinit { curl_easy_cleanup(handle) }

  /// Adds the missing part to the file. When it returns, the file has the size stated by the
  /// server.
  func run() throws(CairnError) {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    progress?.begin("fetching", total: 0)
    try attempt()
    if head.status == Self.rangeNotSatisfiable, asksForRest {
      // The server has no more bytes than the partial file: it is complete, or of another version.
      try startOver()
      try attempt()
    }
  }

  /// A pipe would be waited for.
  private func checkLocalFile() throws(CairnError) {
    guard !isHTTP, let path = URL(string: download.url)?.path, pathExists(path), !isFile(path)
    else {
      return
    }
    throw CairnError(
      .cannotFetch, .noInput, "is not a regular file", at: Location(file: download.shownURL))
  }

  private func attempt() throws(CairnError) {
    try checkLocalFile()
    curl_easy_cleanup(handle)
    handle = curl_easy_init()
    guard handle != nil else {
      throw CairnError(.cannotFetch, .software, "libcurl cannot be started")
    }
    (head, hasBegun) = (ResponseHead(), false)
    // Without a validator or a digest, the rest may be of another version.
    let mayContinue =
      download.body == nil && (file.version?.validator != nil || download.sha256 != nil)
    let isSameURL = file.version?.urlDigest == download.identity
    if file.size > 0, !mayContinue || !isSameURL || !isHTTP { try startOver() }
    asksForRest = file.size > 0
    let (code, message) = try perform()
    if let failure { throw failure }
    var status = 0
    _ = cairn_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
    guard code == CURLE_OK else {
      if status == Self.rangeNotSatisfiable, asksForRest { return }
      throw error(code, status, message)
    }
    if download.isHeadOnly { return }
    try finish(status)
  }

  private var isHTTP: Bool { download.url.lowercased().hasPrefix("http") }

  /// Checks a response that ended without an error.
  private func finish(_ status: Int) throws(CairnError) {
    if !hasBegun, status == Self.notModified, download.known != nil, !asksForRest {
      isUnchanged = true
      return
    }
    if !hasBegun, ![0, 200, 206].contains(status) {
      throw CairnError(
        .cannotFetch, .noInput, "the server answered \(status), without the file",
        at: Location(file: download.shownURL))
    }
    // An empty response calls no writer.
    if !hasBegun, !begin(), let failure { throw failure }
    guard let total = file.version?.totalBytes, file.size != total else { return }
    let message = "ended after \(grouped(file.size)) of \(grouped(total)) bytes"
    if file.size > total { try startOver() }
    throw temporary(message)
  }

  private func startOver() throws(CairnError) {
    startedOver = true
    try file.clear()
  }

  private func perform() throws(CairnError) -> (code: CURLcode, message: String) {
    var codes: [CURLcode] = []
    func set(_ option: CURLoption, _ text: String) {
      codes.append(cairn_curl_set_text(handle, option, text))
    }
    func set(_ option: CURLoption, _ number: Int) {
      codes.append(cairn_curl_set_number(handle, option, number))
    }
    let isSecure = download.url.lowercased().hasPrefix("https:")
    set(CURLOPT_URL, download.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https,file")
    set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, Self.redirectLimit)
    set(CURLOPT_FAILONERROR, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_USERAGENT, "cairn/\(cairnVersion)")
    set(CURLOPT_CONNECTTIMEOUT, download.stallSeconds)
    set(CURLOPT_LOW_SPEED_LIMIT, Self.leastBytesPerSecond)
    set(CURLOPT_LOW_SPEED_TIME, download.stallSeconds)
    codes.append(
      cairn_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(download.maximumBytes)))
    if download.isHeadOnly { set(CURLOPT_NOBODY, 1) }
    if asksForRest { set(CURLOPT_RANGE, "\(file.size)-") }
    if let body = download.body {
      set(CURLOPT_POST, 1)
      codes.append(
        cairn_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.utf8.count)))
      set(CURLOPT_COPYPOSTFIELDS, body)
    }
    var headers: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(headers) }
    for line in conditions { headers = curl_slist_append(headers, line) }
    if headers != nil { codes.append(cairn_curl_set_headers(handle, headers)) }
    codes += callbacks()
    guard codes.allSatisfy({ $0 == CURLE_OK }) else {
      throw CairnError(
        .cannotFetch, .software, "libcurl refuses an option: \(String(cString: curl_version()))")
    }
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    buffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    defer { buffer.deallocate() }
    _ = cairn_curl_set_buffer(handle, CURLOPT_ERRORBUFFER, buffer)
    let code = curl_easy_perform(handle)
    _ = cairn_curl_set_buffer(handle, CURLOPT_ERRORBUFFER, nil)
    let detail = String(cString: buffer)
    return (code, detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
  }

  /// The headers that identify the local version of the file.
  private var conditions: [String] {
    if asksForRest { return file.version?.validator.map { ["If-Range: \($0)"] } ?? [] }
    guard let known = download.known, isHTTP else { return [] }
    // A server that knows tags ignores the date (RFC 9110, section 13.1.3).
    return (known.tag.map { ["If-None-Match: \($0)"] } ?? [])
      + (known.lastModified.map { ["If-Modified-Since: \($0)"] } ?? [])
  }

  /// Sets the functions that take the headers and the body.
  private func callbacks() -> [CURLcode] {
    let context = Unmanaged.passUnretained(self).toOpaque()
    // libcurl claims that the size is always 1.
    return [
      cairn_curl_set_writer(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
          return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size &* count))
            ? size &* count : 0
        }, context),
      cairn_curl_set_header_reader(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let line = UnsafeRawBufferPointer(start: bytes, count: size &* count)
          Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            .head.read(line: String(decoding: line, as: UTF8.self))
          return size &* count
        }, context),
    ]
  }

  /// Decides, when the first bytes of a body arrive, their offset in the file; false if they do not
  /// belong in it.
  private func begin() -> Bool {
    hasBegun = true
    do throws(CairnError) {
      switch head.status {
      case 206 where asksForRest:
        let version = file.version
        let isSame =
          head.rangeStart == file.size
          && (head.validator == nil || version?.validator == nil
            || head.validator == version?.validator)
          && (head.totalBytes == nil || version?.totalBytes == nil
            || head.totalBytes == version?.totalBytes)
        guard !isSame else { return true }
        try startOver()
        throw temporary("was replaced on the server while it was being downloaded")
      case 0, 200:
        if file.size > 0 { startedOver = true }
        try file.begin(
          .init(
            urlDigest: download.identity, validator: head.validator,
            totalBytes: head.totalBytes))
        return true
      default:
        throw CairnError(
          .cannotFetch, .noInput, "the server answered \(head.status), without the file",
          at: Location(file: download.shownURL))
      }
    } catch {
      failure = error
      return false
    }
  }

  /// Adds bytes of the body; false if that failed.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard hasBegun || begin() else { return false }
    guard bytes.count <= download.maximumBytes - file.size else {
      failure = tooLarge
      return false
    }
    do throws(CairnError) {
      try file.append(bytes)
      progress?.advance(by: bytes.count)
      return true
    } catch {
      failure = error
      return false
    }
  }

  private func temporary(_ message: String) -> CairnError {
    CairnError(
      .cannotFetch, .temporaryFailure, message, at: Location(file: download.shownURL),
      hint: "run again")
  }

  private var tooLarge: CairnError {
    CairnError(
      .cannotFetch, .dataError, "has more than \(grouped(download.maximumBytes)) bytes",
      at: Location(file: download.shownURL),
      hint: "is it the right file? Raise the limit with max-size of the source")
  }

  private func error(_ code: CURLcode, _ status: Int, _ message: String) -> CairnError {
    let exit: ExitCode
    var hint: String?
    switch code {
    case CURLE_FILESIZE_EXCEEDED: return tooLarge
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
      exit = .configuration
      hint = "URLs begin with https://, http:// or file://"
    case CURLE_HTTP_RETURNED_ERROR:
      // Timeouts and overload pass; a missing file does not appear by itself.
      let mayPass = status >= 500 || [408, 425, 429].contains(status)
      exit = mayPass ? .temporaryFailure : .noInput
      hint = status == 404 ? "has the file moved?" : nil
    case CURLE_FILE_COULDNT_READ_FILE, CURLE_TOO_MANY_REDIRECTS, CURLE_REMOTE_FILE_NOT_FOUND,
      CURLE_REMOTE_ACCESS_DENIED:
      exit = .noInput
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      exit = .noInput
      hint = "is the package ca-certificates installed, and the clock right?"
    case CURLE_OPERATION_TIMEDOUT:
      exit = .temporaryFailure
      hint = "run again to continue; the downloaded part is kept"
    default:
      exit = .temporaryFailure
    }
    let isMissing = code == CURLE_HTTP_RETURNED_ERROR && [404, 410].contains(status)
    return CairnError(
      isMissing || code == CURLE_FILE_COULDNT_READ_FILE ? .notOnServer : .cannotFetch, exit,
      "cannot be downloaded: \(message)", at: Location(file: download.shownURL),
      hint: hint)
  }
}
