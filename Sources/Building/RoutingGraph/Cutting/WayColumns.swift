// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import TrailData

/// The columns that cutting reads: those of nodes and refs. Taken out of the file once, since each
/// access through the file would count references.
struct WayColumns: Sendable {
  let refOffsets: Column<UInt32>
  let refs: Column<UInt32>
  private let latitudes: Column<Int32>
  private let longitudes: Column<Int32>
  private let elevations: Column<Float>?
  private let sampleRefs: Column<UInt32>?
  private let samples: Column<Float>?

  init(_ trails: TrailsFile) {
    refOffsets = trails.refOffsets
    refs = trails.refs
    latitudes = trails.latitudes
    longitudes = trails.longitudes
    elevations = trails.elevations
    sampleRefs = trails.sampleRefs
    samples = trails.sampleElevations
  }

  /// The indices of a way's refs.
  @inline(__always)
  func refs(ofWay way: Int) -> Range<Int> { Int(refOffsets[way])..<Int(refOffsets[way + 1]) }

  /// Calls `body` with the index among some refs, the coordinate and the elevation (metres above sea
  /// level, NaN if unknown) of each of their nodes.
  @inline(__always)
  func forEachNode(_ range: Range<Int>, _ body: (Int, FixedCoordinate, Float) -> Void) {
    for ref in range {
      let node = Int(refs[ref])
      let coordinate = FixedCoordinate(latitude: latitudes[node], longitude: longitudes[node])
      body(ref - range.lowerBound, coordinate, elevations?[node] ?? .nan)
    }
  }

  /// Metres above sea level of the node of a ref, NaN if unknown.
  func elevation(atRef ref: Int) -> Float { elevations?[Int(refs[ref])] ?? .nan }

  /// The number of all samples.
  var sampleCount: Int { sampleRefs?.count ?? 0 }

  /// The ref before a sample; they ascend.
  @inline(__always)
  func ref(beforeSample sample: Int) -> Int { Int(sampleRefs?[sample] ?? .max) }

  /// Metres above sea level of a sample, NaN if unknown.
  @inline(__always)
  func sample(_ index: Int) -> Float { samples?[index] ?? .nan }

  /// The number of refs in the ways that a worker takes at a time: enough to write a block's
  /// columns in large pieces, and few enough that a small region has some for each thread.
  private static let blockRefs = 8192...65_536

  /// All ways in blocks of about `size` refs, in order; nil for a size that suits.
  func blocks(of size: Int?) -> [Range<Int>] {
    let size =
      size ?? min(max(refs.count / 64, Self.blockRefs.lowerBound), Self.blockRefs.upperBound)
    let ways = 0..<(refOffsets.count - 1)
    var blocks: [Range<Int>] = []
    var start = 0
    while start < ways.upperBound {
      let end = Int(refOffsets[start]) + size
      let next = ways[(start + 1)...].partitioningIndex { Int(refOffsets[$0]) >= end }
      blocks.append(start..<next)
      start = next
    }
    return blocks
  }
}
