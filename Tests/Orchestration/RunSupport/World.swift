// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnSQLiteKit
import Execution
import Foundation
import Manifests
import Pipeline
import Planning
import Synchronization
import SystemIO
import TestSupport

/// A folder with a manifest of two regions, its inputs, and stages that are shell scripts: they copy
/// what they read, so that a changed input shows in what is published. Waypoints and search are
/// turned off, so that a region has one chain of stages.
package final class World: Sendable {
  package let folder: TemporaryFolder
  private let recorded = Mutex<[RunEvent]>([])

  /// Each stage records its call, does what `before-STAGE` says (such as failing), and then copies
  /// its input to its output. The decoder begins each region's file with the box, unless
  /// `cannot-REGION` holds an exit code; the graph stage keeps the first line only; the cost stage
  /// adds the profile, and begins with a database that names a profile and a tile.
  private static let script = """
    #!/bin/sh
    name=${0##*/cairn-}; here=${0%/*}; words="$*"; profile=; regions=
    while [ $# -gt 0 ]; do
      case $1 in
        --input) input=$2;; --output) output=$2;; --report) report=$2;;
        --region) regions="$regions $2";; --output-dir) folder=$2;;
        --url) url=$2;;
        --profile) [ -e "$2" ] && profile=$2;;
      esac
      shift
    done
    echo "$name $words" >> "$here/calls"
    [ -e "$here/before-$name" ] && . "$here/before-$name"
    echo '{"stage":"'"$name"'"}' > "$report"
    case $name in
      validate)
        safety='"safety":{"version":1,"kilometres":{"paths":1,"tracks":0,"roads":0},"grades":{"T4":1},"highestGrade":"T4","visibility":{},"unknownGrade":{"withoutElevation":0},"steepPercent":40,"hazards":[]}'
        edges=100; [ -e "$here/edges" ] && read -r edges < "$here/edges"
        echo '{"valid":true,"nodes":7,"edges":'"$edges"',"components":1,"elevationCoverage":0.9,'"$safety"'}';;
      decode-pbf|parse-overpass)
        entries=; failure=0
        for region in $regions; do
          id=${region%%=*}; entry='{}'
          if [ -e "$here/cannot-$id" ]; then
            read -r failure < "$here/cannot-$id"
            entry='{"error":{"code":"x","message":"cannot '"$id"'","exitCode":'"$failure"'}}'
          else
            { printf '%s ' "${region#*=}"; cat "$input"; } > "$folder/$id.trails"
          fi
          entries=$entries${entries:+,}'"'$id'":'$entry
        done
        echo '{"output":{"regions":{'"$entries"'}}}' > "$report"
        exit "$failure";;
      fetch) cp "${url#file://}" "$output";;
      build-graph) head -n 1 "$input" > "$output";;
      build-tiles) { echo tiles; [ -z "$input" ] || cat "$input"; } > "$output";;
      compute-costs) cat "$here/database" "$input" > "$output"; [ -z "$profile" ] || cat "$profile" >> "$output";;
      *) cat "$input" > "$output";;
    esac
    """

  package static let profile = "cairn-profile: 1\nname: mine\nbased-on: hiking\nclimb-factor: 8\n"

  package init() throws {
    folder = try TemporaryFolder()
    for name in ["bin", "hgt"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    for name in Stage.processNames.map({ "cairn-\($0)" }) { try writeExecutable(Self.script, name) }
    let database = try SQLiteConnection(folder.file("bin/database"), .build)
    for statement in [
      "CREATE TABLE routing_profiles (id INTEGER PRIMARY KEY, name TEXT, fingerprint TEXT)",
      "INSERT INTO routing_profiles VALUES (1, 'hiking', 'abc')",
      "CREATE TABLE routing_metadata (key TEXT PRIMARY KEY, value TEXT)",
      "INSERT INTO routing_metadata VALUES ('elevation_source', 'N47E010.hgt')",
    ] {
      try database.execute(statement)
    }
    database.close()
    try folder.write("first line\nsecond line\n", to: "valley.osm.pbf")
    try folder.write("tile", to: "hgt/N47E010.hgt")
    try folder.write(Self.profile, to: "mine.yaml")
    try folder.write(
      """
      cairn: 1
      name: test
      output: out
      sources: { valley: { pbf: valley.osm.pbf } }
      elevation: [{ hgt: hgt }]
      profiles: [hiking, mine.yaml]
      waypoints: false
      search: false
      defaults: { source: valley, checks: { min-edges: 50 } }
      regions:
        - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
        - { id: east, name: East, bbox: [10.10, 47.00, 10.20, 47.10] }
      """, to: "m.yaml")
  }

  /// Writes a stage. By way of another process: a program that a parallel test starts would hold
  /// the file open for writing for an instant, and what is being written cannot be run.
  package func writeExecutable(_ script: String, _ name: String) throws {
    let text = try folder.write(script, to: "script")
    let copy = try runProcess("install", ["-m", "755", text, folder.file("bin/\(name)")])
    guard copy.status == 0 else { throw TestFailure(copy.stderr) }
  }

  /// Says in shell script what a stage is to do before its work; `$words` is its command line.
  package func before(_ stage: Stage, _ script: String) throws {
    try folder.write(script + "\n", to: "bin/before-\(stage.rawValue)")
  }

  package func orchestrator(
    regions: [String]? = nil, force: Bool = false, parallelism: Int = 2, paranoid: Bool = false,
    interruption: Interruption = Interruption(),
    change: (inout Orchestrator.Options) -> Void = { _ in }
  ) throws -> Orchestrator {
    recorded.withLock { $0 = [] }
    var options = Orchestrator.Options(
      programs: StagePrograms(folder: folder.file("bin")), parallelism: parallelism)
    options.attempts.isForced = force
    options.isParanoid = paranoid
    options.attempts.retryPauseSeconds = 0
    options.attempts.graceSeconds = 0.2
    change(&options)
    let plan = try Plan(Manifest.load(folder.file("m.yaml")), selection: regions)
    return try Orchestrator(plan, options, interruption: interruption) { event in
      self.recorded.withLock { $0.append(event) }
    }
  }

  @discardableResult
  package func run(
    regions: [String]? = nil, force: Bool = false, parallelism: Int = 2,
    change: (inout Orchestrator.Options) -> Void = { _ in }
  ) throws -> RunSummary {
    try? FileManager.default.removeItem(atPath: folder.file("bin/calls"))
    return try orchestrator(
      regions: regions, force: force, parallelism: parallelism, change: change
    ).run()
  }

  /// Looks at the world as the commands do that change nothing.
  package func forecaster(regions: [String]? = nil) throws -> Forecaster {
    let plan = try Plan(Manifest.load(folder.file("m.yaml")), selection: regions)
    return Forecaster(
      plan,
      Orchestrator.Options(programs: StagePrograms(folder: folder.file("bin")), parallelism: 1))
  }

  /// What `cairn gc` looks with.
  package func collector() throws -> GarbageCollector {
    let plan = try Plan(Manifest.load(folder.file("m.yaml")), selection: nil)
    return try GarbageCollector(
      plan, OutputFolder(plan.manifest),
      Orchestrator.Options(programs: StagePrograms(folder: folder.file("bin")), parallelism: 1))
  }

  /// Replaces a piece of the manifest.
  package func change(_ old: String, to new: String) throws {
    let text = try self.text("m.yaml")
    guard text.contains(old) else { throw TestFailure("the manifest has no “\(old)”") }
    try folder.write(text.replacing(old, with: new), to: "m.yaml")
  }

  /// What happened in the last run.
  package var events: [RunEvent] { recorded.withLock { $0 } }

  /// The names of the stages that the last run called, in order.
  package var calls: [String] {
    guard let text = try? String(contentsOfFile: folder.file("bin/calls"), encoding: .utf8) else {
      return []
    }
    return text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  /// What a file says; of a database the text behind it.
  package func text(_ name: String) throws -> String {
    let bytes = try folder.read(name)
    let head = try name.hasSuffix(".routing.db") ? folder.read("bin/database") : []
    return String(
      decoding: bytes.dropFirst(bytes.starts(with: head) ? head.count : 0), as: UTF8.self)
  }

  /// Gives both regions of the manifest the box of the first one.
  package func giveBothRegionsOneShape() throws {
    try folder.write(
      text("m.yaml").replacing(
        "[10.10, 47.00, 10.20, 47.10]", with: "[10.00, 47.00, 10.10, 47.10]"),
      to: "m.yaml")
  }

  /// All files of the output but those in `.cairn`, with their content.
  package var publishedFiles: [String: [UInt8]] {
    get throws {
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out"))
      var contents: [String: [UInt8]] = [:]
      for name in files where !name.hasPrefix(".cairn") {
        // A folder has no content and is left out.
        contents[name] = try? folder.read("out/\(name)")
      }
      return contents
    }
  }
}

/// A text of JSON as a dictionary.
package func jsonText(_ text: String) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  guard let object = value as? [String: Any] else { throw TestFailure("no JSON object: \(text)") }
  return object
}
