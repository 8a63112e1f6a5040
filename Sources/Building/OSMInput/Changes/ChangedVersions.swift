// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import TrailData

/// The versions of the objects in files of changes. Of several versions of an object the newest one
/// counts, and of equal ones, or where one states no version, the last: as `osmium apply-changes` does.
struct ChangedVersions: Sendable {
  /// The objects left out because a newer version is known.
  private(set) var older = WarningTally()
  /// The number of those for which an earlier change is newer.
  private(set) var overtaken = 0
  /// The versions of each type of objects that count so far, by ids; 0 where none is stated.
  private var versions = OSMObjectType.allCases.map { _ in [Int64: UInt32]() }

  /// Takes the next version of an object, 0 if it is unknown; returns whether it counts.
  mutating func take(_ type: OSMObjectType, _ id: Int64, _ version: UInt32) -> Bool {
    func newer(_ known: inout UInt32) -> UInt32? {
      if version > 0, version < known { return known }
      known = version
      return nil
    }
    guard let newer = newer(&versions[Int(type.rawValue)][id, default: 0]) else { return true }
    leaveOut(type, id, version, newer: newer)
    overtaken += 1
    return false
  }

  /// Counts changes that are left out because the extract has a newer version.
  mutating func leaveOut(_ type: OSMObjectType, _ ids: [Int64], newer: [Int64: UInt32]) {
    for id in ids { leaveOut(type, id, self[type][id] ?? 0, newer: newer[id] ?? 0) }
  }

  private mutating func leaveOut(
    _ type: OSMObjectType, _ id: Int64, _ version: UInt32, newer: UInt32
  ) {
    older.add("older-change", "\(type) \(id): skipped version \(version), \(newer) is newer")
  }

  fileprivate subscript(type: OSMObjectType) -> [Int64: UInt32] { versions[Int(type.rawValue)] }
}

/// Finds the objects of an extract that are newer than their changes.
struct NewerObjects: Sendable {
  private var ids: [Int64] = []
  private var versions: [UInt32] = []
  /// The first of ``ids`` that is not below the last one asked for.
  private var next = 0
  /// The versions of those found, by their ids.
  private(set) var found: [Int64: UInt32] = [:]

  /// Finds none.
  init() {}

  /// Finds those of a type that changed.
  init(_ type: OSMObjectType, _ changed: ChangedVersions) {
    let stated = changed[type].filter { $0.value > 0 }.sorted { $0.key < $1.key }
    (ids, versions) = (stated.map(\.key), stated.map(\.value))
  }

  /// Whether no change states a version.
  var isEmpty: Bool { ids.isEmpty }

  /// Whether a change of an object states a version; quick for ascending ids.
  @inline(__always)
  mutating func mayFind(_ id: Int64) -> Bool {
    if next < ids.count, ids[next] == id { return true }
    if next == ids.count || ids[next] > id {
      // Nearly always between two neighbours.
      if next == 0 || ids[next - 1] < id { return false }
      next = 0
    }
    next += ids[next...].partitioningIndex { $0 >= id } - next
    return next < ids.count && ids[next] == id
  }

  /// Takes an object of the extract; 0 is an unknown version.
  mutating func take(_ id: Int64, _ version: UInt32) {
    guard mayFind(id), version > versions[next] else { return }
    found[id] = max(found[id] ?? 0, version)
  }
}

/// Objects of one kind in columns, in the order of their file.
protocol ObjectBatch {
  var ids: [Int64] { get }
  /// The number of values in the columns.
  var size: Int { get }
  /// Keeps the objects at some ascending indices.
  mutating func keep(_ indices: [Int])
  /// Replaces all tags.
  mutating func replaceTags(_ new: (PooledTag) -> PooledTag)
}

extension ObjectBatch {
  /// Keeps the last version of each object.
  mutating func keepLastVersions() {
    let last = lastVersions(ids) { _ in }
    if last.count < ids.count { keep(last.sorted()) }
  }

  /// Removes the existing ones of some objects; returns their ids.
  mutating func remove(_ gone: [Int64: UInt32]) -> [Int64] {
    let removed = gone.isEmpty ? [] : ids.filter { gone[$0] != nil }
    if !removed.isEmpty { keep(ids.indices.filter { gone[ids[$0]] == nil }) }
    return removed
  }
}

/// Keeps some runs of values, of which each begins where the one before ends.
func keepRuns<Value>(_ indices: [Int], of values: inout [Value], _ ends: inout [Int]) {
  var (kept, keptEnds): ([Value], [Int]) = ([], [])
  for index in indices {
    kept += values[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    keptEnds.append(kept.count)
  }
  (values, ends) = (kept, keptEnds)
}
