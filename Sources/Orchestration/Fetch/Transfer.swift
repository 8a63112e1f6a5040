// SPDX-License-Identifier: Apache-2.0
import CCurl
import CommandLineKit
import Diagnostics
import Formatting
import SystemIO

/// One attempt to fetch a file, by libcurl.
final class Transfer {
  private static let redirectLimit = 8
  private static let badRange: Int = 416

  private let download: Download
  private let file: PartialFile
  private let progress: Progress?
  private var failure: CairnError?
  private var handle: UnsafeMutableRawPointer?

  init(_ download: Download, _ file: PartialFile, _ progress: Progress?) {
    self.download = download
    self.file = file
    self.progress = progress
  }

  deinit { curl_easy_cleanup(handle) }

  /// Adds what is missing to the file.
  func run() throws(CairnError) {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    handle = curl_easy_init()
    guard handle != nil else {
      throw CairnError(.cannotFetch, .software, "libcurl cannot be started")
    }
    let start = file.size
    progress?.begin("fetching", total: 0)
    let (code, message) = try perform()
    if let failure { throw failure }
    guard code != CURLE_OK else { return }
    var status = 0
    _ = cairn_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
    let cannotResume =
      code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME
      || code == CURLE_HTTP_RETURNED_ERROR && status == Self.badRange
    if start > 0, cannotResume {
      // Nothing more is there, or the server gives only all of it.
      try file.clear()
      throw error(CURLE_PARTIAL_FILE, 0, "the download cannot be continued and begins anew")
    }
    throw error(code, status, message)
  }

  private func perform() throws(CairnError) -> (code: CURLcode, message: String) {
    var codes: [CURLcode] = []
    func set(_ option: CURLoption, _ text: String) {
      codes.append(cairn_curl_set_text(handle, option, text))
    }
    func set(_ option: CURLoption, _ number: Int) {
      codes.append(cairn_curl_set_number(handle, option, number))
    }
    set(CURLOPT_URL, download.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https,file")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, Self.redirectLimit)
    set(CURLOPT_FAILONERROR, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_USERAGENT, "cairn/\(cairnVersion)")
    set(CURLOPT_CONNECTTIMEOUT, download.stallSeconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, download.stallSeconds)
    codes.append(
      cairn_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(download.maximumBytes)))
    codes.append(cairn_curl_set_size(handle, CURLOPT_RESUME_FROM_LARGE, curl_off_t(file.size)))
    codes.append(
      cairn_curl_set_writer(
        handle,
        { bytes, size, count, context in
          guard let bytes, let context else { return 0 }
          let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
          // libcurl says that the size is always 1.
          return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size &* count))
            ? size &* count : 0
        }, Unmanaged.passUnretained(self).toOpaque()))
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

  /// Whether the bytes could be taken.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
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

  private var tooLarge: CairnError {
    CairnError(
      .cannotFetch, .dataError, "has more than \(grouped(download.maximumBytes)) bytes",
      at: Location(file: download.url),
      hint: "is it the right file? max-size of the source raises the limit")
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
      // Timeouts and overload pass; that a file is not there does not.
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
      hint = "what has arrived is kept: run again to continue"
    default:
      exit = .temporaryFailure
    }
    return CairnError(
      .cannotFetch, exit, "cannot be fetched: \(message)", at: Location(file: download.url),
      hint: hint)
  }
}
