// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// The report of a stage that cut out several regions.
struct CutReport {
  /// The report on one region.
  struct Part {
    /// The exit status that the stage would have had for the region alone.
    var exit: Int32
    /// Its error, if it failed.
    var message: String?
    /// The digest of the source that was read, if stated.
    var sourceDigest: String?
    /// The report that the stage would have written for the region alone.
    var report: JSONValue
  }

  private var whole: [String: JSONValue] = [:]
  private var regions: [String: JSONValue] = [:]

  /// Reads a report; a missing or damaged one has no parts.
  init(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let whole = JSONValue(json: bytes)?.object,
      let regions = whole["output"]?.object?["regions"]?.object
    else { return }
    self.whole = whole
    self.regions = regions
  }

  /// The part of a region; nil if there is none. `share` is its share of the time.
  func part(_ region: String, share: Double) -> Part? {
    guard case .object(var entry)? = regions[region] else { return nil }
    var report = whole
    report["warnings"] = entry.removeValue(forKey: "warnings") ?? .list([])
    report["error"] = entry.removeValue(forKey: "error")
    report["output"] = .object(entry)
    for key in ["wallSeconds", "cpuSeconds"] {
      if case .number(let seconds)? = whole[key] { report[key] = .number(seconds * share) }
    }
    var part = Part(exit: 0, message: nil, report: .object(report))
    if case .object(let input)? = whole["input"], case .text(let digest)? = input["sha256"] {
      part.sourceDigest = digest
    }
    if case .object(let error)? = report["error"] {
      part.exit = ExitCode.software.rawValue
      if case .integer(let exit)? = error["exitCode"], exit != 0 {
        part.exit = Int32(clamping: exit)
      }
      if case .text(let message)? = error["message"] { part.message = message }
    }
    return part
  }
}
