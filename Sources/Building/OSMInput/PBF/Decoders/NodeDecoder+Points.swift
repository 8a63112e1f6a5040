// SPDX-License-Identifier: Apache-2.0
import Diagnostics

extension NodeDecoder {
  @inline(__always)
  func makesPoint(_ key: UInt64, _ value: UInt64) throws(CairnError) -> Bool {
    let classes = try block.classes(of: key)
    if classes.isEmpty { return false }
    return WordClass.makesPoint(key: classes, value: try block.classes(of: value))
  }

  mutating func addPointTag(_ key: UInt64, _ value: UInt64) throws(CairnError) {
    guard try block.classes(of: key).contains(.pointKey) else { return }
    points.tags.append(try block.pooledTag(key, value, in: &found.pool))
  }

  mutating func addPoint(_ id: Int64, _ coordinate: NodeCoordinate, tagEnd: Int) {
    points.add(id: id, coordinate, tagEnd: tagEnd)
    lastPoint = id
  }

  /// Revokes an earlier version of a node that is not a point of interest. In history files, that
  /// version may be at the end of the previous blob.
  mutating func notePlainNode(_ id: Int64) {
    if isHistory, lastPoint == nil { lastPoint = id }
    if id == lastPoint { points.addGone(id: id) }
  }
}
