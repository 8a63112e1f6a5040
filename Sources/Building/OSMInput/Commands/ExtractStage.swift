// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnTagRules
import CommandLineKit
import SystemIO
import TrailData

/// The common part of the commands that read OpenStreetMap files: they read the input once and write
/// one file per region.
enum ExtractStage {
  /// How the commands handle several regions, for their help pages.
  static let severalRegions =
    " If some of several regions fail, the others are still written; the exit code is that of the "
    + "first failure."

  static func options(input: String) -> [CommandDefinition.Option] {
    [.option("input", "FILE", letter: "i", required: true, help: input)] + RegionTarget.options + [
      .option(
        "highways", "LIST",
        help:
          "values of highway to keep, separated by commas (default: all that can be walked or "
          + "ridden on)")
    ]
  }

  /// The values of `highway` that are wanted. Throws 64 for one that never makes a way routable.
  static func highways(_ arguments: Arguments) throws(CairnError) -> HighwayChoice {
    guard let list = arguments.value("highways") else { return .all }
    let words = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for word in words where !TagSelection.routableHighways.contains(word) {
      throw arguments.usageError(
        "--highways takes values of highway for walking or cycling, not “\(printable(word))”",
        hint: nearestWord(to: word, among: TagSelection.routableHighways.sorted())
          .map { "did you mean \($0)?" })
    }
    return HighwayChoice(words)
  }

  /// The counts of a region's file, and the warnings about it.
  private struct Outcome: Sendable {
    var ways: Int
    var nodes: Int
    var refs: Int
    var taggedNodes: Int
    var routes: Int
    var pois: Int
    var warnings: WarningTally

    /// The key of the warnings in a report.
    private static let warningsKey = "regionWarnings"

    /// What a report says of a region; nil if it says nothing.
    init?(_ report: [String: JSONValue]) {
      guard let ways = report["ways"]?.integer, let nodes = report["nodes"]?.integer,
        let refs = report["refs"]?.integer, let taggedNodes = report["taggedNodes"]?.integer,
        let routes = report["routes"]?.integer, let pois = report["pois"]?.integer,
        let entries = StageReport.entries(report[Self.warningsKey] ?? .list([]))
      else { return nil }
      (self.ways, self.nodes, self.refs) = (ways, nodes, refs)
      (self.taggedNodes, self.routes, self.pois) = (taggedNodes, routes, pois)
      warnings = WarningTally()
      for entry in entries {
        warnings.add(entry.kind, count: entry.count, examples: entry.examples)
      }
    }

    init(_ cut: TrailsCut, _ content: TrailsContent, _ warnings: WarningTally) {
      ways = content.wayIDs.count
      nodes = cut.nodeCount
      refs = cut.refCount
      taggedNodes = content.taggedNodes.count
      routes = content.routeIDs.count
      pois = content.poiIDs.count
      self.warnings = warnings
    }

    var report: [String: JSONValue] {
      var report: [String: JSONValue] = [
        "nodes": .integer(nodes), "ways": .integer(ways), "refs": .integer(refs),
        "taggedNodes": .integer(taggedNodes), "routes": .integer(routes), "pois": .integer(pois),
      ]
      if warnings.total > 0 { report[Self.warningsKey] = StageReport.json(warnings.entries) }
      return report
    }
  }

  /// Runs a command: `open` takes the open input and returns a function that reads it for the regions.
  ///
  /// If some of several regions fail, the others are written all the same; then an error is thrown
  /// that has the exit code of the first failure and lists all.
  static func run(
    _ stage: StageRun,
    _ open: (InputFile, [Region]) throws(CairnError) -> (
      @Sendable () throws(CairnError) -> OSMCandidates
    )
  ) throws(CairnError) -> ExitCode {
    let path = try stage.arguments.required("input")
    let targets = try RegionTarget.all(stage.arguments)
    let earlier = try EarlierExtract.all(stage.arguments)
    // Opened once, so that the digest is that of the data read even if the file is replaced.
    let file = try InputFile(path)
    let read = try open(file, targets.compactMap { try? $0.region.get() })
    // Find out before the whole input is read that an output cannot be written.
    if let only = targets.first, only.id == nil {
      try ContainerWriter.checkOutput(only.output, kind: .trails)
    }
    let digest = BackgroundTask(threads: stage.threads) { isWanted throws(CairnError) in
      try SHA256Digest.ofFile(file, while: isWanted)
    }
    let candidates = try read()
    StageRun.keepUntilExit(candidates)
    stage.progress.begin("regions", total: targets.count)
    let source = { @Sendable () throws(CairnError) in
      Provenance.Source(
        name: splitPath(path).name, sha256: try digest.value(), bytes: file.size)
    }
    let outcomes = Collector<Result<Outcome, CairnError>>(count: targets.count)
    let queue = WorkQueue(count: targets.count)
    let workers = max(1, min(stage.threads, targets.count))
    let threadsOfRegion = stage.threads / workers
    runWorkers(workers) { [progress = stage.progress] _ in
      while let index = queue.next() {
        let outcome = Result { () throws(CairnError) in
          let target = targets[index]
          if let known = target.id.flatMap({ earlier[$0] }),
            let outcome = try reuse(known, for: target, candidates, from: source)
          {
            return outcome
          }
          let (outcome, content) = try write(
            target, candidates, threads: threadsOfRegion, from: source)
          // Those of more regions would add up.
          if targets.count == 1 { StageRun.keepUntilExit(content) }
          return outcome
        }
        outcomes.set(index, outcome)
        progress.advance(by: 1)
      }
    }
    describeInput(candidates, try source(), in: stage)
    return try finish(stage, targets, outcomes.values(), candidates.counts)
  }

  private static func describeInput(
    _ candidates: OSMCandidates, _ source: Provenance.Source, in stage: StageRun
  ) {
    let counts = candidates.counts
    stage.input = [
      "bytes": .integer(source.bytes), "sha256": .text(source.sha256),
      "nodes": .integer(counts.nodes),
      "ways": .integer(counts.ways), "relations": .integer(counts.relations),
      "highways": .integer(counts.highways), "sacScales": .integer(counts.sacScales),
    ]
    stage.input["dataTimestamp"] = candidates.dataTimestamp.map { .text($0) }
    if candidates.overtakenChanges > 0 {
      stage.input[EarlierExtract.overtakenKey] = .integer(candidates.overtakenChanges)
    }
    stage.warnings.merge(candidates.warnings)
  }

  /// Takes an earlier result for a region that no other changes reach; nil if others do.
  private static func reuse(
    _ earlier: EarlierExtract, for target: RegionTarget, _ candidates: OSMCandidates,
    from source: () throws(CairnError) -> Provenance.Source
  ) throws(CairnError) -> Outcome? {
    let region = try target.region.get()
    guard let outcome = Outcome(earlier.report.output), earlier.isSeparable,
      EarlierExtract.isSeparable(candidates),
      try earlier.provenance
        == provenance(of: region, candidates, from: source, earlier.provenance.counts),
      linkFile(earlier.path, to: target.output)
    else { return nil }
    return outcome
  }

  private static func provenance(
    of region: Region, _ candidates: OSMCandidates,
    from source: () throws(CairnError) -> Provenance.Source, _ counts: [String: Int]
  ) throws(CairnError) -> Provenance {
    let (changes, timestamp) = candidates.changes(of: region)
    return Provenance(
      tool: "cairn \(cairnVersion)", source: try source(), changes: changes,
      dataTimestamp: timestamp, region: region.name, counts: counts)
  }

  /// Cuts a region out and writes it.
  private static func write(
    _ target: RegionTarget, _ candidates: OSMCandidates, threads: Int,
    from source: () throws(CairnError) -> Provenance.Source
  ) throws(CairnError) -> (Outcome, TrailsContent) {
    let region = try target.region.get()
    let (cut, warnings) = try candidates.select(region)
    let content = try TrailsContent.write(
      cut.columns, to: target.output, threads: threads, rest: cut.smallColumns
    ) { content throws(CairnError) in
      try provenance(
        of: region, candidates, from: source,
        ["ways": content.wayIDs.count, "nodes": cut.nodeCount])
    }
    return (Outcome(cut, content, warnings), content)
  }

  /// Fills in the report. Throws the errors of all failed regions as one.
  private static func finish(
    _ stage: StageRun, _ targets: [RegionTarget], _ outcomes: [Result<Outcome, CairnError>],
    _ counts: OSMCounts
  ) throws(CairnError) -> ExitCode {
    let sharedWarnings = stage.warnings
    var regions: [String: JSONValue] = [:]
    var failures: [CairnError] = []
    var kept: [Outcome] = []
    for (target, outcome) in zip(targets, outcomes) {
      switch outcome {
      case .success(let outcome):
        kept.append(outcome)
        stage.warnings.merge(outcome.warnings)
        if let id = target.id {
          var entry = outcome.report
          var warnings = sharedWarnings
          warnings.merge(outcome.warnings)
          entry["warnings"] = StageReport.json(warnings.entries)
          regions[id] = .object(entry)
        } else {
          stage.output = outcome.report
        }
      case .failure(var error):
        if let id = target.id {
          regions[id] = .object(["error": report(error)])
          error.message = "region \(id): \(error.message)"
        }
        failures.append(error)
      }
    }
    if !regions.isEmpty { stage.output = ["regions": .object(regions)] }
    guard var failure = failures.first else {
      stage.summary = summary(kept, counts)
      return .success
    }
    failure.further += failures.dropFirst()
    throw failure
  }

  private static func report(_ error: CairnError) -> JSONValue {
    .object([
      "code": .text(error.code.rawValue), "message": .text(error.description),
      "exitCode": .integer(Int(error.exitCode.rawValue)),
    ])
  }

  private static func summary(_ kept: [Outcome], _ counts: OSMCounts) -> String {
    func sum(_ part: (Outcome) -> Int) -> Int { kept.reduce(0) { $0 + part($1) } }
    let others = [
      (sum(\.routes), "waymarked routes"), (sum(\.pois), "points of interest"),
    ]
    let further = others.filter { $0.0 > 0 }.map { ", \(grouped($0.0)) \($0.1)" }.joined()
    if kept.count == 1, let only = kept.first {
      return "kept \(grouped(only.ways)) of \(grouped(counts.ways)) ways and "
        + "\(grouped(only.nodes)) of \(grouped(counts.nodes)) nodes" + further
    }
    return "wrote \(grouped(kept.count)) regions with \(grouped(sum(\.ways))) ways and "
      + "\(grouped(sum(\.nodes))) nodes" + further
  }
}
