// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The nightly run")
struct NightlyTests {
  private let folder = "\(packageRoot)/pipelines/nightly"

  /// A folder with a fake `cairn` that logs its calls and exits with the given codes.
  private func executables(run: Int, gc: Int = 0) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let script = """
      #!/bin/sh
      echo "$*" >> '\(folder.file("calls"))'
      [ "$1" = gc ] && exit \(gc)
      exit \(run)
      """
    let text = try folder.write(script, to: "script")
    let copy = try runProcess("install", ["-m", "755", text, folder.file("cairn")])
    #expect(copy.status == 0)
    return folder
  }

  private func night(_ executables: TemporaryFolder, _ more: [String: String] = [:]) throws
    -> ProcessResult
  {
    let environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
      .merging(["CAIRN_BIN": executables.path, "MANIFEST": "/m.yaml"]) { $1 }
    return try runProcess("\(folder)/run", environment: environment)
  }

  @Test("a successful run is followed by garbage collection")
  func good() throws {
    let executables = try executables(run: 0)
    let result = try night(executables, ["CAIRN_KEEP": "3"])
    #expect(result.status == 0)
    #expect(result.stderr == "nightly: exit code 0\n")
    let calls = String(decoding: try executables.read("calls"), as: UTF8.self)
    #expect(
      calls == """
        run --progress plain --color never --nice 10 --keep-previous 3 /m.yaml
        gc --quiet --keep-left --keep-previous 3 /m.yaml

        """)
  }

  @Test("a run in which some regions failed is followed by garbage collection, too")
  func someFailed() throws {
    let executables = try executables(run: 1)
    let result = try night(executables)
    #expect(result.status == 1)
    #expect(result.stderr.contains("some regions failed"))
    let calls = String(decoding: try executables.read("calls"), as: UTF8.self)
    #expect(calls.split(separator: "\n").last == "gc --quiet --keep-left --keep-previous 1 /m.yaml")
  }

  @Test(
    "the exit code is that of the run, and nothing is removed after one that did not get through",
    arguments: [66, 74, 75, 78])
  func bad(code: Int) throws {
    let executables = try executables(run: code)
    let result = try night(executables)
    #expect(result.status == Int32(code))
    #expect(result.stderr.hasSuffix("nightly: exit code \(code)\n"))
    let calls = String(decoding: try executables.read("calls"), as: UTF8.self)
    #expect(calls.split(separator: "\n").count == 1)
  }

  @Test("failed garbage collection does not change the exit code")
  func gcFails() throws {
    let result = try night(try executables(run: 0, gc: 74))
    #expect(result.status == 0)
    #expect(result.stderr.contains("cairn gc ended with exit code 74"))
  }

  @Test("without executables the error says what is missing")
  func noExecutables() throws {
    let result = try night(try TemporaryFolder())
    #expect(result.status == 66)
    #expect(result.stderr.contains("make build"))
  }

  @Test("all options that the script passes exist")
  func options() throws {
    let text = try String(contentsOfFile: "\(folder)/run", encoding: .utf8)
    for (command, lines) in [
      ("run", ["--progress", "--color", "--nice", "--keep-previous"]),
      ("gc", ["--quiet", "--keep-left", "--keep-previous"]),
    ] {
      let help = try Executables.run("cairn", [command, "--help"])
      for option in lines {
        #expect(text.contains(option))
        #expect(help.stdout.contains(option), "cairn \(command) has no \(option)")
      }
    }
  }

  @Test("the units refer to existing files, and systemd accepts them")
  func units() throws {
    let names =
      ["cairn-nightly-failed.service"]
      + ["service", "timer", "cron", "logrotate"].map { "cairn-nightly.\($0)" }
    let copies = try TemporaryFolder()
    var paths: Set<String> = []
    for name in names {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for match in text.matches(of: #/\/opt\/cairn(\/[^\s]+)/#) { paths.insert(String(match.1)) }
      try copies.write(text.replacing("/opt/cairn", with: packageRoot), to: name)
    }
    #expect(
      paths == [
        "/pipelines/nightly/run", "/pipelines/nightly/mail-failure", "/pipelines/nightly/README.md",
      ])
    for path in paths { #expect(FileManager.default.fileExists(atPath: packageRoot + path)) }
    #expect(FileManager.default.isExecutableFile(atPath: "\(folder)/run"))
    let readMe = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    for name in names { #expect(readMe.contains(name)) }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
    let verified = try runProcess(
      "systemd-analyze", ["verify"] + names.prefix(3).map { copies.file($0) })
    #expect(verified.status == 0, "\(verified.stderr)")
  }

  @Test(
    "make has targets for all regions, for some, and for the nightly run",
    arguments: [
      (["bundles"], ".build/release/cairn run  pipelines/sample.yaml"),
      (["bundles", "MANIFEST=a.yaml", "MORE=--force"], ".build/release/cairn run --force a.yaml"),
      (
        ["bundle", "REGION=a,b", "MANIFEST=a.yaml"],
        ".build/release/cairn run --regions a,b  a.yaml"
      ),
      (
        ["nightly", "MANIFEST=a.yaml"],
        "MANIFEST=\"a.yaml\" CAIRN_BIN=\".build/release\" pipelines/nightly/run "
      ),
      (["test-slurm", "CAIRN_NO_SLURM=1"], "echo \"test-slurm: skipped"),
      (["test-slurm"], "Tests/SlurmTests/with-cluster python3 Tests/SlurmTests/test_slurm.py"),
    ])
  func make(arguments: [String], line: String) throws {
    var environment = ProcessInfo.processInfo.environment
    for name in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CAIRN_NO_SLURM"] { environment[name] = nil }
    let result = try runProcess(
      "make", ["-n", "-C", packageRoot] + arguments, environment: environment)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.contains(line), "\(result.stdout)")
  }

  @Test("make bundle without REGION is refused")
  func noRegion() throws {
    var environment = ProcessInfo.processInfo.environment
    for name in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS"] { environment[name] = nil }
    let result = try runProcess(
      "make", ["-C", packageRoot, "region-given"], environment: environment)
    #expect(result.status != 0)
    #expect(result.stderr.contains("make bundle REGION=ID"))
  }
}
