// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Input files")
struct InputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a missing file, a folder, a pipe or a device gives exit code 66 and is named")
  func refusesOtherThanFiles() throws {
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    try folder.write("x", to: "file")
    let paths = [
      (folder.file("missing"), "no such file"), (folder.path, "is a folder, not a file"),
      (folder.file("pipe"), "is a pipe, not a file"), ("/dev/null", "is a device, not a file"),
      (folder.file("file/within"), "Not a directory"), ("", "no such file"),
      (folder.file("file\0.txt"), "Invalid argument"),
    ]
    for (path, message) in paths {
      for error in [
        expectError(.cannotRead, .noInput) { try InputFile(path) },
        expectError(.cannotRead, .noInput) { try MappedFile(path) },
      ] {
        #expect(error?.message == message)
        #expect(error?.location == Location(file: path))
      }
    }
  }

  @Test("reading stops at the end of the file")
  func readsAtOffsets() throws {
    let bytes = (0..<100).map { UInt8($0) }
    let file = try InputFile(try folder.write(bytes, to: "file"))
    #expect(file.size == 100)
    var buffer = [UInt8](repeating: 0, count: 60)
    for (offset, count) in [(0, 60), (40, 60), (70, 30), (100, 0), (1_000, 0)] {
      let read = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      #expect(read == count)
      #expect(buffer.prefix(read) == bytes.dropFirst(offset).prefix(60))
    }
  }

  @Test("a whole file is read unless it is larger than allowed")
  func readsAllWithinALimit() throws {
    let file = try InputFile(try folder.write("hello", to: "file"))
    #expect(try file.readAll(limit: 5) == Array("hello".utf8))
    let error = expectError(.cannotRead, .dataError) { try file.readAll(limit: 4) }
    #expect(error?.message == "has 5 bytes; at most 4 are allowed")
    #expect(try InputFile(try folder.write("", to: "empty")).readAll(limit: 0).isEmpty)
  }

  @Test("a mapped file has the content of the file, even if it is empty")
  func maps() throws {
    let file = try MappedFile(try folder.write("hello", to: "file"))
    #expect(file.bytes.elementsEqual(Array("hello".utf8)))
    #expect(try MappedFile(try folder.write("", to: "empty")).bytes.isEmpty)
  }

  @Test("a mapped file stays readable when another one replaces it")
  func mappingOutlivesTheName() throws {
    let file = try MappedFile(try folder.write("old", to: "file"))
    try AtomicOutput.write(Array("new".utf8), to: file.path) { _ in true }
    #expect(file.bytes.elementsEqual(Array("old".utf8)))
  }
}

@Suite("Paths")
struct PathTests {
  @Test("a path is split into folder and name")
  func splits() {
    for (path, folder, name) in [
      ("a/b/c", "a/b", "c"), ("c", ".", "c"), ("/c", "/", "c"), ("a/", "a", ""), ("/", "/", ""),
      ("", ".", ""), ("./c", ".", "c"), ("ä/ö", "ä", "ö"),
    ] {
      #expect(splitPath(path) == (folder, name), "\(path)")
    }
  }

  @Test("a name is joined to a folder unless it is absolute")
  func joins() {
    #expect(joinPath("a", "b/c") == "a/b/c")
    #expect(joinPath("a/", "b") == "a/b")
    #expect(joinPath(".", "b") == "b")
    #expect(joinPath("", "b") == "b")
    #expect(joinPath("a", "/b") == "/b")
    #expect(joinPath("/", "b") == "/b")
  }

  @Test("missing folders are created, existing ones are kept")
  func makesFolders() throws {
    let folder = try TemporaryFolder()
    for path in ["a/b/c", "a/b/c", "a/b/d/", "a"] { try makeFolders(folder.file(path)) }
    #expect(try folderContents(folder.file("a/b")) == ["c", "d"])
    try makeFolders("/")
    try makeFolders(".")
  }

  @Test("a folder that cannot be created gives exit code 73, however deep it is")
  func refusesImpossibleFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    let endless = folder.path + String(repeating: "/x", count: 500_000)
    for path in [folder.file("file"), folder.file("file/a"), "", endless, folder.file("a\0b")] {
      expectError(.cannotCreate, .cannotCreate) { try makeFolders(path) }
    }
    #expect(try folder.contents == ["file"])
  }

  @Test("the names in a folder are listed in byte order")
  func listsFolders() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", "Z", "é", ".hidden", "10", "9"] { try folder.write("", to: name) }
    #expect(try folderContents(folder.path) == [".hidden", "10", "9", "Z", "a", "b", "é"])
    expectError(.cannotRead, .noInput) { try folderContents(folder.file("missing")) }
    expectError(.cannotRead, .noInput) { try folderContents(folder.file("a")) }
  }
}
