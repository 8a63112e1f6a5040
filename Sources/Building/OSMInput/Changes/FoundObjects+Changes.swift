// SPDX-License-Identifier: Apache-2.0

/// Change files are applied by adding their objects after those of the extract; only the last
/// version of each counts.
extension FoundObjects {
  /// Adds the relations of files of changes; returns the indices of each file's texts in the common
  /// pool. To be called when all relations of the extract have been added.
  mutating func addRelations(_ changes: [ChangeFile]) -> [[UInt32]] {
    changes.map { file in
      let textIndices = pool.merge(file.pool)
      relations.append(file.relations, textIndices: textIndices)
      tagSources.append(file.tagSources, textIndices: textIndices)
      return textIndices
    }
  }

  /// Adds the ways of files of changes, when all ways of the extract have been added.
  mutating func addWays(_ changes: [ChangeFile], _ textIndices: [[UInt32]]) {
    let (outlines, lineWays) = (outlines, lineWays)
    for (file, textIndices) in zip(changes, textIndices) {
      var (ways, areas) = (file.ways, file.areas.selecting(outlines, revokes: true))
      var pools = NodePools()
      ways.takeCodes(from: &pools)
      areas.takeCodes(from: &pools)
      self.ways.append(ways, textIndices: textIndices, firstPool: nodePools.count)
      self.areas.append(areas, textIndices: textIndices, firstPool: nodePools.count)
      nodePools += pools.pools
      add(ownTags: file.ownTags, textIndices: textIndices, of: lineWays)
    }
  }

  /// Adds the nodes of change files, after all nodes of the extract; returns the reach of the changes,
  /// nil if there are none.
  mutating func addNodes(
    _ changes: [ChangeFile], _ textIndices: [[UInt32]], _ nodes: inout NodeTable,
    _ resolved: ResolvedRefs
  ) -> ChangeReach? {
    if changes.isEmpty { return nil }
    let needed = resolved.nodes
    var former = FormerNodes(count: needed.count)
    nodes.duplicates.beginLaterVersions()
    for (number, (file, textIndices)) in zip(changes, textIndices).enumerated() {
      let tags = file.nodes.add(to: &nodes, needed) { index, nodes in
        former.note(index, nodes.coordinates[index], file: number)
      }
      nodes.append(tags, textIndices: textIndices)
      points.append(file.points, textIndices: textIndices)
    }
    return ChangeReach(changes, self, resolved, nodes.coordinates, former: former)
  }
}
