// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnMapMatching
import CairnRouting
import CostModel
import ProfileTrials
import SystemIO
import TuningSuites

/// The reference tracks of a suite as legs that routes are compared with, over databases that can be
/// priced again and again.
struct ReferenceLegs: Sendable {
  /// A database.
  private struct Site: Sendable {
    var prices: TrialPrices
    /// The indices of its legs.
    var legs: Range<Int>
  }

  /// The number of legs that a thread takes at once.
  private static let blockSize = 8

  private var sites: [Site] = []
  private(set) var legs: [TrackLeg] = []
  /// For each leg the id of its dataset.
  private(set) var datasets: [String] = []
  /// For each leg the file of its track.
  private(set) var files: [String] = []
  /// Tracks that could not be used.
  private(set) var omissions: [TimedWalks.Omission] = []

  /// Matches the tracks of a suite. Throws 66 and 65 for a database or a track that cannot be read.
  init(_ suite: TuningSuite, threads: Int) throws(CairnError) {
    for (index, dataset) in suite.datasets.enumerated() {
      let tracks = suite.referenceTracks.filter { $0.dataset == index }
      guard !tracks.isEmpty else { continue }
      let (prices, stored, _) = try DatasetGraphs.priced(dataset.database)
      let matcher = MapMatcher(stored)
      let matched = mapBlocks(of: tracks.count, size: 1, threads: threads) { block in
        Result { () throws(CairnError) in
          try TrackLegs(tracks[block.lowerBound], matcher, stored.network)
        }
      }
      let first = legs.count
      for (track, result) in zip(tracks, matched) {
        let found = try result.get()
        if let failure = found.failure {
          omissions.append(.init(name: track.name, reason: "cannot be compared: \(failure)"))
          continue
        }
        let useful = found.legs.filter { $0.walked.metres > 0 }
        legs += useful
        datasets += useful.map { _ in dataset.id }
        files += useful.map { _ in track.file }
      }
      sites.append(Site(prices: prices, legs: first..<legs.count))
    }
  }

  /// How long some of the legs are.
  func metres(_ indices: [Int]) -> Double { indices.reduce(0) { $0 + legs[$1].walked.metres } }

  /// For each profile, the metres of each leg that its routes follow. The result does not depend on
  /// the threads. Throws 70 if a profile cannot be written as text.
  func followed(_ profiles: [CostProfile], threads: Int) throws(CairnError) -> [[Double]] {
    var followed = profiles.map { _ in [Double](repeating: 0, count: legs.count) }
    // One database after another, so that only its graphs are in memory.
    for site in sites {
      let priced = mapBlocks(of: profiles.count, size: 1, threads: threads) { block in
        Result { () throws(CairnError) in
          try site.prices.graph(of: profiles[block.lowerBound])
        }
      }
      for (profile, result) in priced.enumerated() {
        let graph = try result.get()
        let engine = RoutingEngine(graphs: [graph])
        let metres = mapBlocks(of: site.legs.count, size: Self.blockSize, threads: threads) {
          block in
          block.map {
            legs[site.legs.lowerBound + $0].followedMetres(by: engine, graph)
          }
        }
        followed[profile].replaceSubrange(site.legs, with: metres.joined())
      }
    }
    return followed
  }
}
