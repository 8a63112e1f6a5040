// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import Manifests
import Planning
import Publishing
import SystemIO

/// A file of figures about a run and the regions of its manifest, in Prometheus' text format, for the
/// textfile collector of its node exporter.
///
/// What is unknown has no sample. Times are in seconds since 1970, as Prometheus recommends: an age is
/// `time()` minus one of them. Format: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct RunMetrics: Sendable {
  private static let beginning = "# HELP cairn_"

  private let path: String

  /// Throws 73 if the file could not be written, or if there is one that is not of this kind.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    // Before a night's work rather than after it. It leaves nothing.
    _ = try AtomicOutput(path) { $0.starts(with: Self.beginning.utf8) }
  }

  /// Writes the figures of a run that has just ended.
  ///
  /// - Parameters:
  ///   - folder: The manifest's output folder, whose records tell about regions that this run did not
  ///     build.
  ///   - end: The present time, in seconds since 1970.
  package func write(
    _ summary: RunSummary, of manifest: Manifest, _ folder: OutputFolder, end: Double
  ) throws(CairnError) {
    let text = try Self.text(summary, of: manifest, folder, end: end)
    try AtomicOutput.write(Array(text.utf8), to: path) { $0.starts(with: Self.beginning.utf8) }
  }

  private static func text(
    _ summary: RunSummary, of manifest: Manifest, _ folder: OutputFolder, end: Double
  ) throws(CairnError) -> String {
    var text = ""
    /// Adds the samples of one metric, by region; without regions, that of the manifest.
    func add(_ name: String, _ help: String, _ samples: [(region: String?, value: String?)]) {
      let known = samples.compactMap { sample in sample.value.map { (sample.region, $0) } }
      guard !known.isEmpty else { return }
      text += "\(beginning)\(name) \(help)\n# TYPE cairn_\(name) gauge\n"
      for (region, value) in known {
        let labels = [("manifest", manifest.name)] + (region.map { [("region", $0)] } ?? [])
        let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        text += "cairn_\(name){\(list)} \(value)\n"
      }
    }
    let run = try RunRecord(store: folder.store).lastOutcomes(of: Set(manifest.regions.map(\.id)))
    let now = Dictionary(summary.regions.map { ($0.id, $0) }) { first, _ in first }
    let index = folder.publisher().index
    let warnings = WarningRecords(ofOutput: folder.path)
    func each(_ value: (String) -> String?) -> [(String?, String?)] {
      manifest.regions.map { ($0.id, value($0.id)) }
    }
    func flag(_ value: Bool?) -> String? { value.map { $0 ? "1" : "0" } }
    add("run_end_timestamp_seconds", "When the last run ended.", [(nil, decimal(end, 0))])
    add("run_duration_seconds", "How long it took.", [(nil, decimal(summary.wallSeconds, 3))])
    add("run_exit_code", "Its exit code.", [(nil, "\(summary.exitCode.rawValue)")])
    add(
      "region_failed", "Whether the last run of the region failed.",
      each { flag(now[$0]?.hasFailed ?? run[$0]?.hasFailed) })
    add(
      "region_held", "Whether an earlier bundle of the region is kept instead of the new one.",
      each { flag(now[$0]?.isHeld ?? run[$0]?.isHeld) })
    add(
      "region_last_success_timestamp_seconds",
      "When the region was last built, held back or found up to date.",
      each { id in
        (now[id]?.hasSucceeded == true ? end : run[id]?.lastSuccess).map { decimal($0, 0) }
      })
    add(
      "region_data_timestamp_seconds", "When the published data left OpenStreetMap.",
      each { id in
        index.published(id)?.dataTimestamp.flatMap(secondsOfTimestamp).map { decimal($0, 0) }
      })
    add(
      "region_edges", "The number of edges of the published bundle.",
      each { index.published($0)?.edges.map(String.init) })
    add(
      "region_size_bytes", "The size of the published bundle.",
      each { index.published($0).map { "\($0.bytes)" } })
    add(
      "region_warnings", "The number of warnings of the published bundle.",
      each { warnings.publishedIfReadable($0).map { "\($0.total)" } })
    return text
  }

  /// The value of a label.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

extension RegionSummary {
  fileprivate var hasFailed: Bool { status == .failed }
  fileprivate var hasSucceeded: Bool { status == .built || status == .cached }
}
