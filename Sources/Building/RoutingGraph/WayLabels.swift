// SPDX-License-Identifier: Apache-2.0
import TagRules
import TrailData

/// The name and the tag set of each way.
struct WayLabels: Sendable {
  private let trails: TrailsFile
  private let routes: RouteIndex
  private let nameKey: UInt32?
  private let refKey: UInt32?
  /// Whether each text is a key that tag sets leave out: names and refs, which hardly two ways
  /// have in common.
  private let isLeftOut: [Bool]

  init(_ trails: TrailsFile) {
    self.trails = trails
    routes = RouteIndex(trails)
    let strings = trails.strings
    nameKey = strings.index(of: "name")
    refKey = strings.index(of: "ref")
    var isLeftOut = [Bool](repeating: false, count: strings.count)
    for key in TagSelection.otherNameKeys.union(["name", "ref"]) {
      if let index = strings.index(of: key) { isLeftOut[Int(index)] = true }
    }
    for index in strings.indices(startingWith: TagSelection.languageNamePrefix) {
      isLeftOut[index] = true
    }
    self.isLeftOut = isLeftOut
  }

  /// The index of a way's name or else of its ref.
  func name(ofWay way: Int) -> UInt32 {
    text(of: nameKey, way) ?? text(of: refKey, way) ?? GraphFile.noText
  }

  private func text(of key: UInt32?, _ way: Int) -> UInt32? {
    key.flatMap { trails.wayTags.value(of: $0, on: way) }
  }

  /// The index of a way's tag set among those found so far.
  func tagSet(ofWay way: Int, in tagSets: inout TagSetIndex) -> UInt32 {
    tagSets.index(of: way, in: trails.wayTags, routes: routes.networks(ofWay: way)) {
      isLeftOut[Int($0)]
    }
  }
}
