// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Atomic outputs")
struct AtomicOutputTests {
  let folder: TemporaryFolder
  let path: String
  private let anything: ([UInt8]) -> Bool = { _ in true }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("out.trails")
  }

  @Test("before the commit there is only a temporary file, after it only the final one")
  func appearsOnCommit() throws {
    let output = try AtomicOutput(path, replacing: anything)
    try output.write(Array("hello ".utf8))
    try output.write(Array("world".utf8))
    #expect(!pathExists(path))
    #expect(try folder.contents.count == 1)
    #expect(try folder.contents.first?.hasPrefix(".out.trails.") == true)
    try output.commit()
    #expect(try folder.contents == ["out.trails"])
    #expect(try folder.read("out.trails") == Array("hello world".utf8))
  }

  @Test("a temporary name says the final one")
  func finalNames() throws {
    let folder = try TemporaryFolder()
    for name in ["a.db", "a", "a.b-1-2.c", ".a"] {
      let output = try AtomicOutput(folder.file(name)) { _ in true }
      let temporary = splitPath(output.temporaryPath).name
      #expect(AtomicOutput.finalName(ofTemporary: temporary) == name)
    }
    for name in [
      "", ".", ".tmp", ".a.tmp", ".a.host-1.tmp", ".a.host-x-1.tmp", ".host-1-1.tmp", "a.h-1-1.tmp",
      ".a.h-1-1.part",
    ] {
      #expect(AtomicOutput.finalName(ofTemporary: name) == nil, "\(name)")
    }
  }

  @Test("an output that is never committed leaves nothing")
  func leavesNothing() throws {
    func giveUp() throws {
      let output = try AtomicOutput(path, replacing: anything)
      try output.write([1, 2, 3])
      throw TestFailure("no more")
    }
    #expect(throws: TestFailure.self) { try giveUp() }
    #expect(try folder.contents.isEmpty)
  }

  @Test("an existing file of the same kind stays until the commit replaces it")
  func replacesItsOwn() throws {
    try folder.write("MAGIC old", to: "out.trails")
    let output = try AtomicOutput(path) { $0.starts(with: Array("MAGIC".utf8)) }
    try output.write(Array("MAGIC new".utf8))
    #expect(try folder.read("out.trails") == Array("MAGIC old".utf8))
    try output.commit()
    #expect(try folder.read("out.trails") == Array("MAGIC new".utf8))
    #expect(try folder.contents == ["out.trails"])
  }

  @Test("a file that Cairn did not write is not replaced")
  func refusesForeignFiles() throws {
    try folder.write("my only copy", to: "out.trails")
    var head: [UInt8] = []
    let error = expectError(.outputIsForeign, .cannotCreate) {
      try AtomicOutput(path) {
        head = $0
        return false
      }
    }
    #expect(error?.location?.file == path)
    #expect(error?.hint != nil)
    #expect(head == Array("my only copy".utf8))
    #expect(try folder.contents == ["out.trails"])
    #expect(try folder.read("out.trails") == Array("my only copy".utf8))
  }

  @Test("an empty file is replaced, since it has no content to lose")
  func replacesEmptyFiles() throws {
    try folder.write("", to: "out.trails")
    try AtomicOutput.write([7], to: path) { _ in false }
    #expect(try folder.read("out.trails") == [7])
  }

  @Test("a folder or a link at the path is refused and named")
  func refusesOtherThanFiles() throws {
    try makeFolders(folder.file("folder"))
    #expect(symlink("elsewhere", folder.file("link")) == 0)
    for (name, word) in [("folder", "a folder"), ("link", "a symbolic link")] {
      let error = expectError(.outputIsForeign, .cannotCreate) {
        try AtomicOutput(folder.file(name), replacing: anything)
      }
      #expect(error?.message.contains(word) == true)
    }
    #expect(try folder.contents == ["folder", "link"])
  }

  @Test("a missing folder, an empty name or a name that is too long gives exit code 73")
  func refusesImpossibleNames() throws {
    let tooLong = folder.file(String(repeating: "x", count: 300))
    for name in [folder.file("missing/out"), folder.file("new/"), "", tooLong, path + "\0.txt"] {
      let error = expectError(.cannotCreate, .cannotCreate) {
        try AtomicOutput(name, replacing: anything)
      }
      #expect(error?.message.hasPrefix("cannot create: ") == true)
    }
    #expect(try folder.contents.isEmpty)
  }

  @Test("a folder that is not writable gives exit code 73")
  func refusesUnwritableFolder() throws {
    // Root may write everywhere but into the kernel's own file systems.
    let target = getuid() == 0 ? "/proc/out.trails" : path
    chmod(folder.path, 0o500)
    expectError(.cannotCreate, .cannotCreate) { try AtomicOutput(target, replacing: anything) }
  }

  @Test("earlier bytes can be written after later ones")
  func writesAtOffsets() throws {
    let output = try AtomicOutput(path, replacing: anything)
    try output.write([0, 0, 3])
    try [1, 2].map { UInt8($0) }.withUnsafeBytes { try output.write($0, at: 0) }
    try output.write([4])
    try output.commit()
    #expect(try folder.read("out.trails") == [1, 2, 3, 4])
  }

  @Test("two writers of one output do not interfere; the last to commit wins")
  func keepsWritersApart() throws {
    let first = try AtomicOutput(path, replacing: anything)
    let second = try AtomicOutput(path, replacing: anything)
    #expect(first.temporaryPath != second.temporaryPath)
    try first.write([1, 1])
    try second.write([2, 2])
    try second.commit()
    try first.commit()
    #expect(try folder.read("out.trails") == [1, 1])
    #expect(try folder.contents == ["out.trails"])
  }

  @Test("a committed output cannot be written to or committed again")
  func isClosedByCommit() throws {
    let output = try AtomicOutput(path, replacing: anything)
    try output.write([1])
    try output.commit()
    expectError(.inputOutput, .ioError) { try output.write([2]) }
    expectError(.inputOutput, .ioError) { try output.commit() }
    #expect(try folder.read("out.trails") == [1])
  }

  @Test("an output whose folder is removed fails and leaves nothing")
  func survivesLossOfTheFolder() throws {
    try makeFolders(folder.file("a"))
    let output = try AtomicOutput(folder.file("a/out"), replacing: anything)
    try output.write([1])
    try FileManager.default.removeItem(atPath: folder.file("a"))
    expectError(.cannotCreate, .cannotCreate) { try output.commit() }
    #expect(try folder.contents.isEmpty)
  }

  @Test("a pipe gets everything at once, when it is complete, and stays a pipe")
  func pipe() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = Glibc.open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let output = try AtomicOutput(path) { _ in false }
    try output.write([0, 0, 3])
    try [1, 2].map { UInt8($0) }.withUnsafeBytes { try output.write($0, at: 0) }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &bytes, 10) <= 0)
    try output.commit()
    #expect(read(reader, &bytes, 10) == 3 && bytes.prefix(3) == [1, 2, 3])
    #expect(try folder.contents == ["out.trails"])
  }

  @Test("devices and links to them are written to, and are still there")
  func devices() throws {
    #expect(symlink("/dev/null", path) == 0)
    for name in ["/dev/null", path] {
      try AtomicOutput.write([1, 2, 3], to: name) { _ in false }
    }
    expectError(.inputOutput, .ioError) {
      try AtomicOutput.write([1, 2, 3], to: "/dev/full") { _ in false }
    }
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(try folder.contents == ["out.trails"])
  }

  @Test("what a descriptor of this process leads to is added to, not written over")
  func descriptors() throws {
    try folder.write("before ", to: "log")
    let log = Glibc.open(folder.file("log"), O_WRONLY | O_APPEND)
    defer { close(log) }
    try AtomicOutput.write(Array("after".utf8), to: "/dev/fd/\(log)") { _ in false }
    #expect(try folder.read("log") == Array("before after".utf8))
  }
}
