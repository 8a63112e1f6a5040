// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import TrailData

/// Tags that contradict each other, cannot be read, or are misspelt.
struct TagChecks {
  private let map: CheckedMap

  init(_ map: CheckedMap) { self.map = map }

  // MARK: Grades and conditions

  func hardGrades() -> [MapFinding] {
    ways { tags in
      guard let grade = tags["sac_scale"].flatMap({ SACScale(hardestOf: $0) }), grade >= .t4 else {
        return nil
      }
      let doubts = TagContradiction.all(TagList(tags)).filter { doubt in
        doubt.tags.contains { $0.hasPrefix("highway=") || $0.hasPrefix("mtb:scale=") }
      }
      let words = doubts.map { "\($0.tags.joined(separator: " ")), \($0.text)" }
      return words.isEmpty ? nil : (.hardGrade, words.joined(separator: "; "))
    }
  }

  func conditions() -> [MapFinding] {
    func condition(_ tags: WayTags) -> (MapFindingKind, String)? {
      let unreadable = Access.unreadableConditions(TagList(tags))
      return unreadable.isEmpty ? nil : (.condition, listed(unreadable))
    }
    return ways(condition) + nodes(condition) + pointsOfInterest(condition)
  }

  // MARK: Spelling

  func spelling() -> [MapFinding] {
    let objects = map.ways.indices.map { (map.object($0), map.line($0)[0], map.tags(ofWay: $0)) }
    let nodes = map.content.taggedNodes.map { (map.node($0), map.point($0), map.tags(ofNode: $0)) }
    var spelling = Spelling()
    for (_, _, tags) in objects + nodes { spelling.count(tags) }
    spelling.finish()
    return (objects + nodes).compactMap { object, place, tags in
      let doubts = tags.sorted { $0.key < $1.key }.compactMap { spelling.doubt($0.key, $0.value) }
      return doubts.isEmpty ? nil : finding(.spelling, object, place, listed(doubts))
    }
  }

  // MARK: Objects

  private func ways(_ judge: (WayTags) -> (MapFindingKind, String)?) -> [MapFinding] {
    map.ways.indices.compactMap { way in
      judge(map.tags(ofWay: way)).map { finding($0.0, map.object(way), map.line(way)[0], $0.1) }
    }
  }

  private func nodes(_ judge: (WayTags) -> (MapFindingKind, String)?) -> [MapFinding] {
    map.content.taggedNodes.compactMap { node in
      judge(map.tags(ofNode: node)).map {
        finding($0.0, map.node(node), map.point(node), $0.1)
      }
    }
  }

  private func pointsOfInterest(_ judge: (WayTags) -> (MapFindingKind, String)?) -> [MapFinding] {
    map.pointsOfInterest { object, place, tags in
      judge(tags).map { finding($0.0, object, place, $0.1) }
    }
  }

  private func finding(
    _ kind: MapFindingKind, _ object: MapObject, _ place: Coordinate, _ text: String
  ) -> MapFinding {
    MapFinding(kind: kind, objects: [object], place: place, text: text)
  }
}

extension CheckedMap {
  /// Calls `body` with each point of interest.
  func pointsOfInterest<Failure: Error>(
    _ body: (MapObject, Coordinate, WayTags) throws(Failure) -> MapFinding?
  ) throws(Failure) -> [MapFinding] {
    var found: [MapFinding] = []
    for index in content.poiIDs.indices {
      let place = FixedCoordinate(
        latitude: content.poiLatitudes[index], longitude: content.poiLongitudes[index])
      let object = MapObject(type: content.poiTypes[index], id: content.poiIDs[index])
      if let finding = try body(object, place.degrees, Self.tags(content.poiTags, index, strings)) {
        found.append(finding)
      }
    }
    return found
  }
}
