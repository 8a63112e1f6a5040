// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules
import TrailData

extension TrailsCut {
  /// The objects of the margin, as far as elevations depend on them.
  struct MarginObjects {
    /// The tags of its ways.
    var wayTags: [[PooledTag]] = []
    /// Its peaks.
    var peaks: [Peak] = []
  }

  /// A peak with a mapped elevation.
  struct Peak: Sendable {
    let coordinate: NodeCoordinate
    /// Those that make it one, and its elevation.
    let tags: [PooledTag]
  }

  /// The peaks among points of interest.
  static func peaks(_ points: PointTable, _ pool: TextPool) -> [Peak] {
    guard let natural = pool.find("natural"), let peak = pool.find("peak"),
      let elevation = pool.find("ele")
    else { return [] }
    return points.points.compactMap { point in
      guard point.tags.contains(where: { $0.key == natural && $0.value == peak }),
        point.tags.contains(where: { $0.key == elevation })
      else { return nil }
      let tags = point.tags.filter { $0.key == natural || $0.key == elevation }
      return Peak(coordinate: point.coordinate, tags: tags)
    }
  }

  /// Collects the tags of the ways and the peaks of the margin.
  func marginObjects() -> MarginObjects {
    guard let surroundings else { return MarginObjects() }
    let keys = Set(WayKind.keys.compactMap(all.pool.find))
    var objects = MarginObjects()
    objects.wayTags = margin.map { way in
      all.ways.tags(of: way.index).filter { keys.contains($0.key) }
    }
    objects.peaks = all.peaks.filter {
      !region.contains($0.coordinate) && surroundings.contains($0.coordinate)
    }
    return objects
  }

  /// Adds the margin.
  func add(_ objects: MarginObjects, _ texts: inout TextOrder, to lists: inout MarginLists) {
    if marginNodeCount > 0 {
      marginNodes.forEach(in: 0..<marginNodeCount) { _, node in
        lists.nodeIDs.append(all.resolved.nodes[node])
        lists.latitudes.append(all.coordinates[node].latitude)
        lists.longitudes.append(all.coordinates[node].longitude)
      }
    }
    for (way, tags) in zip(margin, objects.wayTags) {
      for node in all.resolved.nodeIndices[way.refs] {
        lists.refs.append(
          selection.contains(node)
            ? selection.index(of: node)
            : UInt32(truncatingIfNeeded: nodeCount) + marginNodes.index(of: node))
      }
      lists.refOffsets.append(UInt32(truncatingIfNeeded: lists.refs.count))
      texts.add(tags[...], to: &lists.wayTags)
    }
    for peak in objects.peaks {
      lists.peakLatitudes.append(peak.coordinate.latitude)
      lists.peakLongitudes.append(peak.coordinate.longitude)
      texts.add(peak.tags[...], to: &lists.peakTags)
    }
  }
}
