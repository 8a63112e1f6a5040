// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

/// The zones around a box: a bit for each side of the box that a node is beyond. If all nodes of a
/// way have a bit in common, the way is beyond that side.
///
/// These are the outcodes of Cohen–Sutherland line clipping, adapted to longitudes on a sphere:
/// west and east are the two halves of the globe as seen from the middle of the box. A segment
/// takes the shorter way round, so it stays in one half if both its nodes are in it.
struct RegionZones: Sendable {
  /// The zone of a node in the box.
  static let inside: UInt8 = 0

  private let south: Int64
  private let north: Int64
  private let middle: Int64
  private let reach: Int64

  /// The zones around the bounding box of some regions and their margins; nil if that is not a small part of the
  /// world, so that there is nothing to gain.
  init?(around regions: [Region]) {
    var growing = GrowingBox()
    for region in regions { growing.add(region.marginBox) }
    guard let box = growing.box else { return nil }
    let west = fixedUnits(box.west)
    let east = fixedUnits(box.east) + (box.crossesAntimeridian ? FixedSegment.turn : 0)
    guard east - west < FixedSegment.turn / 2 else { return nil }
    south = fixedUnits(box.south)
    north = fixedUnits(box.north)
    middle = (west + east) / 2
    // At most one unit too wide, because the middle is rounded.
    reach = (east - west) / 2 + 1
  }

  /// The zone of a known coordinate.
  @inline(__always)
  func zone(_ coordinate: NodeCoordinate) -> UInt8 {
    let latitude = Int64(coordinate.latitude)
    var eastward = Int64(coordinate.longitude) &- middle
    if eastward > FixedSegment.turn / 2 { eastward &-= FixedSegment.turn }
    if eastward < -FixedSegment.turn / 2 { eastward &+= FixedSegment.turn }
    return (latitude < south ? 1 : 0) | (latitude > north ? 2 : 0)
      | (eastward < -reach ? 4 : 0) | (eastward > reach ? 8 : 0)
  }
}

/// The zones of all nodes of a file with ascending ids, run-length encoded: nodes that were mapped
/// together are mostly near each other and have neighbouring ids.
struct NodeZones: Sendable {
  /// The first id of each run, ascending.
  private var starts: [Int64] = []
  private var zones: [UInt8] = []

  /// Adds the zone of the next node, whose id must be greater than all before.
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

  /// Determines whether ways can touch the box.
  struct Cursor {
    private let nodes: NodeZones
    // The run of the last node.
    private var start = Int64.max
    private var end = Int64.min
    private var zone: UInt8 = 0

    init(_ nodes: NodeZones) { self.nodes = nodes }

    /// Whether the nodes are not all beyond one side of the box. Missing nodes may make a way seem
    /// near, but never far.
    mutating func mayTouch(_ refs: some Sequence<Int64>) -> Bool {
      var common: UInt8 = 0xff
      for ref in refs {
        if ref < start || ref >= end { seek(ref) }
        common &= zone
        if common == 0 { return true }
      }
      return false
    }

    /// Moves to the run that contains an id; ids before all runs count as inside.
    private mutating func seek(_ id: Int64) {
      let next = nodes.starts.partitioningIndex { $0 > id }
      start = next > 0 ? nodes.starts[next - 1] : .min
      end = next < nodes.starts.count ? nodes.starts[next] : .max
      zone = next > 0 ? nodes.zones[next - 1] : RegionZones.inside
    }
  }
}
