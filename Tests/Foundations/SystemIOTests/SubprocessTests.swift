// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Subprocesses and locks")
struct SubprocessTests {
  private func start(_ script: String, in folder: TemporaryFolder) throws -> Subprocess {
    try Subprocess(
      "/bin/sh", ["-c", script], standardOutput: .file(folder.file("out")),
      standardError: .appending(folder.file("err")))
  }

  @Test("the exit status, output, times and memory of a program are reported")
  func ending() throws {
    let folder = try TemporaryFolder()
    let ending = try start("echo data; echo note >&2; read line; exit 7", in: folder).wait()
    #expect(ending.exitStatus == 7 && ending.signal == nil)
    #expect(ending.wallSeconds > 0 && ending.use.peakBytes > 0)
    #expect(try folder.read("out") == Array("data\n".utf8))
    #expect(try folder.read("err") == Array("note\n".utf8))
  }

  @Test("a signal reaches the program and its children")
  func signal() throws {
    let folder = try TemporaryFolder()
    let process = try start("sleep 600 & echo $! > '\(folder.file("child"))'; wait", in: folder)
    while (try? folder.read("child"))?.isEmpty ?? true { usleep(1000) }
    process.send(SIGTERM)
    let ending = process.wait()
    #expect(ending.signal == SIGTERM && ending.exitStatus == nil)
    process.send(SIGTERM)  // no effect
    let child = Int32(String(decoding: try folder.read("child"), as: UTF8.self).dropLast())
    // An orphan is a zombie until its new parent reaps it.
    let status = "/proc/\(child ?? 0)/stat"
    while let bytes = try? bytesOfFile(status),
      !String(decoding: bytes, as: UTF8.self).contains(") Z ")
    { usleep(1000) }
  }

  @Test("a program starts with no signal blocked or ignored, in its own process group")
  func cleanStart() throws {
    let folder = try TemporaryFolder()
    let process = try start(
      "grep -E 'SigBlk|SigIgn' /proc/self/status; cut -d' ' -f5 /proc/$$/stat", in: folder)
    _ = process.wait()
    let lines = String(decoding: try folder.read("out"), as: UTF8.self).split(separator: "\n")
    // Signals 32 and 33 belong to the C library.
    #expect(lines.prefix(2).map { $0.suffix(7) } == ["0000000", "0000000"])
    #expect(lines.last.flatMap { Int32($0.filter { $0 != " " }) } == process.processID)
  }

  @Test("a program may share the process group, and then gets signals alone")
  func sharedGroup() throws {
    let folder = try TemporaryFolder()
    let process = try Subprocess(
      "/bin/sh", ["-c", "cut -d' ' -f5 /proc/$$/stat; exec sleep 600"],
      standardOutput: .file(folder.file("out")), standardError: .nothing, sharingGroup: true)
    while (try? folder.read("out"))?.isEmpty ?? true { usleep(1000) }
    process.send(SIGTERM)
    #expect(process.wait().signal == SIGTERM)
    let group = Int32(String(decoding: try folder.read("out"), as: UTF8.self).dropLast())
    #expect(group == getpgrp())
  }

  @Test(
    "a program that yields has a higher niceness than its parent, and so do its children",
    .enabled(if: nice(0) < 15, "the tests have the greatest niceness"))
  func yielding() throws {
    let folder = try TemporaryFolder()
    let own = nice(0)
    let process = try start("while [ $(nice) -le \(own) ]; do :; done; nice", in: folder)
    process.yieldToOthers()
    #expect(process.wait().exitStatus == 0)
    process.yieldToOthers()  // no effect
    let niceness = Int32(String(decoding: try folder.read("out"), as: UTF8.self).dropLast())
    #expect(niceness == own + 5)
    #expect(nice(0) == own)
  }

  @Test("pipes are read until the program ends, without waiting for its orphans")
  func pipes() throws {
    let folder = try TemporaryFolder()
    let pipes = [try OutputPipe(), try OutputPipe()]
    let process = try Subprocess(
      "/bin/sh", ["-c", "sleep 600 & echo $!; head -c 300000 /dev/zero >&2; exit 3"],
      standardOutput: .pipe(pipes[0]), standardError: .pipe(pipes[1]))
    var texts: [[UInt8]] = [[], []]
    let ending = process.wait(reading: pipes) { texts[$0] += Array($1) }
    #expect(ending.exitStatus == 3)
    #expect(texts[1] == [UInt8](repeating: 0, count: 300_000))
    let orphan = try #require(Int32(String(decoding: texts[0].dropLast(), as: UTF8.self)))
    while let status = try? bytesOfFile("/proc/\(orphan)/stat"),
      !String(decoding: status, as: UTF8.self).contains(") Z ")
    { usleep(1000) }
    withExtendedLifetime(folder) {}
  }

  @Test("waiting can be ended by a signal at any tick")
  func tick() throws {
    let process = try start("sleep 600", in: try TemporaryFolder())
    var ticks = 0
    let ending = process.wait(tick: {
      ticks += 1
      if ticks == 2 { process.send(SIGKILL) }
    })
    #expect(ending.signal == SIGKILL)
  }

  @Test("a missing program gives exit code 66")
  func missing() throws {
    let folder = try TemporaryFolder()
    expectError(.cannotStart, .noInput) {
      try Subprocess(
        folder.file("none"), [], standardOutput: .file(folder.file("out")),
        standardError: .appending(folder.file("err")))
    }
  }

  @Test("a lock is held until its object is released, and names its holder")
  func lock() throws {
    let folder = try TemporaryFolder()
    var lock: FileLock? = try FileLock(folder.file("lock"))
    let error = expectError(.isLocked, .temporaryFailure) { try FileLock(folder.file("lock")) }
    #expect(error?.message == "is held by process \(getpid())")
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try FileLock(folder.file("lock"))
  }
}
