// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy

/// On which sides of a box a node lies, as bits: what has a bit in common for all nodes of a way
/// lies beyond one side of the box, and so does the way.
///
/// This is the outcode of Cohen and Sutherland's line clipping, with longitudes taken around the
/// globe: west and east are the halves of the way round, as seen from the middle of the box. A
/// segment goes the shorter way round, so between two nodes of one half it stays in it.
struct RegionZones: Sendable {
  /// A node that lies in the box.
  static let inside: UInt8 = 0

  private let south: Int64
  private let north: Int64
  private let middle: Int64
  private let reach: Int64

  /// The zones around the smallest box that holds some regions; nil where they are no small part
  /// of the world, so that there is nothing to gain.
  init?(around regions: [Region]) {
    guard let first = regions.first else { return nil }
    var box = first.extent
    for region in regions.dropFirst() {
      guard !box.crossesAntimeridian, !region.extent.crossesAntimeridian else { return nil }
      box = BoundingBox(
        west: min(box.west, region.extent.west), south: min(box.south, region.extent.south),
        east: max(box.east, region.extent.east), north: max(box.north, region.extent.north))
    }
    let west = fixedUnits(box.west)
    let east = fixedUnits(box.east) + (box.crossesAntimeridian ? FixedSegment.turn : 0)
    guard east - west < FixedSegment.turn / 2 else { return nil }
    south = fixedUnits(box.south)
    north = fixedUnits(box.north)
    middle = (west + east) / 2
    // At most one unit too wide, for the rounding of the middle.
    reach = (east - west) / 2 + 1
  }

  /// The zone of a place on Earth.
  @inline(__always)
  func zone(_ position: NodePosition) -> UInt8 {
    let latitude = Int64(position.latitude)
    var eastward = Int64(position.longitude) &- middle
    if eastward > FixedSegment.turn / 2 { eastward &-= FixedSegment.turn }
    if eastward < -FixedSegment.turn / 2 { eastward &+= FixedSegment.turn }
    return (latitude < south ? 1 : 0) | (latitude > north ? 2 : 0)
      | (eastward < -reach ? 4 : 0) | (eastward > reach ? 8 : 0)
  }
}

/// The zones of all nodes of a file whose ids ascend, in runs: nodes that were drawn together mostly
/// lie together and have neighbouring ids.
struct NodeZones: Sendable {
  /// The first id of each run, ascending.
  private var starts: [Int64] = []
  private var zones: [UInt8] = []

  /// Adds the zone of the next node, with a greater id than all before.
  @inline(__always)
  mutating func add(_ id: Int64, _ zone: UInt8) {
    if zone != zones.last {
      starts.append(id)
      zones.append(zone)
    }
  }

  /// Adds the zones of nodes with greater ids.
  mutating func append(_ other: NodeZones) {
    starts += other.starts
    zones += other.zones
  }

  /// Tells of ways whether they can touch the box.
  struct Cursor {
    private let nodes: NodeZones
    // The run of the last node.
    private var start = Int64.max
    private var end = Int64.min
    private var zone: UInt8 = 0

    init(_ nodes: NodeZones) { self.nodes = nodes }

    /// Whether no side of the box has all the nodes beyond it. Ids that the file does not hold may
    /// make a way seem near, never far.
    mutating func mayTouch(_ refs: [Int64]) -> Bool {
      var common: UInt8 = 0xff
      for ref in refs {
        if ref < start || ref >= end { seek(ref) }
        common &= zone
        if common == 0 { return true }
      }
      return false
    }

    /// Moves to the run that an id falls into; what comes before all runs counts as inside.
    private mutating func seek(_ id: Int64) {
      let next = nodes.starts.partitioningIndex { $0 > id }
      start = next > 0 ? nodes.starts[next - 1] : .min
      end = next < nodes.starts.count ? nodes.starts[next] : .max
      zone = next > 0 ? nodes.zones[next - 1] : RegionZones.inside
    }
  }
}
