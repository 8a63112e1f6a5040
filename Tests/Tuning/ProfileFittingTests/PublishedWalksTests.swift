// SPDX-License-Identifier: Apache-2.0
import CairnTravelModels
import CostModel
import Foundation
import TestSupport
import Testing

@testable import ProfileFitting
@testable import TuningSuites

/// The walks of pipelines/tuning/walks-judged.csv, to which nothing was fitted, hold what
/// docs/profiles.md says of published times. Change both together.
@Suite("Published times of walks")
struct PublishedWalksTests {
  private func listed(_ list: String, _ profile: CostProfile) throws -> TimedWalks {
    let path = "\(packageRoot)/pipelines/tuning/walks-\(list).csv"
    var suite = TuningSuite()
    suite.referenceTimes = try ReferenceTimeFile(try bytesOfFile(path), file: path)
      .times(dataset: nil)
    var walks = TimedWalks()
    try walks.add(suite, by: profile)
    #expect(walks.omissions.isEmpty && walks.walks.allSatisfy { $0.source != nil })
    return walks
  }

  private func forecasts(_ list: String, _ profile: CostProfile) throws -> [Forecast] {
    let walks = try listed(list, profile)
    return zip(walks.seconds(profile), walks.walks).map {
      Forecast(estimate: $0, actual: $1.seconds, spread: profile.timeSpread)
    }
  }

  /// A row of the table in docs/profiles.md: the median ratio to the published time, the mean of
  /// the absolute logarithm, and the numbers inside both ranges.
  private func row(_ forecasts: [Forecast]) -> String {
    let errors = forecasts.map { -$0.error }.sorted()
    let half = errors.count / 2
    let median = errors.count % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2
    let mean = errors.reduce(0) { $0 + abs($1) } / Double(errors.count)
    let inside = [0.2, CostProfile.trailHiking.timeSpread].map { spread in
      let inside = forecasts.count {
        Forecast(estimate: $0.estimate, actual: $0.actual, spread: spread).isInRange
      }
      let percent = 100 * Double(inside) / Double(errors.count)
      return "\(inside) of \(errors.count), \(Int(percent.rounded())) %"
    }
    return String(format: "%.2f | %.2f | ", exp(median), mean) + inside.joined(separator: " | ")
  }

  /// The default profile on a path of unknown surface: totals have no tags.
  private var onPath: CostProfile {
    get throws {
      var path = CostProfile.trailHiking
      path.timeFactor = try #require(path.slowdown.unknownSurfaces["path"])
      return path
    }
  }

  @Test("the default profile holds four of five of those kept for judging, as the table says")
  func judged() throws {
    let usual = CostProfile.trailHiking
    var (din, sac) = (usual, usual)
    (din.timeModel, sac.timeModel) = (.din33466, .sac)
    let page = try String(contentsOfFile: "\(packageRoot)/docs/profiles.md", encoding: .utf8)
    for (name, profile) in [
      ("`trail-hiking` on a path", try onPath), ("`trail-hiking` without slowdown", usual),
      ("DIN 33466", din), ("SAC", sac),
    ] {
      let row = "| \(name) | \(row(try forecasts("judged", profile))) |\n"
      #expect(page.contains(row), "docs/profiles.md lacks “\(row)”")
    }
    let judged = try forecasts("judged", onPath)
    #expect(judged.count(where: \.isInRange) * 5 >= judged.count * 4)
    let known = Set(try listed("fitted", usual).walks.map(\.source))
    let others = try zip(judged, listed("judged", usual).walks).filter {
      !known.contains($1.source)
    }.map(\.0)
    let held = "\(others.count(where: \.isInRange)) of \(others.count)"
    #expect(page.contains("the range\nholds \(held)."), "\(held)")
  }

  @Test("the default spread is about what the other half gives, and both halves differ")
  func fitted() throws {
    let errors = try forecasts("fitted", onPath).map(\.error)
    let spread = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    #expect(abs(spread - CostProfile.trailHiking.timeSpread) < 0.02, "\(spread)")
    let names = try ["fitted", "judged"].map { try listed($0, .trailHiking).walks.map(\.name) }
    #expect(names.map(\.count) == [30, 31] && Set(names.joined()).count == 61)
  }
}
