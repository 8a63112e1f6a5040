// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Signals and the environment")
struct SignalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A manifest with one region of a source.
  private func manifest(source: String) throws -> String {
    try folder.write(
      """
      cairn: 1
      name: test
      output: out
      sources: { s: { pbf: \(source) } }
      elevation: none
      profiles: [hiking]
      defaults: { source: s }
      regions:
        - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
        - { id: east, name: East, bbox: [10.10, 47.00, 10.20, 47.10] }
      """, to: "m.yaml")
  }

  @Test(
    "a run that reads a large file ends at once when it is told to", arguments: [SIGTERM, SIGINT])
  func stopsWhileItReads(signal: Int32) throws {
    try folder.write("", to: "large.osm.pbf")
    // Reading it takes an hour; it has no blocks on the disk.
    #expect(truncate(folder.file("large.osm.pbf"), 8 << 40) == 0)
    let process = try Subprocess(
      "\(Executables.folder)/cairn", ["run", try manifest(source: "large.osm.pbf")],
      standardOutput: .nothing, standardError: .file(folder.file("log")))
    let start = Date()
    var signalled: Date?
    let ending = process.wait(tick: {
      // It goes on reading: a failure is not to take as long.
      if let signalled, Date().timeIntervalSince(signalled) > 300 { process.send(SIGKILL) }
      let isAtWork = pathExists(folder.file("out/.cairn")) || Date().timeIntervalSince(start) > 60
      guard signalled == nil, isAtWork, Date().timeIntervalSince(start) > 1 else { return }
      signalled = Date()
      process.send(signal)
    })
    #expect(signalled != nil)
    let log = String(decoding: try folder.read("log"), as: UTF8.self)
    #expect(ending.exitStatus == 75, "\(log)")
    #expect(!log.contains("failed"), "\(log)")
  }

  @Test("a time of SOURCE_DATE_EPOCH that there is not is told once, before anything runs")
  func sourceDateEpoch() throws {
    let manifest = try manifest(source: "\(packageRoot)/sample-data/valley.osm.pbf")
    for value in ["253402300800", "-1", "yesterday", "1e308"] {
      let environment = Executables.environment.merging(["SOURCE_DATE_EPOCH": value]) { $1 }
      let result = try Executables.run("cairn", ["run", manifest], environment: environment)
      #expect(result.status == 64)
      #expect(result.stderr.split(separator: "SOURCE_DATE_EPOCH must be").count == 2)
      #expect(!pathExists(folder.file("out")))
      let gpx = try Executables.run(
        "cairn", ["waypoints", "add", folder.file("w.db"), "--at", "47,10"],
        environment: environment)
      #expect(gpx.status == 64, "\(gpx.stderr)")
    }
  }

  @Test("an argument that is not UTF-8 is named as the reason")
  func notUTF8() throws {
    let script = #"name=$(printf 'caf\351.pbf'); : > "$name"; "$0" inspect "$name""#
    let result = try runProcess(
      "sh", ["-c", script, "\(Executables.folder)/cairn"], in: folder.path)
    #expect(result.status == 64)
    #expect(result.stderr.contains("the argument “caf\u{FFFD}.pbf” is not UTF-8"))
    let stage = try runProcess(
      "sh",
      [
        "-c", #"exec "$0" --input "$(printf 'caf\351.pbf')""#,
        "\(Executables.folder)/cairn-decode-pbf",
      ], in: folder.path)
    #expect(stage.status == 64 && stage.stderr.contains("is not UTF-8"))
  }

  @Test("a folder whose name is not UTF-8 is worked in")
  func folderIsNotUTF8() throws {
    let script = #"""
      here=$(printf 'caf\351'); mkdir "$here"; cd "$here"; cp "$1" m.yaml
      "$0" run m.yaml -q && "$0" bundle verify out && ls -d ../caf*
      """#
    let manifest = try manifest(source: "\(packageRoot)/sample-data/valley.osm.pbf")
    let result = try runProcess(
      "sh", ["-c", script, "\(Executables.folder)/cairn", manifest], in: folder.path)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try folder.contents.count == 2)
  }
}
