// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import Synchronization
import SystemIO

/// The resource use of earlier attempts, and estimates for the next ones.
///
/// A region's stage is expected to use what it used last time. If it never ran, the use in other
/// regions is scaled by the size of the input; if the stage never ran at all, there is a first
/// guess. Estimates decide the order and concurrency of stages, never the result.
package final class RunHistory: Sendable {
  /// The resource use of one attempt.
  package struct Entry: Decodable, Equatable, Sendable {
    package var wallSeconds: Double
    /// The largest resident memory in bytes.
    package var peakBytes: Int
    /// The sizes of its input and output.
    package var inputBytes: Int
    package var outputBytes: Int

    package init(wallSeconds: Double, peakBytes: Int, inputBytes: Int, outputBytes: Int) {
      self.wallSeconds = wallSeconds
      self.peakBytes = peakBytes
      self.inputBytes = inputBytes
      self.outputBytes = outputBytes
    }

    fileprivate var json: JSONValue {
      .object([
        "wallSeconds": .number(wallSeconds), "peakBytes": .integer(peakBytes),
        "inputBytes": .integer(inputBytes), "outputBytes": .integer(outputBytes),
      ])
    }
  }

  private struct Stored: Decodable {
    var version: Int
    var stages: [String: [String: Entry]]
  }

  private struct State {
    /// By stage and region.
    var stages: [String: [String: Entry]]
    var isChanged = false
  }

  /// The assumed memory of a stage that never ran: a process, and a few times its input, somewhat more
  /// than cities and mountains took. A source is compressed, what lies between stages is not.
  static let baseBytes = 64 << 20
  private static let bytesPerSourceByte = 4.0
  private static let bytesPerInputByte = 2.5
  /// This share of an estimate is reserved on top of it, since data differs.
  private static let margin = 0.25

  private let path: String
  private let state: Mutex<State>

  /// Reads the records of earlier runs; a damaged or missing file is an empty history.
  package init(_ path: String) {
    self.path = path
    var stages: [String: [String: Entry]] = [:]
    if let bytes = try? InputFile(path).readAll(limit: 64 << 20),
      let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)), stored.version == 1
    {
      stages = stored.stages
    }
    state = Mutex(State(stages: stages))
  }

  /// Records the resource use of an attempt.
  package func add(_ entry: Entry, region: String, stage: String) {
    state.withLock { state in
      state.stages[stage, default: [:]][region] = entry
      state.isChanged = true
    }
  }

  /// Removes all other regions.
  package func keep(_ regions: Set<String>) {
    state.withLock { state in
      for (stage, entries) in state.stages {
        let kept = entries.filter { regions.contains($0.key) }
        guard kept.count < entries.count else { continue }
        state.stages[stage] = kept
        state.isChanged = true
      }
    }
  }

  /// Writes the history, if it changed.
  package func save() throws(CairnError) {
    let stages: [String: [String: Entry]]? = state.withLock { $0.isChanged ? $0.stages : nil }
    guard let stages else { return }
    let json = stages.mapValues { JSONValue.object($0.mapValues(\.json)) }
    try writeCacheFile(
      try encodeJSON(JSONValue.object(["version": 1, "stages": .object(json)])), to: path)
  }

  /// The expected seconds of a region's stage; nil if the stage never ran.
  package func seconds(region: String, stage: String) -> Double? {
    state.withLock { state in
      guard let entries = state.stages[stage], !entries.isEmpty else { return nil }
      if let known = entries[region] { return known.wallSeconds }
      return entries.values.reduce(0) { $0 + $1.wallSeconds } / Double(entries.count)
    }
  }

  /// What a region's stage needed last time; nil if it never ran.
  package func entry(region: String, stage: String) -> Entry? {
    state.withLock { $0.stages[stage]?[region] }
  }

  /// The expected needs of a region's stage for an input of a size.
  ///
  /// - Parameter readsSource: Whether the input is a source.
  package func demand(region: String, stage: String, inputBytes: Int, readsSource: Bool) -> Demand {
    let peak: Double
    let output: Double
    (peak, output) = state.withLock { state in
      let entries = state.stages[stage] ?? [:]
      if let known = entries[region] {
        // More input than last time needs more.
        let growth = max(1, Double(inputBytes) / Double(max(1, known.inputBytes)))
        return (Double(known.peakBytes) * growth, Double(known.outputBytes) * growth)
      }
      // The largest that any region would need for this input.
      let size = Double(inputBytes)
      let factor = readsSource ? Self.bytesPerSourceByte : Self.bytesPerInputByte
      let guess = Double(Self.baseBytes) + factor * size
      let seen = entries.values.map { entry in
        let growth = max(1, size / Double(max(1, entry.inputBytes)))
        return (Double(entry.peakBytes) * growth, Double(entry.outputBytes) * growth)
      }
      return (seen.map(\.0).max() ?? guess, seen.map(\.1).max() ?? size)
    }
    func bytes(_ estimate: Double) -> Int {
      Int(exactly: (min(max(0, estimate), 1e18) * (1 + Self.margin)).rounded()) ?? 0
    }
    return Demand(memoryBytes: bytes(peak), diskBytes: bytes(output))
  }
}
