// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CostModel
import TuningSuites

/// The effect of one or two keys of a profile on the routes of a suite, as printed by
/// `cairn sweep --format json`. Unknown values are null.
package struct ProfileSweep: Codable, Equatable, Sendable {
  /// The version of the format.
  package var cairnSweep = 1
  /// The name of the suite.
  package var suite: String
  /// The label of the profile from the command line.
  package var profile: String
  /// The keys with their values.
  package var axes: [Axis]
  /// The requested measures, or those that the suite can measure and that change.
  package var measures: [SweepMeasure]
  /// The measures that are the same under every combination and therefore not among ``measures``.
  package var constants: [Constant]
  /// Every combination of values; the last axis changes fastest.
  package var cells: [Cell]

  /// A key with its values.
  package struct Axis: Codable, Equatable, Sendable {
    /// The key.
    package var key: String
    /// Its values.
    package var values: [Double]
    /// Its value in the unchanged profile.
    package var base: Double
  }

  /// A combination of values.
  package struct Cell: Codable, Equatable, Sendable {
    /// The value of each axis.
    package var values: [Double]
    /// The value of each measure.
    package var outcomes: [Double?]
  }

  /// A measure that no combination changes.
  package struct Constant: Codable, Equatable, Sendable {
    /// The measure.
    package var measure: SweepMeasure
    /// Its value.
    package var value: Double

    /// Describes a measure.
    package init(_ measure: SweepMeasure, _ value: Double) {
      (self.measure, self.value) = (measure, value)
    }
  }

  /// The most combinations.
  package static let mostCells = 400
  /// The number of candidates in memory at once.
  private static let batch = 4

  /// Compares the profile with itself under every combination of values.
  ///
  /// - Parameters:
  ///   - axes: One or two keys.
  ///   - measures: Nil for all that the suite can measure and that change; if none changes, for all
  ///     that it can measure.
  ///
  /// Throws 64 for too many combinations, and the errors of a comparison.
  package init(
    _ suite: TuningSuite, _ tried: TriedProfile, axes: [SweepAxis], measures: [SweepMeasure]?,
    threads: Int, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(CairnError) {
    let combinations = Self.combinations(axes)
    guard combinations.count <= Self.mostCells else {
      throw CairnError(
        .usage, .usage,
        "\(combinations.count) combinations are too many; at most \(Self.mostCells) are allowed")
    }
    var outcomes: [[Double?]] = []
    while outcomes.count < combinations.count {
      progress(outcomes.count, combinations.count)
      let some = combinations[outcomes.count...].prefix(Self.batch)
      let comparison = try ProfileComparison(
        suite, base: tried, candidates: some.map { Self.candidate($0, axes, tried) },
        threads: threads)
      outcomes += comparison.candidates.map { candidate in
        SweepMeasure.allCases.map { $0.value(candidate) }
      }
    }
    let all = SweepMeasure.allCases
    let known = all.enumerated().filter { index, _ in outcomes.contains { $0[index] != nil } }
      .map(\.element)
    var constants: [Constant] = []
    if measures == nil {
      for (index, measure) in all.enumerated() {
        if let value = Self.constant(outcomes.map { $0[index] }) {
          constants.append(Constant(measure, value))
        }
      }
      if constants.count == known.count { constants = [] }
    }
    let shown = measures ?? known.filter { [constants] in !constants.map(\.measure).contains($0) }
    self.init(
      suite: suite.name, profile: tried.label,
      axes: axes.map {
        Axis(key: $0.key.key, values: $0.values, base: $0.key.value(in: tried.profile))
      }, measures: shown, constants: constants,
      cells: zip(combinations, outcomes).map { values, outcomes in
        Cell(
          values: values,
          outcomes: shown.map { measure in
            all.firstIndex(of: measure).flatMap { outcomes[$0] }
          })
      })
  }

  /// Puts a sweep together.
  package init(
    suite: String, profile: String, axes: [Axis], measures: [SweepMeasure],
    constants: [Constant] = [], cells: [Cell]
  ) {
    (self.suite, self.profile, self.axes) = (suite, profile, axes)
    (self.measures, self.constants, self.cells) = (measures, constants, cells)
  }

  /// Whether a file with these first bytes is a sweep as Cairn writes it.
  package static func isSweep(head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).filter { !$0.isWhitespace }
    return text.hasPrefix(#"{"axes":"#) || text.hasPrefix(#"{"cairnSweep":"#)
  }

  /// The common value of all outcomes; nil if they differ, or if one is unknown.
  private static func constant(_ outcomes: [Double?]) -> Double? {
    guard let first = outcomes.first, let value = first else { return nil }
    return outcomes.allSatisfy { $0.map { abs($0 - value) < 1e-9 } ?? false } ? value : nil
  }

  /// All combinations; the last axis changes fastest.
  static func combinations(_ axes: [SweepAxis]) -> [[Double]] {
    axes.reduce([[]]) { some, axis in some.flatMap { head in axis.values.map { head + [$0] } } }
  }

  private static func candidate(_ values: [Double], _ axes: [SweepAxis], _ tried: TriedProfile)
    -> TriedProfile
  {
    var profile = tried.profile
    for (axis, value) in zip(axes, values) { axis.key.set(value, in: &profile) }
    let changes = zip(axes, values).map { "\($0.key.key)=\(ProfileNumber.text($1))" }
    return TriedProfile(label: ([tried.label] + changes).joined(separator: " "), profile)
  }
}
