// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import DownloadCache
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Fetch

@Suite("Fetching into the cache, and files that move")
struct FetchTaskTests {
  private static let pbf = "\0\0\0\u{0D}\n\tOSMHeader and the rest"
  private static let tag = "ETag: \"v1\"\r\nLast-Modified: Mon, 02 Mar 2026 10:00:00 GMT\r\n"

  private let folder: TemporaryFolder
  private var cache: DownloadCache { DownloadCache(folder.file("cache")) }

  init() throws { folder = try TemporaryFolder() }

  private func answer(_ status: String, _ body: String, _ headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  private func task(_ url: String, sha256: String? = nil, output: String? = nil) -> FetchTask {
    FetchTask(
      download: Download(
        url: url, sha256: sha256, maximumBytes: 100_000, stallSeconds: 60, retries: 1),
      output: output.map(folder.file), cache: cache)
  }

  private func failure(_ task: FetchTask, wait: (Int) -> Void = { _ in }) -> CairnError? {
    do throws(CairnError) {
      _ = try task.run(progress: nil, wait: wait)
      return nil
    } catch { return error }
  }

  private func cachedNames() throws -> [String] {
    try folderContents(folder.file("cache/downloads"))
  }

  @Test("a file is added to the cache with what the server says of its version")
  func adds() throws {
    let server = try Server([answer("200 OK", Self.pbf, Self.tag)])
    var task = task(server.url("a"))
    task.download.content = .pbf
    guard case .downloaded(let done) = try task.run(progress: nil, wait: { _ in }) else {
      throw TestFailure("not downloaded")
    }
    #expect(done.tag == "\"v1\"")
    #expect(done.lastModified == "Mon, 02 Mar 2026 10:00:00 GMT")
    #expect(try cachedNames() == [SHA256Digest.ofText(Self.pbf)])
    #expect(try folderContents(folder.file("cache/partial")) == [])
  }

  @Test("a version that is known is asked for, and is not downloaded again")
  func asksForChanges() throws {
    let server = try Server(["HTTP/1.1 304 Not Modified\r\n\(Self.tag)\r\n"])
    var task = task(server.url("a"))
    task.download.known = .init(tag: "\"v1\"", lastModified: "Mon, 02 Mar 2026 10:00:00 GMT")
    #expect(try task.run(progress: nil, wait: { _ in }) == .unchanged)
    let request = try #require(server.requests.first)
    #expect(request.contains("If-None-Match: \"v1\"\r\n"))
    #expect(request.contains("If-Modified-Since: Mon, 02 Mar 2026 10:00:00 GMT\r\n"))
    #expect(try cachedNames() == [])
  }

  @Test("what an interrupted download of the new version left is continued, not asked about")
  func continuesTheNewVersion() throws {
    let new = "ETag: \"v2\"\r\n"
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\(new)\r\n0123456",
      answer("206 Partial Content", "789abcdef", "Content-Range: bytes 7-15/16\r\n\(new)"),
    ])
    var task = task(server.url("a"))
    task.download.known = .init(tag: "\"v1\"", lastModified: nil)
    guard case .downloaded(let done) = try task.run(progress: nil, wait: { _ in }) else {
      throw TestFailure("not downloaded")
    }
    #expect(done.resumedBytes == 0)
    #expect(try cachedNames() == [SHA256Digest.ofText("0123456789abcdef")])
    #expect(server.requests.last?.contains("If-None-Match") == false)
    #expect(server.requests.last?.contains("If-Range: \"v2\"\r\n") == true)
  }

  @Test("what is in the cache is not asked for, nor is anything offline")
  func takesFromTheCache() throws {
    let digest = SHA256Digest.ofText("content")
    cache.add(try folder.write("content", to: "file"), sha256: digest)
    let never = "http://127.0.0.1:1/never-asked"
    var task = task(never, sha256: digest, output: "out")
    #expect(
      try task.run(progress: nil, wait: { _ in }) == .cached(bytes: 7, sha256: digest))
    #expect(String(decoding: try folder.read("out"), as: UTF8.self) == "content")
    task = self.task(never, sha256: SHA256Digest.ofText("other"), output: "other")
    task.isOffline = true
    let error = try #require(failure(task))
    #expect(error.exitCode == .noInput)
    #expect(error.message.contains("--offline"))
  }

  @Test("a damaged file of the cache is fetched again")
  func replacesDamage() throws {
    let digest = SHA256Digest.ofText("content")
    try cache.prepare()
    try folder.write("CONTENT", to: "cache/downloads/\(digest)")
    let server = try Server([answer("200 OK", "content")])
    let task = task(server.url("a"), sha256: digest, output: "out")
    #expect(failure(task) == nil)
    #expect(String(decoding: try folder.read("out"), as: UTF8.self) == "content")
    #expect(try SHA256Digest.ofFile(cache.file(digest)) == digest)
  }

  @Test("a cache that cannot be used is no obstacle for a file with a name of its own")
  func doesWithoutCache() throws {
    try makeFolders(folder.file("cache"))
    try folder.write("mine", to: "cache/notes.txt")
    let server = try Server([answer("200 OK", "content"), answer("200 OK", "content")])
    #expect(failure(task(server.url("a"), output: "out")) == nil)
    #expect(String(decoding: try folder.read("out"), as: UTF8.self) == "content")
    #expect(failure(task(server.url("a")))?.code == .outputIsForeign)
  }

  @Test(
    "what is no data never gets into the cache",
    arguments: [
      (DownloadedContent.pbf, "<!DOCTYPE html>\n<html><title>Too much</title></html>"),
      (.pbf, "<?xml version=\"1.0\"?><osm></osm>"), (.pbf, "{}"), (.pbf, "\0"),
      (.overpass, " <HTML><body>No</body></html>"), (.overpass, "\0\0\0\u{0D}\n\tOSMHeader"),
      (
        .overpass,
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-\"><html><title>x</title></html>"
      ),
      (.answer, "{\"elements\": []}"), (.tile, "<html></html>"),
    ])
  func refusesOtherContent(kind: DownloadedContent, body: String) throws {
    let server = try Server([answer("200 OK", body)])
    var task = task(server.url("a"))
    task.download.content = kind
    let error = try #require(failure(task))
    #expect(error.code == .wrongContent)
    #expect(error.exitCode == .dataError)
    #expect(error.location?.file == server.url("a"))
    #expect(try cachedNames() == [])
  }

  private func sum(_ text: String) throws -> String {
    try Download.md5(ofFile: folder.write(text, to: "sum"))
  }

  @Test("the MD5 sum beside a file is compared, and a file that was just replaced is fetched again")
  func comparesSums() throws {
    let right = try sum("content")
    #expect(right == "9a0364b9e99bb480dd25e1f0284c8555")
    let server = try Server([
      answer("200 OK", "old one"), answer("200 OK", "\(right)  a.osm.pbf\n"),
      answer("200 OK", "content"), answer("200 OK", "\(right.uppercased())\n"),
    ])
    var task = task(server.url("a"))
    task.download.md5URL = server.url("a.md5")
    guard case .downloaded(let done) = try task.run(progress: nil, wait: { _ in }) else {
      throw TestFailure("not downloaded")
    }
    #expect(done.md5 == right)
    #expect(try cachedNames() == [SHA256Digest.ofText("content")])
    #expect(try folderContents(folder.file("cache/partial")) == [])
  }

  @Test(
    "a file with another MD5 sum, or without one, never gets into the cache",
    arguments: [
      ("00000000000000000000000000000000  a\n", CairnError.Code.wrongDigest),
      ("<html>no</html>", .wrongContent),
    ])
  func refusesOtherSums(text: String, code: CairnError.Code) throws {
    let server = try Server([
      answer("200 OK", "content"), answer("200 OK", text), answer("200 OK", "content"),
      answer("200 OK", text),
    ])
    var task = task(server.url("a"))
    task.download.md5URL = server.url("a.md5")
    let error = try #require(failure(task))
    #expect(error.code == code)
    #expect(error.exitCode == .dataError)
    #expect(try cachedNames() == [])
  }

  @Test("another digest than that of a lock file says how to go on")
  func explainsLocks() throws {
    let server = try Server([answer("200 OK", "new")])
    var task = task(server.url("a"), sha256: SHA256Digest.ofText("old"), output: "out")
    task.isLocked = true
    let error = try #require(failure(task))
    #expect(error.code == .wrongDigest)
    #expect(error.hint?.contains("--frozen") == true)
    #expect(try cachedNames() == [])
  }

  @Test("a server that asks to wait is obeyed")
  func waits() throws {
    let server = try Server([
      answer("429 Too Many Requests", "", "Retry-After: 17\r\n"), answer("200 OK", "content"),
    ])
    var waits: [Int] = []
    #expect(failure(task(server.url("a"))) { waits.append($0) } == nil)
    #expect(waits == [17])
  }

  @Test("a date to wait for counts from now")
  func waitsForDates() throws {
    let server = try Server([
      answer(
        "503 Service Unavailable", "", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"),
      answer("200 OK", "content"),
    ])
    var task = task(server.url("a"))
    task.download.now = { 784_111_777 - 60 }
    var waits: [Int] = []
    #expect(failure(task) { waits.append($0) } == nil)
    #expect(waits == [60])
  }

  @Test("a server that asks to wait for too long gets no further request, and the error says when")
  func waitsNoLonger() throws {
    let server = try Server([answer("504 Gateway Timeout", "", "Retry-After: 7200\r\n")])
    var task = task(server.url("a"))
    task.download.now = { 1_767_225_600 }
    var waits: [Int] = []
    let error = try #require(failure(task) { waits.append($0) })
    #expect(error.exitCode == .temporaryFailure)
    #expect(error.hint == "run again after 2026-01-01T02:00:00Z")
    #expect(waits == [])
  }

  @Test(
    "what a server says of waiting never does harm",
    arguments: [
      ("99999999999999999999999", Int.max as Int?), ("0", 1), ("-5", nil), ("soon", nil),
      ("", nil), ("1e9", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 1),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799 - 1_767_225_600),
    ])
  func readsRetryAfter(text: String, seconds: Int?) {
    #expect(RetryAfter.seconds(text, now: 1_767_225_600) == seconds)
  }

  @Test("headers of a hostile server are cut down to plain text")
  func readsHostileHeaders() {
    var head = ResponseHead()
    head.read(line: "HTTP/1.1 200 OK\r\n")
    for line in [
      "ETag: \"a\u{1}b\"\r\n", "ETag: \(String(repeating: "x", count: 300))\r\n",
      "Last-Modified: \u{7F}\r\n", "Content-Length: -1\r\n", "Retry-After:\r\n", ":\r\n", "\r\n",
    ] { head.read(line: line) }
    #expect(head.tag == nil)
    #expect(head.lastModified == nil)
    #expect(head.validator == nil)
    #expect(head.totalBytes == nil)
    head.read(line: "ETag: W/\"weak\"\r\n")
    #expect(head.tag == "W/\"weak\"")
    #expect(head.validator == nil)
  }

  @Test("a server that says nothing is given up, and asked again")
  func givesUpSlowServers() throws {
    // On a busy machine an answer may take too long, too.
    let server = try Server([""] + Array(repeating: answer("200 OK", "content"), count: 9))
    var task = task(server.url("a"))
    task.download.stallSeconds = 2
    task.download.retries = 8
    var waits: [Int] = []
    #expect(failure(task) { waits.append($0) } == nil)
    #expect(waits.first == 2)
    #expect(try cachedNames() == [SHA256Digest.ofText("content")])
  }

  @Test("a server that sends four bytes a second is given up, and what came is kept")
  func givesUpTricklingServers() throws {
    // The whole of it would arrive in time.
    let body = String(repeating: "x", count: 60)
    let answer = Array(answer("200 OK", body, Self.tag).utf8)
    let server = try Server(requests: 1, trickles: true) { _, _ in answer }
    var task = task(server.url("a"))
    task.download.stallSeconds = 1
    task.download.retries = 0
    let error = failure(task)
    #expect(error?.code == .cannotFetch && error?.exitCode == .temporaryFailure)
    #expect(error?.hint == "run again to continue; the downloaded part is kept")
    #expect(try cachedNames() == [])
    #expect(try folderContents(folder.file("cache/partial")).isEmpty == false)
  }

  @Test("a URL that leads elsewhere gives the version of what it leads to")
  func followsRedirections() throws {
    let server = try Server([
      answer("302 Found", "", "Location: /dated\r\nETag: \"moved\"\r\nRetry-After: 9\r\n"),
      answer("200 OK", "content", "ETag: \"dated\"\r\n"),
    ])
    guard
      case .downloaded(let done) = try task(server.url("latest")).run(
        progress: nil, wait: { _ in })
    else { throw TestFailure("not downloaded") }
    #expect(done.tag == "\"dated\"")
    #expect(server.requests.last?.hasPrefix("GET /dated ") == true)
  }

  @Test("a length that is not that of the file is noticed by the MD5 sum")
  func noticesWrongLengths() throws {
    let sum = try sum("content")
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ncontent"
    let server = try Server([
      short, answer("200 OK", sum), short, answer("200 OK", sum),
    ])
    var task = task(server.url("a"))
    task.download.md5URL = server.url("a.md5")
    #expect(failure(task)?.code == .wrongDigest)
    #expect(try cachedNames() == [])
  }

  @Test("whatever a server says, it is read or ignored")
  func survivesAnyHeaders() throws {
    var random = SeededGenerator(seed: 7)
    let names = ["ETag", "Retry-After", "Content-Length", "Content-Range", "HTTP/1.1", "x"]
    let pieces = [
      "W/", "\"", "bytes ", "0-", "/", "*", "-1", "18446744073709551616", "Sun, 06 Nov 1994",
      " 25:61:61", "GMT", "\u{0}", "\u{FFFD}", ":", " ", "9", "\r", "\t", "é",
    ]
    var head = ResponseHead()
    for _ in 0..<20_000 {
      let name = names.randomElement(using: &random) ?? ""
      let value = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      head.read(line: "\(name): \(value)\r\n")
      if let seconds = RetryAfter.seconds(value, now: 1_767_225_600) { #expect(seconds >= 1) }
      #expect(head.totalBytes ?? 0 >= 0)
      #expect(head.tag?.utf8.allSatisfy { 0x20...0x7E ~= $0 } ?? true)
      _ = Download.sum(in: value)
      _ = DownloadCache.location { _ in value }
    }
  }

  @Test("any content is taken or refused with an error of ours")
  func survivesAnyContent() throws {
    var random = SeededGenerator(seed: 8)
    let pieces = [
      "<?xml", "<osm>", "</osm>", "<remark>", "<remark", "<html", "<title>", "osm_base=\"", "2026-",
      "OSMHeader", "\u{0}", "\u{FEFF}", " ", ">", "é",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let path = try folder.write(text, to: "content")
      for kind in DownloadedContent.allCases {
        do throws(CairnError) { _ = try kind.check(path) } catch {
          #expect(error.code == .wrongContent)
        }
      }
    }
  }

  private static let answerText = """
    <?xml version="1.0" encoding="UTF-8"?>
    <osm version="0.6" generator="Overpass API">
    <meta osm_base="2026-03-02T10:11:12Z"/>
    <node id="1" lat="42" lon="1"/>
    </osm>

    """

  private func query(_ server: Server) throws -> FetchTask {
    var task = task(server.url("api/interpreter"))
    task.download.body = "data=" + formEncoded(Array("way[\"a\"~\"^(b|c)$\"];\nout;".utf8))
    task.download.content = .answer
    return task
  }

  @Test("a query is posted as a form, and its answer says how old the data is")
  func posts() throws {
    let server = try Server([answer("200 OK", Self.answerText)])
    guard case .downloaded(let done) = try query(server).run(progress: nil, wait: { _ in }) else {
      throw TestFailure("not downloaded")
    }
    #expect(done.dataTimestamp == "2026-03-02T10:11:12Z")
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("POST /api/interpreter HTTP/1.1\r\n"))
    #expect(request.contains("User-Agent: cairn/\(cairnVersion)\r\n"))
    #expect(request.hasSuffix("data=way%5B%22a%22%7E%22%5E%28b%7Cc%29%24%22%5D%3B%0Aout%3B"))
  }

  @Test(
    "an answer that is not whole never gets into the cache",
    arguments: [
      answerText.replacing(
        "</osm>",
        with: "<remark> runtime error: Query timed out in \"query\" at line 3 </remark></osm>"),
      String(answerText.dropLast(20)),
    ])
  func refusesBadAnswers(text: String) throws {
    let server = try Server([answer("200 OK", text)])
    let error = try #require(failure(query(server)))
    #expect(error.code == .wrongContent)
    #expect(error.exitCode == .temporaryFailure)
    if text.contains("remark") { #expect(error.message.contains("Query timed out in")) }
    #expect(try cachedNames() == [])
  }

  @Test("a query that was cut is posted again from the beginning")
  func postsAgain() throws {
    let server = try Server([
      answer("429 Too Many Requests", "", "Retry-After: 3\r\n"),
      "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nETag: \"v\"\r\n\r\n<?xml",
      answer("200 OK", Self.answerText),
    ])
    var waits: [Int] = []
    #expect(failure(try query(server)) { waits.append($0) } == nil)
    #expect(waits == [3, 2])
    #expect(server.requests.allSatisfy { !$0.contains("Range:") })
    #expect(try cachedNames() == [SHA256Digest.ofText(Self.answerText)])
  }
}
