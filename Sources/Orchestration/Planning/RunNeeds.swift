// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import SystemIO

/// The most disk and memory that a run will need, reported before it begins.
///
/// A region that was built before needs what it needed then. A new one needs a multiple of its
/// source, estimated from an extract in which four of ten nodes belong to ways to walk or ride on;
/// nearly all extracts have fewer. Regions of one source are assumed not to overlap.
package struct RunNeeds: Equatable, Sendable {
  /// The disk for all results of a new region, per byte of its source.
  private static let diskBytesPerSourceByte = 5.6
  /// The memory for its largest stage, per byte of its source.
  private static let memoryBytesPerSourceByte = 2.8
  /// Smaller needs are not reported.
  private static let smallBytes = 1 << 30

  /// Bytes on the disk of the output folder.
  package private(set) var diskBytes = 0
  /// Bytes of memory for the largest stage.
  package private(set) var memoryBytes = 0

  /// - Parameters:
  ///   - plan: The run; results that exist already count, too, since they may be made again.
  ///   - history: What earlier runs needed.
  package init(_ plan: Plan, _ history: RunHistory) {
    var newSources: [String: Int] = [:]
    for (region, actions) in zip(plan.regions, plan.actionsOfRegions) {
      let stages = actions.map { plan.actions[$0] }.filter(\.stage.isProcess)
      let known = stages.compactMap {
        history.entry(region: region.id, stage: $0.stage.rawValue)
      }
      if known.isEmpty {
        for stage in stages where stage.stage.cutsRegions {
          for case .file(let path, _) in stage.arguments { newSources[path] = fileSize(path) }
        }
      }
      for entry in known {
        diskBytes = Self.sum(diskBytes, Double(entry.outputBytes))
        memoryBytes = max(memoryBytes, entry.peakBytes)
      }
    }
    for bytes in newSources.values {
      diskBytes = Self.sum(diskBytes, Double(bytes) * Self.diskBytesPerSourceByte)
      let memory = Self.sum(
        RunHistory.baseBytes, Double(bytes) * Self.memoryBytesPerSourceByte)
      memoryBytes = max(memoryBytes, memory)
    }
  }

  /// The sum, limited to more than any disk has, since the record of an earlier run may be damaged.
  private static func sum(_ bytes: Int, _ more: Double) -> Int {
    Int(min(Double(bytes) + max(0, more), 1e18))
  }

  /// The needs in words; nil if they are small.
  ///
  /// - Parameters:
  ///   - freeDisk: The free bytes on the disk.
  ///   - memory: The memory for the stages.
  ///   - isBound: Whether stages stay within that memory.
  package func text(freeDisk: Int, memory: Int, isBound: Bool) -> String? {
    guard max(diskBytes, memoryBytes) > Self.smallBytes || diskBytes > freeDisk else { return nil }
    var text = "needs up to \(byteSize(diskBytes)) of disk (\(byteSize(freeDisk)) free) and "
    text += "\(byteSize(isBound ? min(memory, memoryBytes) : memoryBytes)) of memory"
    if memory < .max { text += " (\(byteSize(memory)) for all stages)" }
    if diskBytes > freeDisk {
      text += "; the disk may become full: free some space, or run cairn gc"
    } else if !isBound, memoryBytes > memory {
      text += "; give --memory, so that stages stay within it"
    }
    return text
  }
}
