// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// An installation in a folder of its own, of the executables under test.
private struct Installation {
  static let isPossible = Executables.areReleased

  let folder: TemporaryFolder
  /// `DESTDIR` is part of it.
  var prefix: String { folder.file("root/usr") }

  init() throws { folder = try TemporaryFolder() }

  func install() throws {
    let result = try make("install")
    guard result.status == 0 else { throw TestFailure("make install: \(result.stderr)") }
  }

  func make(_ target: String) throws -> ProcessResult {
    var environment = ProcessInfo.processInfo.environment
    for name in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS"] { environment[name] = nil }
    return try runProcess(
      "make",
      [
        "-C", packageRoot, target, "PREFIX=/usr", "DESTDIR=\(folder.file("root"))",
        "BIN=\(Executables.folder)",
      ], environment: environment)
  }

  /// All files and links below the prefix, sorted.
  var files: [String] {
    get throws {
      let result = try runProcess(
        "find", [prefix, "-not", "-type", "d", "-printf", "%P\n"])
      return result.stdout.split(separator: "\n").map(String.init).sorted()
    }
  }
}

@Suite("make install", .enabled(if: Installation.isPossible, "needs the executables that ship"))
struct InstallTests {
  private static var stages: [String] {
    get throws {
      try Executables.succeed("cairn-stages", ["--list"]).stdout.split(separator: "\n").map(
        String.init)
    }
  }

  /// The commands of `cairn`, and those that are programs of their own.
  private static var commands: Set<Substring> {
    get throws {
      Set(
        try Executables.succeed("cairn", ["help"]).stdout.matches(of: #/(?m)^  ([a-z -]*[a-z])  /#)
          .map(\.1))
    }
  }

  /// What an installation consists of.
  private static var expected: [String] {
    get throws {
      let programs = ["cairn", "cairn-fetch", "cairn-serve"] + (try stages)
      let commands = try commands.map { "cairn-\($0.replacing(" ", with: "-"))" }
        .filter { !programs.contains($0) }
      let profiles = try Executables.succeed("cairn", ["profiles"]).stdout
        .split(separator: "\n").compactMap { $0.split(separator: " ").first }
      func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(packageRoot)/\(folder)")
      }
      let pages = try names("docs").filter { $0.hasSuffix(".md") }
      return
        (programs.flatMap { program in
          [
            "bin/\(program)", "share/bash-completion/completions/\(program)",
            "share/zsh/site-functions/_\(program)",
            "share/fish/vendor_completions.d/\(program).fish",
          ]
        } + (programs + commands).map { "share/man/man1/\($0).1.gz" }
        + profiles.map { "share/cairn/profiles/\($0).yaml" }
        + pages.map { "share/doc/cairn/docs/\($0)" }
        + (try ["decisions", "images"].flatMap { folder in
          try names("docs/\(folder)").map { "share/doc/cairn/docs/\(folder)/\($0)" }
        })
        + (try names("pipelines/tuning")).map { "share/doc/cairn/examples/pipelines/tuning/\($0)" }
        + [
          "lib/systemd/system/cairn-nightly-failed.service",
          "lib/systemd/system/cairn-nightly.service", "lib/systemd/system/cairn-nightly.timer",
          "libexec/cairn/cairn-stages", "libexec/cairn/mail-failure", "libexec/cairn/nightly",
          "libexec/cairn/uninstall",
          "share/cairn/installed", "share/cairn/version", "share/doc/cairn/CHANGELOG.md",
          "share/doc/cairn/README.md", "share/doc/cairn/copyright",
          "share/doc/cairn/examples/README.md",
          "share/doc/cairn/examples/nightly/cairn-nightly.cron",
          "share/doc/cairn/examples/nightly/cairn-nightly.logrotate",
          "share/doc/cairn/examples/pipelines/sample.yaml",
          "share/doc/cairn/examples/python/graph.py",
          "share/doc/cairn/examples/python/places.py", "share/doc/cairn/examples/python/route.py",
          "share/doc/cairn/examples/swift/Journey.swift",
          "share/doc/cairn/examples/swift/main.swift",
          "share/doc/cairn/pipelines/nightly/README.md",
        ]).sorted()
    }
  }

  @Test("exactly these files are installed, within 110 MiB, and uninstall leaves nothing")
  func files() throws {
    let installation = try Installation()
    try installation.install()
    let files = try installation.files
    #expect(files == (try Self.expected))
    let sizes = try files.map { name -> Int in
      var status = stat()
      try #require(lstat("\(installation.prefix)/\(name)", &status) == 0)
      return Int(status.st_size)
    }
    #expect(sizes.reduce(0, +) < 110 << 20)

    // An earlier version had another page; installing replaces what is there, and removes that.
    let list = "\(installation.prefix)/share/cairn/installed"
    let earlier = "share/man/man1/cairn-earlier.1.gz"
    try "".write(
      toFile: "\(installation.prefix)/\(earlier)", atomically: true, encoding: .utf8)
    let text = try String(contentsOfFile: list, encoding: .utf8)
    try (text + earlier + "\n").write(toFile: list, atomically: true, encoding: .utf8)
    try installation.install()
    #expect(try installation.files == files)
    #expect(try String(contentsOfFile: list, encoding: .utf8) == text)

    #expect(try installation.make("uninstall").status == 0)
    #expect(access(installation.prefix, F_OK) != 0)
  }

  @Test("what is installed runs from where it is, by links, and knows its version")
  func use() throws {
    let installation = try Installation()
    try installation.install()
    try checkVersions(installation)
    try checkNight(installation)
    try checkRun(installation)
  }

  private func checkVersions(_ installation: Installation) throws {
    for name in ["cairn", "cairn-fetch", "cairn-serve"] + (try Self.stages) {
      let result = try runProcess("\(installation.prefix)/bin/\(name)", ["--version"])
      #expect(result.status == 0)
      #expect(result.stdout.hasPrefix("\(name) "))
      #expect(result.stdout.contains("zlib "), "says what it was built with")
    }
    let nameless = try runProcess("\(installation.prefix)/libexec/cairn/cairn-stages", [])
    #expect(nameless.status == 64)
    #expect(nameless.stderr.contains("cairn-validate"))
  }

  /// The nightly run names the installation, not the folder that it was built in.
  private func checkNight(_ installation: Installation) throws {
    for name in [
      "libexec/cairn/nightly", "libexec/cairn/mail-failure",
      "lib/systemd/system/cairn-nightly.service",
      "lib/systemd/system/cairn-nightly-failed.service",
    ] {
      let text = try String(contentsOfFile: "\(installation.prefix)/\(name)", encoding: .utf8)
      #expect(text.contains("/usr/"))
      for other in ["/opt/cairn", ".build", packageRoot, installation.folder.path] {
        #expect(!text.contains(other), "\(name) names \(other)")
      }
    }
    let night = try runProcess("\(installation.prefix)/libexec/cairn/nightly", environment: [:])
    #expect(night.status == 64)
    #expect(night.stderr == "nightly: MANIFEST must name a manifest\n")
  }

  private func checkRun(_ installation: Installation) throws {
    let link = installation.folder.file("linked")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(installation.prefix)/bin/cairn")
    let hikes = installation.folder.file("hikes")
    try FileManager.default.copyItem(
      atPath: "\(installation.prefix)/share/doc/cairn/examples", toPath: hikes)
    let database = "\(hikes)/build/sample/valley-west/valley-west.routing.db"
    for words in [
      ["sample", "--output", "\(hikes)/sample-data"],
      ["run", "-q", "\(hikes)/pipelines/sample.yaml"],
      ["validate", "--input", database, "-q"],
      ["profile", "check", "\(installation.prefix)/share/cairn/profiles/hiking.yaml"],
    ] {
      let result = try runProcess(link, words, environment: Executables.environment)
      #expect(result.status == 0, "cairn \(words[0]): \(result.stderr)")
    }
  }

  @Test("a file of others is neither replaced nor removed")
  func others() throws {
    let installation = try Installation()
    let bin = "\(installation.prefix)/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try "mine".write(toFile: "\(bin)/cairn", atomically: true, encoding: .utf8)
    let refused = try installation.make("install")
    #expect(refused.status != 0)
    #expect(refused.stderr.contains("\(bin)/cairn"))
    #expect(try installation.files == ["bin/cairn"])
    let missing = try installation.make("uninstall")
    #expect(missing.status != 0)
    #expect(missing.stderr.contains("not installed there"))
    #expect(try installation.files == ["bin/cairn"])
  }

  @Test(
    "a list that names what is not below the prefix removes nothing",
    arguments: ["/etc/passwd", "../outside", "share/../../outside", ""])
  func forgedList(line: String) throws {
    let folder = try TemporaryFolder()
    let share = folder.file("prefix/share/cairn")
    try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
    try folder.write("", to: "outside")
    let list = "# Installed by Cairn\n\(line)\nshare/cairn/installed\n"
    try folder.write(list, to: "prefix/share/cairn/installed")
    let result = try runProcess(
      "\(packageRoot)/pipelines/packaging/uninstall", [folder.file("prefix")])
    #expect(result.status == 65)
    #expect(access(folder.file("outside"), F_OK) == 0)
    #expect(access("\(share)/installed", F_OK) == 0)
  }
}
