// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import TagRules
import TravelModels

/// A key of profiles whose value is a number that may be varied: `climb-factor`, `descent.below-10`,
/// `surfaces.mud`, `slowdown.sac-scale.T3`.
package struct ProfileNumber: Sendable, Equatable {
  /// The key as it was given.
  package let key: String
  /// The values that it may have.
  package let range: ClosedRange<Double>
  private let number: String?
  private let table: String?
  private let row: String

  private typealias NumberPath = WritableKeyPath<CostProfile, Double> & Sendable
  private typealias TablePath = WritableKeyPath<CostProfile, [String: Double]> & Sendable

  private static let numbers: [String: (path: NumberPath, range: ClosedRange<Double>)] = [
    "time-factor": (\.timeFactor, 0.1...10),
    "time-spread": (\.timeSpread, TimeSpread.range),
    "speed-kmh": (\.speedKilometresPerHour, 0.5...60),
    "climb-factor": (\.climbFactor, 0...100),
    "descent.below-10": (\.descent.below10, 0...CostProfile.factorRange.upperBound),
    "descent.from-10": (\.descent.from10, 0...CostProfile.factorRange.upperBound),
    "descent.from-20": (\.descent.from20, 0...CostProfile.factorRange.upperBound),
    "descent.above-30": (\.descent.above30, 0...CostProfile.factorRange.upperBound),
    "surfaces.unknown": (\.unknownSurface, CostProfile.factorRange),
  ]

  private static let tables: [String: TablePath] = [
    "surfaces": \.surfaces, "tracktypes": \.tracktypes, "unknown-surfaces": \.unknownSurfaces,
    "sac-scale": \.sacScale, "highways": \.highways, "tunnels": \.tunnels,
    "trail-visibility": \.trailVisibility, "smoothness": \.smoothness, "mtb-scale": \.mtbScale,
    "routes": \.routes, "access": \.access, "slowdown.surfaces": \.slowdown.surfaces,
    "slowdown.unknown-surfaces": \.slowdown.unknownSurfaces,
    "slowdown.tracktypes": \.slowdown.tracktypes, "slowdown.sac-scale": \.slowdown.sacScale,
    "slowdown.highways": \.slowdown.highways,
    "slowdown.trail-visibility": \.slowdown.trailVisibility,
    "slowdown.smoothness": \.slowdown.smoothness, "slowdown.mtb-scale": \.slowdown.mtbScale,
    "slowdown.access": \.slowdown.access,
  ]

  /// Reads a key. Throws 64 for one that profiles do not have, or whose value is no number.
  ///
  /// - Parameter option: The option that it was given with, for the error.
  package init(_ key: String, option: String) throws(CairnError) {
    self.key = key
    if let known = Self.numbers[key] {
      (number, table, row, range) = (key, nil, "", known.range)
      return
    }
    let dot = key.lastIndex(of: ".")
    let name = dot.map { String(key[..<$0]) } ?? ""
    guard let dot, Self.tables[name] != nil else {
      let known = Self.numbers.keys.sorted() + Self.tables.keys.sorted().map { $0 + "." }
      let near = nearestWord(to: key, among: known.filter { !$0.hasSuffix(".") })
      throw CairnError(
        .usage, .usage, "\(option): no key with a number is called “\(key.prefix(60))”",
        hint: near.map { "did you mean \($0)?" }
          ?? "there are \(Self.numbers.keys.sorted().joined(separator: ", ")), and the tables "
          + Self.tables.keys.sorted().joined(separator: ", "))
    }
    let isSlowdown = name.hasPrefix("slowdown.")
    let word = String(key[key.index(after: dot)...])
    do throws(CairnError) {
      _ = try ProfileSetting("\(key)=\(isSlowdown ? 2 : 1)")
    } catch {
      let reason = error.message.split(separator: ": ", maxSplits: 1).last.map(String.init)
      throw CairnError(
        .usage, .usage, "\(option) \(key.prefix(60)): \(reason ?? error.message)",
        hint: error.hint)
    }
    (number, table) = (nil, name)
    row = name.hasSuffix("sac-scale") ? SACScale(grade: word)?.rawValue ?? word : word
    range = isSlowdown ? CostProfile.slowdownRange : CostProfile.factorRange
  }

  /// The value in a profile: 1 for a factor that its table does not list, infinite for
  /// `impassable`.
  package func value(in profile: CostProfile) -> Double {
    if let path = number.flatMap({ Self.numbers[$0]?.path }) { return profile[keyPath: path] }
    guard let table, let path = Self.tables[table] else { return .nan }
    let usual = table == "surfaces" ? profile.unknownSurface : 1
    return profile[keyPath: path][row] ?? usual
  }

  /// Changes the value in a profile, to the nearest one in ``range``.
  package func set(_ value: Double, in profile: inout CostProfile) {
    let value = value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    if let path = number.flatMap({ Self.numbers[$0]?.path }) {
      profile[keyPath: path] = value
    } else if let path = table.flatMap({ Self.tables[$0] }) {
      profile[keyPath: path][row] = value
    }
  }

  /// The value as it stands in a file: without needless digits.
  package static func text(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
