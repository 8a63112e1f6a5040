// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// Finds the points of interest that a hiker can use.
struct PointFilter: Sendable {
  private let points: PointsOfInterest
  private let tags: PointTags
  private let classifier: PointClassifier
  private let state: PointState

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    tags = PointTags(trails)
    let strings = trails.strings
    classifier = PointClassifier(count: strings.count, index: strings.index)
    state = PointState(index: strings.index)
  }

  /// What a point is; nil if it is nothing for a hiker, or of no use.
  func find(_ point: Int) -> FoundPoint? {
    let range = points.tags.tags(of: point)
    guard
      let (rule, value) = classifier.classify(
        range, key: points.tags.key, value: points.tags.value), rule.kind.isWaypoint,
      let flags = state.flags(
        rule.kind, range, key: points.tags.key, value: points.tags.value)
    else { return nil }
    return FoundPoint(
      point: point, kind: rule.kind, kindNumber: rule.kindNumber, value: value,
      name: tags.name(of: point), coordinate: points.coordinate(point), tagCount: range.count,
      flags: flags)
  }
}
