// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import Synchronization
import SystemIO
import TrailData

/// `cairn-decode-pbf`: from an OpenStreetMap PBF file to a `.trails` file.
public enum DecodePBFCommand: StageCommand {
  /// The options of the command.
  public static let stageDefinition = CommandDefinition(
    name: "cairn-decode-pbf",
    summary: "keep the routable ways of an OpenStreetMap PBF file",
    discussion:
      "Keeps every way with a highway to walk or ride on that touches the region, complete with "
      + "all its nodes and the tags that decide a route. Blobs may be raw or compressed with zlib.",
    options: ExtractStage.options(input: "the .osm.pbf file to read"),
    examples: [
      "cairn-decode-pbf --input andorra.osm.pbf --output andorra.trails",
      "cairn-decode-pbf --input alps.osm.pbf --bbox 10.0,47.0,10.1,47.1 --output valley.trails",
    ])

  /// Reads, keeps and writes.
  public static func run(_ stage: StageRun) throws -> ExitCode {
    let path = try stage.arguments.required("input")
    let region = try ExtractStage.region(stage.arguments)
    let parser = try PBFParser(
      path, region: region, threads: stage.threads, progress: stage.progress)
    let (extract, digest) = try concurrently(
      threads: stage.threads, { () throws(CairnError) in try parser.parse() },
      { () throws(CairnError) in try SHA256Digest.ofFile(path) })
    let source = Provenance.Source(
      name: splitPath(path).name, sha256: digest, bytes: parser.byteCount)
    return try ExtractStage.finish(stage, extract, from: source, region: region)
  }
}

/// Runs two jobs, at the same time unless there is but one thread, and returns what both return.
/// If both fail, the error of the first one is thrown.
func concurrently<First: Sendable, Second: Sendable>(
  threads: Int, _ first: @escaping @Sendable () throws(CairnError) -> First,
  _ second: @escaping @Sendable () throws(CairnError) -> Second
) throws(CairnError) -> (First, Second) {
  let jobs = WorkQueue(count: 2)
  let results = Mutex<(Result<First, CairnError>?, Result<Second, CairnError>?)>((nil, nil))
  do {
    try withWorkers(min(2, threads)) { _ in
      while let job = jobs.next() {
        if job == 0 {
          let result = Result(catching: first)
          results.withLock { $0.0 = result }
        } else {
          let result = Result(catching: second)
          results.withLock { $0.1 = result }
        }
      }
    }
  } catch { throw asCairnError(error) }
  guard case (let first?, let second?) = results.withLock({ $0 }) else {
    throw CairnError("unexpected", .software, "a job was left undone")
  }
  return (try first.get(), try second.get())
}
