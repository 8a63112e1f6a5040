// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// Finds the points of interest that a hiker can use.
struct PointFilter: Sendable {
  private let points: PointsOfInterest
  private let tags: PointTags
  private let classifier: PointClassifier
  private let yes: UInt32?
  private let no: UInt32?
  private let isPrivate: UInt32?
  private let publicTransport: UInt32?

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    tags = PointTags(trails)
    let strings = trails.strings
    classifier = PointClassifier(count: strings.count, index: strings.index)
    yes = strings.index(of: "yes")
    no = strings.index(of: "no")
    isPrivate = strings.index(of: "private")
    publicTransport = strings.index(of: "public_transport")
  }

  /// What a point is; nil if it is nothing for a hiker, or of no use.
  func find(_ point: Int) -> FoundPoint? {
    let range = points.tags.tags(of: point)
    guard
      let (rule, value) = classifier.classify(
        range, key: points.tags.key, value: points.tags.value), rule.kind.isWaypoint
    else { return nil }
    let values = tags.values(on: [point])
    guard isUseful(rule.kind, values) else { return nil }
    return FoundPoint(
      point: point, kind: rule.kind, kindNumber: rule.kindNumber, value: value,
      name: values[.name], coordinate: points.coordinate(point), tagCount: range.count)
  }

  private func isUseful(_ kind: PointKind, _ values: PointValues) -> Bool {
    func has(_ key: PointKey, _ value: UInt32?) -> Bool { value != nil && values[key] == value }
    if has(.abandoned, yes) || has(.disused, yes) { return false }
    guard kind.isForVisitors else { return true }
    // Most shelters are at bus stops.
    let isAtStop = kind == .shelter && has(.shelterType, publicTransport)
    return !(has(.ruins, yes) || isAtStop || has(.access, isPrivate) || has(.access, no))
  }
}
