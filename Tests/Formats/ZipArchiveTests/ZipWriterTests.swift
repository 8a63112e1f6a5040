// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import Foundation
import TestSupport
import Testing
import ZipArchive

@Suite("Archives")
struct ZipWriterTests {
  private let folder: TemporaryFolder
  private let contents: [String: [UInt8]]

  init() throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 7)
    contents = [
      "empty": [], "text": Array(String(repeating: "path ", count: 400_000).utf8),
      "noise": (0..<3_000_000).map { _ in UInt8.random(in: .min ... .max, using: &random) },
      "ünicode.txt": Array("x".utf8),
    ]
    for (name, bytes) in contents { try folder.write(bytes, to: name) }
  }

  private func write(_ name: String, largeBytes: Int = ZipWriter.largeBytes) throws -> String {
    let path = folder.file(name)
    let archive = try ZipWriter(path, comment: "test", largeBytes: largeBytes)
    let time = ZipTime(timestamp: "2020-05-01T20:59:03Z")
    for name in contents.keys.sorted() {
      _ = try archive.add(folder.file(name), as: "region/\(name)", time: time)
    }
    try archive.finish()
    return path
  }

  @Test("other programs read what was packed", arguments: [ZipWriter.largeBytes, 2_000_000, 0])
  func readers(largeBytes: Int) throws {
    let path = try write("a.zip", largeBytes: largeBytes)
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as archive:
          assert archive.testzip() is None
          for info in archive.infolist():
              assert info.date_time == (2020, 5, 1, 20, 59, 2), info
              with open(sys.argv[2] + "/" + info.filename.split("/")[1], "rb") as file:
                  assert file.read() == archive.read(info), info
          print(len(archive.infolist()), archive.comment.decode())
      """
    let python = try runProcess("python3", ["-c", script, path, folder.path])
    #expect(python.status == 0, "\(python.stderr)")
    #expect(python.stdout == "4 cairn test\n")
    for (program, options) in [("unzip", ["-tq", path]), ("bsdtar", ["-tf", path])] {
      guard let result = try? runProcess(program, options), result.status != 127 else { continue }
      #expect(result.status == 0, "\(program): \(result.stdout)\(result.stderr)")
    }
  }

  @Test("the same files give the same bytes, and an archive of Cairn's is replaced")
  func deterministic() throws {
    let one = try bytesOfFile(write("a.zip"))
    #expect(try bytesOfFile(write("b.zip")) == one)
    #expect(try bytesOfFile(write("a.zip")) == one)
    #expect(one.count < 3_100_000)
  }

  @Test("nothing is overwritten that Cairn did not write")
  func foreign() throws {
    for bytes in [
      Array("mine".utf8), Array("PK".utf8) + [5, 6] + [UInt8](repeating: 0, count: 18),
    ] {
      try folder.write(bytes, to: "a.zip")
      #expect {
        try write("a.zip")
      } throws: { ($0 as? CairnError)?.exitCode == .cannotCreate }
      #expect(try folder.read("a.zip") == bytes)
    }
  }

  @Test("a time that is none, or that archives do not have, is the earliest one")
  func times() {
    #expect(ZipTime(timestamp: "1979-12-31T23:59:59Z") == .earliest)
    #expect(ZipTime(timestamp: "2020-13-01T00:00:00Z") == .earliest)
    #expect(ZipTime(timestamp: "") == .earliest)
    #expect(ZipTime(timestamp: "1980-01-01T00:00:01Z") == .earliest)
    #expect(ZipTime(timestamp: "2020-05-01T00:00:00Z") != .earliest)
  }
}
