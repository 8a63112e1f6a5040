// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The columns of a file that hot loops read, as plain pointers, and the file, which keeps them
/// valid. Opening the file has checked that ways have their refs and refs their nodes.
struct MapColumns: @unchecked Sendable {
  let trails: TrailsFile
  /// 10⁻⁷ degrees north of each node.
  let latitudes: UnsafeBufferPointer<Int32>
  /// 10⁻⁷ degrees east of each node.
  let longitudes: UnsafeBufferPointer<Int32>
  /// Where each way's refs begin, and finally the end.
  let refOffsets: UnsafeBufferPointer<UInt32>
  /// The nodes of all ways.
  let refs: UnsafeBufferPointer<UInt32>

  init(_ trails: TrailsFile) {
    self.trails = trails
    latitudes = trails.latitudes.withUnsafeElements { $0 }
    longitudes = trails.longitudes.withUnsafeElements { $0 }
    refOffsets = trails.refOffsets.withUnsafeElements { $0 }
    refs = trails.refs.withUnsafeElements { $0 }
  }

  var wayCount: Int { refOffsets.count - 1 }

  /// The refs of a way.
  @inline(__always)
  func refs(ofWay way: Int) -> Range<Int> { Int(refOffsets[way])..<Int(refOffsets[way + 1]) }

  /// The coordinate of a node.
  @inline(__always)
  func coordinate(_ node: UInt32) -> FixedCoordinate {
    FixedCoordinate(latitude: latitudes[Int(node)], longitude: longitudes[Int(node)])
  }
}
