// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Tiles
import TrailData

/// The points of interest as features of the layer `pois`.
struct PointFeatures {
  static let layer = "pois"
  static let properties: [FeatureTable.Property] = [
    .init(key: "kind", zoom: 0), .init(key: "name", zoom: 0),
    .init(key: "ele", zoom: 0, type: "Number"), .init(key: "closed", zoom: 0, type: "Number"),
    .init(key: "no_drinking_water", zoom: 0, type: "Number"),
  ]

  /// A point that is shown.
  struct Point {
    /// Its index among the points of interest.
    var point: Int
    var set: UInt32
    var zoom: Int
  }

  private(set) var points: [Point] = []
  let table: FeatureTable

  /// Whether points of a kind are drawn. Lakes and the like are areas of the base map.
  private static func isShown(_ kind: PointKind) -> Bool {
    switch kind {
    case .lake, .glacier, .valley, .ridge: false
    default: true
    }
  }

  init(_ trails: TrailsFile, _ texts: inout TextValues) {
    var table = FeatureTable(Self.properties, &texts.vocabulary)
    let strings = trails.strings
    let classifier = PointClassifier(count: strings.count, index: strings.index)
    let state = PointState(index: strings.index)
    let kinds = PointKind.allCases.map { texts.vocabulary.value($0.rawValue) }
    let (name, elevation) = (strings.index(of: "name"), strings.index(of: "ele"))
    let all = trails.pointsOfInterest
    for point in 0..<all.count {
      let tags = all.tags
      let range = tags.tags(of: point)
      guard let rule = classifier.classify(range, key: tags.key, value: tags.value),
        Self.isShown(rule.rule.kind),
        let flags = state.flags(rule.rule.kind, range, key: tags.key, value: tags.value)
      else { continue }
      var values = FeatureTable.empty
      values[0] = kinds[rule.rule.kindNumber]
      values[1] = texts.value(name.flatMap { tags.value(of: $0, on: point) })
      let tagged = elevation.flatMap { tags.value(of: $0, on: point) }
        .flatMap { TaggedElevation.metres(strings[Int($0)]) }
      if let metres = PointElevation.choose(tagged: tagged, modelled: all.elevations?[point])
        .metres, let whole = Int64(exactly: metres.rounded())
      {
        values[2] = texts.vocabulary.value(whole)
      }
      if flags.contains(.closed) { values[3] = texts.vocabulary.value(1 as Int64) }
      if flags.contains(.notDrinkable) { values[4] = texts.vocabulary.value(1 as Int64) }
      points.append(
        Point(
          point: point, set: table.number(values), zoom: ZoomRules.point(rule.rule.kind)))
    }
    self.table = table
  }
}
