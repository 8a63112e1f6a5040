// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Fetch

@Suite("Fetching")
struct FetchTests {
  private let folder: TemporaryFolder
  private let content = "0123456789abcdef"

  init() throws { folder = try TemporaryFolder() }

  private func digest(_ text: String) throws -> String { SHA256Digest.ofText(text) }

  private func fetch(
    _ url: String, sha256: String?, limit: Int = 1000, retries: Int = 0
  ) throws(CairnError) -> Download.Outcome {
    try Download(
      url: url, sha256: sha256, maximumBytes: limit, stallSeconds: 60, retries: retries
    ).run(partial: folder.file("part"), output: folder.file("out")) { _ in }
  }

  private func failure(
    _ url: String, sha256: String? = nil, limit: Int = 1000
  ) -> CairnError? {
    do throws(CairnError) {
      _ = try fetch(url, sha256: sha256, limit: limit)
      return nil
    } catch { return error }
  }

  private func answer(_ status: String, _ body: String, _ headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  @Test("a server is asked whether it has a file, which is not downloaded")
  func head() throws {
    let server = try Server(requests: 2) { number, request in
      let isHead = request.hasPrefix("HEAD /a.pbf ")
      let status = isHead ? number == 0 ? "200 OK" : "404 Not Found" : "400 Bad Request"
      return Array("HTTP/1.1 \(status)\r\nContent-Length: 16\r\n\r\n".utf8)
    }
    let words = ["--url", server.url("a.pbf"), "--head", "--report", folder.file("r"), "-q"]
    #expect(CommandRunner.run(FetchCommand.self, words) == .success)
    let report = try text("r")
    #expect(report.contains(#""bytes" : 16"#), "\(report)")
    #expect(CommandRunner.run(FetchCommand.self, words) == .noInput)
    #expect(try folderContents(folder.path) == ["r"])
  }

  @Test("a file is fetched, checked and given its name, and nothing else is left")
  func fetches() throws {
    let server = try Server([answer("200 OK", content)])
    let done = try fetch(server.url("a.pbf"), sha256: digest(content))
    #expect(done == .init(bytes: 16, sha256: try digest(content), resumedBytes: 0))
    #expect(try text("out") == content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("a pipe at a file URL is an error, and not waited for")
  func pipes() throws {
    let path = folder.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let error = failure("file://\(path)")
    #expect(error?.exitCode == .noInput && error?.message == "is not a regular file")
    #expect(failure("file://\(folder.path)")?.message == "is not a regular file")
  }

  @Test("a file URL is fetched like any other")
  func fetchesFiles() throws {
    let path = try folder.write(content, to: "source")
    #expect(try fetch("file://\(path)", sha256: nil).sha256 == digest(content))
    #expect(failure("file:///nowhere/at/all")?.exitCode == .noInput)
  }

  @Test("what a broken connection left is kept and continued from")
  func resumes() throws {
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123456",
      answer("206 Partial Content", "789abcdef", "Content-Range: bytes 7-15/16\r\n"),
    ])
    let expected = try digest(content)
    let error = failure(server.url("a"), sha256: expected)
    #expect(error?.exitCode == .temporaryFailure)
    #expect(try text("part") == "0123456")
    #expect(!pathExists(folder.file("out")))
    let done = try fetch(server.url("a"), sha256: expected)
    #expect(done.resumedBytes == 7)
    #expect(try text("out") == content)
    #expect(server.requests.last?.contains("Range: bytes=7-\r\n") == true)
  }

  @Test("a fault that may pass is met by another attempt, which goes on where the first ended")
  func retries() throws {
    let server = try Server([
      answer("503 Service Unavailable", "busy"),
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123456",
      answer("206 Partial Content", "789abcdef", "Content-Range: bytes 7-15/16\r\n"),
    ])
    _ = try fetch(server.url("a"), sha256: digest(content), retries: 1)
    #expect(try text("out") == content)
    #expect(server.requests.count == 3)
  }

  @Test("a server that does not know ranges, and a beginning of another file, start the file over")
  func beginsAnew() throws {
    let first = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nXYZ",
      answer("200 OK", content),  // not 206: it is the whole file
    ])
    let done = try fetch(first.url("a"), sha256: digest(content), retries: 1)
    #expect(done.resumedBytes == 0)
    #expect(try text("out") == content)
    try FileManager.default.removeItem(atPath: folder.file("out"))

    let second = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nXYZ",
      answer("206 Partial Content", "3456789abcdef", "Content-Range: bytes 3-15/16\r\n"),
      answer("200 OK", content),
    ])
    _ = try fetch(second.url("a"), sha256: digest(content), retries: 1)
    #expect(try text("out") == content)
  }

  @Test("without a digest a download is continued only from the same version of the file")
  func continuesTheSameVersion() throws {
    let tag = "ETag: \"v1\"\r\n"
    let beginning = "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\(tag)\r\n0123456"
    let same = try Server([
      beginning,
      answer("206 Partial Content", "789abcdef", "Content-Range: bytes 7-15/16\r\n\(tag)"),
    ])
    #expect(failure(same.url("a"))?.exitCode == .temporaryFailure)
    #expect(try fetch(same.url("a"), sha256: nil).resumedBytes == 7)
    #expect(try text("out") == content)
    #expect(same.requests.last?.contains("If-Range: \"v1\"\r\n") == true)
  }

  @Test(
    "halves of two versions of a file never become one file",
    arguments: [
      // An honest server sends all of the new version, others its second half.
      "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"v2\"\r\n\r\nABCDEFGH",
      """
      HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\nETag: "v2"\r\n\
      Content-Range: bytes 7-7/8\r\n\r\nH
      """,
      """
      HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\nContent-Range: bytes 7-7/8\r\n\r\nH
      """,
      """
      HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\nContent-Range: bytes 0-0/16\r\n\r\nA
      """,
    ])
  func neverMixesVersions(second: String) throws {
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nETag: \"v1\"\r\n\r\n0123456", second,
      "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"v2\"\r\n\r\nABCDEFGH",
    ])
    let done = try fetch(server.url("a"), sha256: nil, retries: 2)
    #expect(done.resumedBytes == 0)
    #expect(try text("out") == "ABCDEFGH")
  }

  @Test("without a digest and without a version a download starts over")
  func startsOverWithoutAVersion() throws {
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123456", answer("200 OK", content),
    ])
    let done = try fetch(server.url("a"), sha256: nil, retries: 1)
    #expect(done.resumedBytes == 0)
    #expect(try text("out") == content)
    #expect(server.requests.last?.contains("Range:") == false)
  }

  @Test("a partial file that is longer than the source is dropped, and the source downloaded")
  func dropsWhatIsTooLong() throws {
    let tag = "ETag: \"v1\"\r\n"
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\(tag)\r\n0123456789abcdefgh",
      answer("416 Range Not Satisfiable", "", "Content-Range: bytes */16\r\n"),
      answer("200 OK", content, tag),
    ])
    #expect(failure(server.url("a"))?.exitCode == .temporaryFailure)
    #expect(try fetch(server.url("a"), sha256: nil).resumedBytes == 0)
    #expect(try text("out") == content)
  }

  @Test(
    "an answer without the file gives no file",
    arguments: ["204 No Content", "304 Not Modified", "203 Non-Authoritative Information"])
  func refusesAnswersWithoutAFile(status: String) throws {
    let server = try Server([answer(status, "")])
    #expect(failure(server.url("a"))?.exitCode == .noInput)
    #expect(!pathExists(folder.file("out")))
  }

  @Test("an empty file is an error")
  func refusesAnEmptyFile() throws {
    let server = try Server([answer("200 OK", "")])
    #expect(failure(server.url("a"))?.exitCode == .dataError)
    #expect(!pathExists(folder.file("out")))
  }

  @Test("an empty file is taken if its digest is given, as of a stage's empty result")
  func takesAnEmptyFile() throws {
    for _ in 0..<2 {
      let server = try Server([answer("200 OK", "")])
      #expect(failure(server.url("a"), sha256: try digest("")) == nil)
      #expect(try text("out") == "")
      try FileManager.default.removeItem(atPath: folder.file("out"))
    }
    let server = try Server([answer("200 OK", content)])
    #expect(failure(server.url("a"), sha256: try digest("")) != nil)
  }

  @Test("a partial file of another program is neither continued nor touched")
  func leavesForeignPartialFiles() throws {
    try folder.write("my notes", to: "part")
    for sha256 in [nil, try digest(content)] {
      let server = try Server([answer("200 OK", content)])
      #expect(failure(server.url("a"), sha256: sha256)?.code == .outputIsForeign)
      #expect(try text("part") == "my notes")
    }
    try FileManager.default.removeItem(atPath: folder.file("part"))
    try folder.write("my state", to: "part.state")
    let server = try Server([answer("200 OK", content)])
    #expect(failure(server.url("a"))?.code == .outputIsForeign)
    #expect(try text("part.state") == "my state")
  }

  @Test("what an interrupted download left of another URL is not continued")
  func dropsOtherURLs() throws {
    let server = try Server([
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nETag: \"v1\"\r\n\r\n0123456",
      answer("200 OK", content),
    ])
    #expect(failure(server.url("a"))?.exitCode == .temporaryFailure)
    #expect(try fetch(server.url("b"), sha256: nil).resumedBytes == 0)
    #expect(server.requests.last?.contains("Range:") == false)
  }

  @Test("a complete file whose download was killed before it got its name is not fetched again")
  func takesWhatIsWhole() throws {
    let server = try Server(["HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n\(content)"])
    #expect(failure(server.url("a"))?.exitCode == .temporaryFailure)
    let done = try fetch("http://127.0.0.1:1/never-asked", sha256: digest(content))
    #expect(done.resumedBytes == 16)
    #expect(try text("out") == content)
  }

  @Test("passwords and tokens of a URL are in no error")
  func redactsURLs() throws {
    let server = try Server([answer("404 Not Found", "")])
    let url = "http://me:secret@127.0.0.1:\(server.port)/a?token=secret"
    let error = try #require(failure(url))
    #expect(error.exitCode == .noInput)
    #expect(!"\(error)".contains("secret"))
    #expect("\(error)".contains("http://127.0.0.1:\(server.port)/a?…"))
  }

  @Test("another digest is an error of the data, and nothing gets the file's name")
  func checksTheDigest() throws {
    let server = try Server([answer("200 OK", "something else")])
    let error = failure(server.url("a"), sha256: try digest(content))
    #expect(error?.code == .wrongDigest)
    #expect(error?.exitCode == .dataError)
    #expect(error?.message.contains(try digest("something else")) == true)
    #expect(!pathExists(folder.file("out")))
    #expect(try text("part") == "")
  }

  @Test("a file that is too large is refused, whether the server says its size or not")
  func boundsTheSize() throws {
    let server = try Server([
      answer("200 OK", content), "HTTP/1.1 200 OK\r\n\r\n\(content)",
    ])
    for _ in 0..<2 {
      let error = failure(server.url("a"), limit: 10)
      #expect(error?.exitCode == .dataError)
      #expect(error?.message == "has more than 10 bytes")
    }
    #expect(try folder.read("part").count <= 10)
  }

  @Test(
    "a response shows whether another attempt is worthwhile",
    arguments: [
      ("404 Not Found", ExitCode.noInput), ("403 Forbidden", .noInput),
      ("429 Too Many Requests", .temporaryFailure), ("500 Oops", .temporaryFailure),
    ])
  func sortsAnswers(status: String, exit: ExitCode) throws {
    let server = try Server([answer(status, "no")])
    #expect(failure(server.url("a"))?.exitCode == exit)
    #expect(try text("part") == "")
  }

  @Test("a redirection may not lead to a file of this machine, nor a URL to another protocol")
  func refusesOtherProtocols() throws {
    let path = try folder.write("secret", to: "secret")
    let server = try Server([answer("302 Found", "", "Location: file://\(path)\r\n")])
    #expect(failure(server.url("a"))?.exitCode == .configuration)
    #expect(failure("gopher://127.0.0.1/a")?.exitCode == .configuration)
    #expect(!pathExists(folder.file("out")))
  }

  @Test("two processes do not fetch into one file")
  func locks() throws {
    let held = try PartialFile(folder.file("part"))
    defer { withExtendedLifetime(held) {} }
    #expect(failure("http://127.0.0.1:1/")?.code == .isLocked)
  }

  @Test("a file of another content under the output's name is left alone")
  func keepsForeignOutput() throws {
    let path = try folder.write("mine", to: "out")
    let arguments = try Arguments(
      ["--url", "file:///x", "--output", path, "-q", "--progress", "none"],
      for: FetchCommand.definition)
    expectError(.outputIsForeign, .cannotCreate) {
      _ = try FetchCommand.run(StageRun(name: "cairn-fetch", arguments))
    }
    #expect(try text("out") == "mine")
  }

  @Test("attempts that bring nothing are counted in all, also those that drop what was there")
  func endlessVersions() throws {
    // Each answer is a little longer than the last one, and of another version.
    let server = try Server(
      (1...8).map { number in
        let body = String(repeating: "x", count: number)
        return "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nETag: \"v\(number)\"\r\n\r\n\(body)"
      })
    var error: CairnError?
    do throws(CairnError) {
      _ = try fetch(server.url("a"), sha256: nil, retries: 2)
    } catch let found { error = found }
    #expect(error?.exitCode == .temporaryFailure)
    #expect(server.requests.count == 4)
  }

  @Test("a server that alternates between halves of versions is given up, too")
  func endlessHalves() throws {
    let beginning = { (tag: String) in
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\nETag: \"\(tag)\"\r\n\r\n0123456"
    }
    let other = """
      HTTP/1.1 206 Partial Content\r\nContent-Length: 9\r\nETag: "other"\r\n\
      Content-Range: bytes 7-15/16\r\n\r\n789abcdef
      """
    let server = try Server((1...6).flatMap { [beginning("v\($0)"), other] })
    #expect(throws: CairnError.self) { try fetch(server.url("a"), sha256: nil, retries: 2) }
    #expect(server.requests.count == 6)
  }
}
