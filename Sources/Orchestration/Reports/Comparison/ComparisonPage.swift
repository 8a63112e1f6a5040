// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Charts
import CommandLineKit
import FoundationEssentials
import ProfileTrials
import SystemIO

/// The page of a comparison: the changes by each candidate, on a map and in figures.
package struct ComparisonPage {
  /// A larger file is not a comparison.
  private static let limitBytes = 512 << 20

  let comparison: ProfileComparison
  let ground: MapGround
  private let leaflet: LeafletFiles?

  /// Makes the page of a comparison.
  ///
  /// - Parameter leaflet: The map library; nil for a drawn map.
  package init(_ comparison: ProfileComparison, ground: MapGround, leaflet: LeafletFiles?) {
    self.comparison = comparison
    self.ground = ground
    self.leaflet = leaflet
  }

  /// Reads the output of `cairn compare --format json`. Throws 66 if the file is missing, and 65 if
  /// it is something else.
  package static func read(_ path: String) throws(CairnError) -> ProfileComparison {
    try read(try InputFile(path).readAll(limit: limitBytes), path)
  }

  /// Reads the bytes of a comparison. Throws 65 if they are not one.
  package static func read(_ bytes: [UInt8], _ path: String) throws(CairnError) -> ProfileComparison
  {
    do {
      let comparison = try JSONDecoder().decode(ProfileComparison.self, from: Data(bytes))
      guard comparison.cairnComparison == ProfileComparison.formatVersion else {
        throw CairnError(
          "comparison", .dataError,
          "is a comparison of format \(comparison.cairnComparison); this is Cairn \(cairnVersion), "
            + "which knows format \(ProfileComparison.formatVersion)", at: Location(file: path))
      }
      return comparison
    } catch let error as CairnError { throw error } catch {
      throw CairnError(
        "comparison", .dataError, "is not a comparison", at: Location(file: path),
        hint: "write one with cairn compare --format json")
    }
  }

  /// The page. Throws the errors of elevation tiles and databases.
  package func page() throws(CairnError) -> ReportPage {
    let base = comparison.comparedWith.label
    let names = comparison.candidates.map(\.profile.label).joined(separator: ", ")
    var page = ReportPage(
      title: "\(base) against \(names)",
      subtitle: "Suite \(comparison.suite) · "
        + comparison.datasets.map { "\($0.id) (\(counted($0.pairs, "pair")))" }
        .joined(separator: ", "))
    var hasMap = false
    for (index, candidate) in comparison.candidates.enumerated() {
      let mark = comparison.candidates.count > 1 ? "-\(index + 1)" : ""
      let of = comparison.candidates.count > 1 ? " of \(candidate.profile.label)" : ""
      let maps = try maps(candidate, prefix: "c\(index + 1)")
      hasMap = hasMap || !maps.isEmpty
      page.add { addHead(candidate, to: &$0) }
      page.section("figures\(mark)", "Key figures\(of)") { addFigures(candidate, to: &$0) }
      if !candidate.changedRoutes.isEmpty {
        page.section("routes\(mark)", "Changed routes\(of)") { page in
          addRoutes(candidate, maps, prefix: "c\(index + 1)", to: &page)
        }
      }
      page.section("spread\(mark)", "Differences of routes\(of)") { addSpreads(candidate, to: &$0) }
      page.section("makeup\(mark)", "Composition of routes\(of)") {
        addMakeup(candidate, to: &$0)
      }
      if !candidate.expectations.isEmpty {
        page.section("expectations\(mark)", "Expectations\(of)") {
          addExpectations(candidate, to: &$0)
        }
      }
      if !candidate.referenceTimes.isEmpty || !candidate.referenceTracks.isEmpty {
        page.section("references\(mark)", "References\(of)") { addReferences(candidate, to: &$0) }
      }
      page.section("profile\(mark)", "Changed keys of the profile\(of)") {
        addDefinition(candidate, to: &$0)
      }
    }
    if hasMap {
      page.leaflet = leaflet
      page.attributions = ground.attributions
    }
    return page
  }

  private func addHead(_ candidate: CandidateComparison, to page: inout SVGText) {
    let broken = candidate.thresholds.filter { !$0.isKept }.count
    let (style, text) =
      candidate.thresholds.isEmpty
      ? ("soft", "\(candidate.profile.label): the suite sets no thresholds")
      : broken == 0
        ? ("good", "✓ \(candidate.profile.label): all thresholds are kept")
        : ("bad", "✗ \(candidate.profile.label): \(counted(broken, "threshold")) broken")
    page.add("p", ["class": "verdict \(style)"], text: text)
    let total = candidate.total
    page.tiles([
      ("\(grouped(total.changed)) of \(grouped(total.routedByBoth))", "routes changed"),
      (total.overlap.map { percent($0) } ?? "–", "of the base’s routes followed"),
      (total.differences.map { signedTime($0.timeSeconds.median) } ?? "–", "time, median"),
      (total.differences.map { signedLength($0.distanceMetres.median) } ?? "–", "distance, median"),
      (total.differences?.ascentMetres.map { signedMetres($0.median) } ?? "–", "ascent, median"),
    ])
  }
}
