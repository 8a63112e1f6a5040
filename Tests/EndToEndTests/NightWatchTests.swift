// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

/// What an operator looks at after a night in which one region was built, one refused and one failed.
@Suite("cairn log, cairn status --max-age, cairn run --metrics and the mail after a bad night")
struct NightWatchTests {
  private let folder: TemporaryFolder
  private let night: ProcessResult

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      cairn: 1
      name: "al\\"ps"
      output: out
      sources: { valley: { pbf: "\(packageRoot)/sample-data/valley.osm.pbf" } }
      profiles: [hiking]
      waypoints: false
      search: false
      defaults: { source: valley }
      regions:
        - { id: good, name: Good, bbox: [10.00, 47.00, 10.10, 47.10] }
        - id: small
          name: Small
          bbox: [10.10, 47.00, 10.20, 47.10]
          checks: { min-edges: 9000 }
        - { id: far, name: Far, bbox: [20.00, 47.00, 20.10, 47.10] }

      """, to: "cairn.yaml")
    night = try Executables.run(
      "cairn", ["run", "-q", folder.path, "--metrics", folder.file("cairn.prom")])
  }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", [words[0], folder.path] + words.dropFirst())
  }

  private func metrics() throws -> [String: String] {
    let text = String(decoding: try folder.read("cairn.prom"), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .reduce(into: [:]) { samples, line in
        let words = line.split(separator: " ")
        samples[words.dropLast().joined(separator: " ")] = words.last.map(String.init)
      }
  }

  @Test(
    "a log names the stage, how it ended and its file; a region without a failed stage its reason")
  func logs() throws {
    #expect(night.status == 1)
    let far = try cairn("log", "far")
    #expect(far.status == 0)
    #expect(far.stdout.hasPrefix("far decode-pbf: cairn-decode-pbf ended with exit code 65"))
    #expect(far.stdout.split(separator: "\n").count { $0.hasPrefix("far ") } == 1)
    let path = try #require(far.stdout.firstMatch(of: /\n {2}log: (.*)\n/)?.1)
    #expect(try !bytesOfFile(String(path)).isEmpty)
    #expect(far.stdout.contains("\n  | cairn-decode-pbf: error: "))
    let small = try cairn("log", "small")
    #expect(small.stdout.hasPrefix("small: publish: check min-edges: "), "\(small.stdout)")
    #expect(small.stdout.split(separator: "\n").count == 1)
    #expect(
      try cairn("log", "small", "publish").stdout.hasPrefix("small: publish: check min-edges: "))
    #expect(try cairn("log", "good").stdout.hasSuffix("good validate: succeeded\n") == false)
    let one = try cairn("log", "good", "build-graph").stdout
    #expect(one.hasPrefix("good build-graph: succeeded\n  log: ") && one.contains("\n  | "))
    #expect(one.split(separator: "\n").count { $0.hasPrefix("good ") } == 1)
  }

  @Test("without a region there are the logs of those that failed in the last run")
  func allLogs() throws {
    let logs = try cairn("log")
    #expect(logs.status == 0)
    let (small, far) = (try cairn("log", "small").stdout, try cairn("log", "far").stdout)
    #expect([small + "\n" + far, far + "\n" + small].contains(logs.stdout), "\(logs.stdout)")
    #expect(try cairn("run", "-q", "--regions", "good").status == 0)
    #expect(try cairn("log").stdout == "")
  }

  @Test("a log of what is not there is refused with what there is")
  func noLogs() throws {
    let wrong = try cairn("log", "good", "build-grph")
    #expect(wrong.status == 64 && wrong.stderr.contains("did you mean build-graph?"))
    #expect(
      try cairn("log", "good", "build-graph", "more").stderr.contains("unexpected argument “more”"))
    #expect(try cairn("log", "god").stderr.contains("did you mean good?"))
    let never = try cairn("log", "far", "validate")
    #expect(never.status == 66 && never.stderr.contains("no log of far validate is kept"))
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    _ = try cairn("log", "far")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
  }

  @Test("the log of an attempt that was killed says that it has not ended")
  func killed() throws {
    try makeFolders(folder.file("out/.cairn/attempts/good.validate.1.1"))
    try folder.write("half a li", to: "out/.cairn/attempts/good.validate.1.1/stderr.log")
    let log = try cairn("log", "good").stdout
    #expect(log.hasPrefix("good validate: has not ended: it was killed, or is running\n"))
    #expect(log.hasSuffix("\n  | half a li\n"))
    #expect(log.split(separator: "\n").count == 3)
  }

  @Test("with --max-age the exit code tells the age of the published data, nothing else")
  func ages() throws {
    // The sample's data is of 2026-01-01.
    #expect(try cairn("status", "--regions", "good").status == 0)
    let old = try cairn("status", "--regions", "good", "--max-age", "36h")
    #expect(old.status == 1)
    #expect(old.stdout.contains(/its data is \S+ d old, more than 36 h/), "\(old.stdout)")
    #expect(try cairn("status", "--regions", "good", "--max-age", "36500 d").status == 0)
    #expect(try cairn("status", "--regions", "good,far", "--max-age", "36500d").status == 1)
    try folder.write(
      String(decoding: folder.read("cairn.yaml"), as: UTF8.self)
        .replacing("profiles: [hiking]", with: "profiles: [trail-hiking]"), to: "cairn.yaml")
    #expect(try cairn("status", "--regions", "good").status == 1)
    #expect(try cairn("status", "--regions", "good", "--max-age", "36500d").status == 0)
    for text in ["7", "d", "-1d", "7 w", "nan d", "1e9d"] {
      let wrong = try cairn("status", "--max-age", text)
      #expect(wrong.status == 64 && wrong.stderr.contains("--max-age"), "\(text): \(wrong.stderr)")
    }
  }

  @Test("each column of the table of states but the last is one word")
  func columns() throws {
    for line in try cairn("status").stdout.split(separator: "\n").prefix(2) {
      #expect(line.split(separator: " ").count == 6, "\(line)")
    }
  }

  @Test("metrics tell of each region, also of those of earlier runs, and nothing that is unknown")
  func samples() throws {
    let first = try metrics()
    func name(_ metric: String, _ region: String) -> String {
      "cairn_\(metric){manifest=\"al\\\"ps\",region=\"\(region)\"}"
    }
    #expect(first["cairn_run_exit_code{manifest=\"al\\\"ps\"}"] == "1")
    let regions = ["good", "small", "far"]
    #expect(regions.map { first[name("region_failed", $0)] } == ["0", "1", "1"])
    let success = try #require(first[name("region_last_success_timestamp_seconds", "good")])
    #expect(success == first["cairn_run_end_timestamp_seconds{manifest=\"al\\\"ps\"}"])
    #expect(first[name("region_data_timestamp_seconds", "good")] == "1767225600")
    #expect(Int(first[name("region_edges", "good")] ?? "").map { $0 > 50 } == true)
    #expect(Int(first[name("region_size_bytes", "good")] ?? "").map { $0 > 50_000 } == true)
    #expect(first[name("region_warnings", "good")] != nil)
    for metric in ["last_success_timestamp_seconds", "data_timestamp_seconds", "edges", "warnings"]
    {
      #expect(first[name("region_\(metric)", "far")] == nil)
    }
    let next = try cairn("run", "-q", "--regions", "far", "--metrics", folder.file("cairn.prom"))
    #expect(next.status == 1)
    let second = try metrics()
    #expect(Set(second.keys) == Set(first.keys))
    #expect(second[name("region_failed", "good")] == "0")
    #expect(second[name("region_last_success_timestamp_seconds", "good")] != nil)
    #expect(second[name("region_edges", "good")] == first[name("region_edges", "good")])
  }

  @Test("the lines of the metrics have the form that Prometheus reads")
  func form() throws {
    let text = String(decoding: try folder.read("cairn.prom"), as: UTF8.self)
    var described: Set<Substring> = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines.count > 20)
    for (line, after) in zip(lines, lines.dropFirst()) {
      if let help = line.wholeMatch(of: /# HELP ([a-z_]+) [A-Z].*\./) {
        #expect(described.insert(help.1).inserted, "\(line)")
        #expect(after == "# TYPE \(help.1) gauge")
      } else if !line.hasPrefix("# TYPE ") {
        let sample = line.wholeMatch(
          of: /([a-z_]+)\{manifest="al\\"ps"(?:,region="[a-z]+")?\} [0-9]+(?:\.[0-9]+)?/)
        #expect(sample.map { described.contains($0.1) } == true, "\(line)")
      }
    }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else { return }
    let checked = try runProcess(
      "/usr/bin/promtool", ["check", "metrics"], stdin: folder.file("cairn.prom"))
    #expect(checked.status == 0, "\(checked.stdout)\(checked.stderr)")
  }

  @Test("metrics that cannot be written are refused before the work begins")
  func refused() throws {
    let mine = try folder.write("mine\n", to: "mine.prom")
    for (path, says) in [(mine, "exists"), ("\(folder.path)/nowhere/c.prom", "cannot create")] {
      let result = try cairn("run", "--force", "--metrics", path)
      #expect(result.status == 73)
      #expect(result.stderr.hasPrefix("cairn run: error: \(path): \(says)"), "\(result.stderr)")
      #expect(result.stdout == "")
    }
    #expect(try String(decoding: folder.read("mine.prom"), as: UTF8.self) == "mine\n")
  }

  @Test("the mail after a bad night has the states, and the logs of those that need someone")
  func mail() throws {
    let sendmail = folder.file("sendmail")
    let script = try folder.write(
      "#!/bin/sh\necho \"$*\" >'\(folder.file("words"))'\ncat >'\(folder.file("mail"))'\n",
      to: "script")
    #expect(try runProcess("install", ["-m", "755", script, sendmail]).status == 0)
    let environment = ProcessInfo.processInfo.environment.merging([
      "CAIRN_BIN": Executables.folder, "MANIFEST": folder.file("cairn.yaml"),
      "SENDMAIL": sendmail, "MAILTO": "maps@example.org",
    ]) { $1 }
    let program = "\(packageRoot)/pipelines/nightly/mail-failure"
    #expect(try runProcess(program, environment: environment).status == 0)
    #expect(try String(decoding: folder.read("words"), as: UTF8.self) == "-t -i\n")
    let mail = String(decoding: try folder.read("mail"), as: UTF8.self)
    #expect(mail.hasPrefix("To: maps@example.org\nSubject: Cairn on "))
    #expect(mail.contains(": the nightly run failed for 2 regions\nMIME-Version: 1.0\n"))
    #expect(mail.contains("\n\n\(folder.file("cairn.yaml"))\n\nregion "))
    #expect(mail.contains("\nfar decode-pbf: "))
    #expect(mail.contains("\nsmall: publish: check min-edges: "))
    #expect(!mail.contains("\ngood build-graph"))
    let without = try runProcess(
      program, environment: environment.merging(["SENDMAIL": "/nowhere"]) { $1 })
    #expect(without.status == 66)
    #expect(without.stderr.contains("/nowhere does not exist") && without.stderr.contains("far "))
  }
}
