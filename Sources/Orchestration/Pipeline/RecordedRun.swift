// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import FoundationEssentials
import Manifests
import Publishing
import ResultStore
import SystemIO
import Validation

/// An earlier run, from its record and the bundles and results that are still kept.
package struct RecordedRun: Sendable {
  /// A stage of a region.
  package struct StageRun: Sendable {
    /// The stage's name.
    package var stage: String
    /// Seconds that it took; nil if its result existed already.
    package var seconds: Double?
    /// Seconds from the start of the run until it began; nil if not recorded.
    package var start: Double?
    /// Its largest resident memory in bytes.
    package var peakBytes: Int?
    /// The findings of a validator, if its result is still kept.
    package var checks: [ValidationReport.Check] = []

    package init(
      stage: String, seconds: Double? = nil, start: Double? = nil, peakBytes: Int? = nil,
      checks: [ValidationReport.Check] = []
    ) {
      self.stage = stage
      self.seconds = seconds
      self.start = start
      self.peakBytes = peakBytes
      self.checks = checks
    }
  }

  /// A region.
  package struct Region: Sendable {
    /// Its id.
    package var id: String
    /// `built`, `cached`, `failed` or `stopped`.
    package var status: String
    /// Whether an earlier bundle was kept published.
    package var isHeld: Bool
    /// Since when and why; nil if it was not, or not recorded.
    package var heldBack: String?
    /// Seconds of its stages, added up.
    package var seconds: Double
    /// Edges of its database.
    package var edges: Int?
    /// Bytes of its bundle.
    package var bytes: Int?
    /// The edges and bytes recorded by the previous run.
    package var before: (edges: Int?, bytes: Int?)?
    /// The currently published bundle; nil if there is none.
    package var bundle: PublishedBundle?
    /// The warnings of that; nil if they are not recorded.
    package var warnings: BundleWarnings?
    /// The warnings of what the last run refused to publish; nil if it refused nothing.
    package var refused: BundleWarnings?
    /// Its stages in order.
    package var stages: [StageRun]
    /// The differences of its databases from those published before, if compared.
    package var drift: [DriftReport]

    package init(
      id: String, status: String, isHeld: Bool, seconds: Double, edges: Int? = nil,
      bytes: Int? = nil, before: (edges: Int?, bytes: Int?)? = nil,
      bundle: PublishedBundle? = nil, warnings: BundleWarnings? = nil,
      refused: BundleWarnings? = nil, stages: [StageRun], drift: [DriftReport]
    ) {
      self.id = id
      self.status = status
      self.isHeld = isHeld
      self.seconds = seconds
      self.edges = edges
      self.bytes = bytes
      self.before = before
      self.bundle = bundle
      self.warnings = warnings
      self.refused = refused
      self.stages = stages
      self.drift = drift
    }
  }

  /// The published bundle of a region.
  package struct PublishedBundle: Sendable {
    /// Its name.
    package var name: String
    /// The program that made it.
    package var generator: String
    /// The source file and its digest.
    package var source: (name: String, sha256: String)
    /// The time of the data.
    package var dataTimestamp: String?
    /// Nodes of the database.
    package var nodes: Int
    /// Edges of the database.
    package var edges: Int
    /// The share of nodes with an elevation, 0…1.
    package var elevationCoverage: Double
    /// Its area; nil if unknown.
    package var box: BoundingBox?
    /// Its database of places, if any.
    package var places: String?
  }

  /// Why a region could not be finished.
  package struct Failure: Decodable, Sendable {
    /// The region.
    package var region: String
    /// The stage.
    package var stage: String
    /// What happened.
    package var message: String
    /// The last lines of its log.
    package var lastLines: [String]?
  }

  /// The number of the run.
  package var number: Int
  /// The number of the previous run, if still recorded.
  package var previous: Int?
  /// The manifest's file.
  package var manifest: String
  /// When it began, ISO 8601.
  package var started: String
  /// How long it took.
  package var seconds: Double
  /// The version of Cairn that ran.
  package var version: String
  /// The signal that stopped it.
  package var signal: String?
  /// The regions.
  package var regions: [Region]
  /// What failed.
  package var failures: [Failure]

  /// Reads the record of a run.
  ///
  /// - Parameters:
  ///   - path: The manifest, or its output folder.
  ///   - number: The number of the run; nil for the last one.
  ///
  /// Throws 66 if there is no such run, 65 if its record is damaged, and the errors of a manifest.
  package init(_ path: String, number wanted: Int? = nil) throws(CairnError) {
    let folder =
      isRealFolder(path) && !pathExists(joinPath(path, Manifest.usualName))
      ? path : try Manifest.load(argument: path).output
    let store = ActionStore(ofOutput: folder)
    let records = RunRecord(store: store)
    let numbers = try records.numbers()
    guard let last = numbers.last else {
      throw CairnError(
        "no-run", .noInput, "no run is recorded here", at: Location(file: store.root),
        hint: "run cairn run MANIFEST first")
    }
    guard let number = numbers.last(where: { $0 == wanted ?? last }) else {
      throw CairnError(
        "no-run", .noInput, "run \(wanted ?? last) is not recorded",
        at: Location(file: store.root), hint: "runs \(numbers[0]) to \(last) are")
    }
    let content = try Content(records.path(number))
    let previous = numbers.last { $0 < number }
    let before = previous.flatMap { try? Content(records.path($0)) }
    self.number = number
    self.previous = before == nil ? nil : previous
    manifest = content.manifest
    (started, seconds, version) = (content.started, content.seconds, content.version)
    (signal, failures) = (content.signal, content.failures)
    regions = try content.regions.map { record throws(CairnError) in
      try Region(record, before: before, output: folder, store: store)
    }
  }
}

/// The record of a run in its file.
private struct Content: Decodable {
  struct Stage: Decodable {
    var stage: String
    var seconds: Double?
    var start: Double?
    var key: String?
    var peakBytes: Int?
  }

  struct Region: Decodable {
    var id: String
    var status: String
    var held: Bool?
    var heldBack: String?
    var seconds: Double
    var edges: Int?
    var bytes: Int?
    var stages: [Stage]
    var drift: [DriftReport]?

    package init(
      id: String, status: String, held: Bool? = nil, seconds: Double, edges: Int? = nil,
      bytes: Int? = nil, stages: [Stage], drift: [DriftReport]? = nil
    ) {
      self.id = id
      self.status = status
      self.held = held
      self.seconds = seconds
      self.edges = edges
      self.bytes = bytes
      self.stages = stages
      self.drift = drift
    }
  }

  var manifest: String
  var started: String
  var seconds: Double
  var version: String
  var signal: String?
  var regions: [Region]
  var failures: [RecordedRun.Failure]

  init(_ path: String) throws(CairnError) {
    let bytes = try InputFile(path).readAll(limit: 64 << 20)
    do { self = try JSONDecoder().decode(Content.self, from: Data(bytes)) } catch {
      throw CairnError(
        "damaged-record", .dataError, "is not a run record", at: Location(file: path))
    }
  }
}

extension RunRecord {
  /// What the kept records say of a region.
  struct Outcome {
    /// Whether its last run failed.
    let hasFailed: Bool
    /// Whether it kept an earlier bundle published.
    let isHeld: Bool
    /// The end of the last run in which it did not fail, in seconds since 1970; nil if there is none.
    var lastSuccess: Double?
  }

  /// The outcomes of some regions, by their ids, without those that no record names. A damaged record is
  /// left out. Throws 74 if the records cannot be listed.
  func lastOutcomes(of ids: Set<String>) throws(CairnError) -> [String: Outcome] {
    var outcomes: [String: Outcome] = [:]
    var open = ids
    for number in try numbers().reversed() where !open.isEmpty {
      guard let run = try? Content(path(number)) else { continue }
      let end = secondsOfTimestamp(run.started).map { $0 + run.seconds }
      for region in run.regions where open.contains(region.id) && region.status != "stopped" {
        let hasFailed = region.status == "failed"
        if outcomes[region.id] == nil {
          outcomes[region.id] = Outcome(hasFailed: hasFailed, isHeld: region.held ?? false)
        }
        guard !hasFailed else { continue }
        outcomes[region.id]?.lastSuccess = end
        open.remove(region.id)
      }
    }
    return outcomes
  }
}

/// The seconds since 1970 of a time in ISO 8601; nil if it is none.
package func secondsOfTimestamp(_ text: String) -> Double? {
  (try? Date(text, strategy: .iso8601))?.timeIntervalSince1970
}

extension RecordedRun.Region {
  fileprivate init(
    _ record: Content.Region, before: Content?, output: String, store: ActionStore
  ) throws(CairnError) {
    (id, status, isHeld) = (record.id, record.status, record.held ?? false)
    heldBack = record.heldBack
    (seconds, edges, bytes) = (record.seconds, record.edges, record.bytes)
    self.before = before?.regions.first { $0.id == record.id }.map { ($0.edges, $0.bytes) }
    drift = record.drift ?? []
    if isRegionID(record.id) {
      bundle = RecordedRun.PublishedBundle(inFolder: joinPath(output, record.id))
      let records = WarningRecords(ofOutput: output)
      (warnings, refused) = (try records.published(record.id), try records.refused(record.id))
    }
    stages = record.stages.map { RecordedRun.StageRun($0, store) }
  }
}

extension RecordedRun.PublishedBundle {
  fileprivate init?(inFolder folder: String) {
    guard let record = BundleRecord(inFolder: folder) else { return nil }
    (name, generator) = (record.name, record.generator)
    source = (record.source.name, record.source.sha256)
    dataTimestamp = record.dataTimestamp
    (nodes, edges) = (record.counts.nodes, record.counts.edges)
    elevationCoverage = record.elevationCoverage
    if let box = RegionRecord(inFolder: folder)?.boundingBox {
      let known = BoundingBox(west: box.west, south: box.south, east: box.east, north: box.north)
      self.box = known.isValid ? known : nil
    }
    places = record.files.keys.sorted().first { $0.hasSuffix(".places.db") && isPlainFileName($0) }
      .map { joinPath(folder, $0) }
  }
}

extension RecordedRun.StageRun {
  private struct Checks: Decodable { var checks: [ValidationReport.Check] }

  fileprivate init(_ record: Content.Stage, _ store: ActionStore) {
    stage = record.stage
    (seconds, start, peakBytes) = (record.seconds, record.start, record.peakBytes)
    // A key is a digest: nothing else names a folder here.
    guard let key = record.key, SHA256Digest.isDigest(key) else { return }
    let folder = joinPath(store.actions, key)
    let path = joinPath(folder, "validation.json")
    if let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let content = try? JSONDecoder().decode(Checks.self, from: Data(bytes))
    {
      checks = content.checks.filter { $0.status != "pass" && $0.status != "skipped" }
    }
  }
}
