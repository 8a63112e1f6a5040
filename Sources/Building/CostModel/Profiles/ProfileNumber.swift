// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import CairnTravelModels
import CommandLineKit

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

  private static let numbers: [String: ProfileScalar] = {
    let unknown = ProfileScalar(
      key: "surfaces.unknown", path: \.unknownSurface, range: CostProfile.factorRange, help: "")
    var numbers = [unknown.key: unknown]
    for scalar in CostProfile.scalars { numbers[scalar.key] = scalar }
    for scalar in CostProfile.descents { numbers["descent." + scalar.key] = scalar }
    return numbers
  }()

  private static let tables =
    CostProfile.tables.map(\.key) + Slowdown.tables.map { slowdownPrefix + $0.key }
  private static let slowdownPrefix = "slowdown."

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
    guard let dot, Self.tables.contains(name) else {
      let known = Self.numbers.keys.sorted() + Self.tables.sorted().map { $0 + "." }
      let near = nearestWord(to: key, among: known.filter { !$0.hasSuffix(".") })
      throw CairnError(
        .usage, .usage, "\(option): no numeric key is called “\(key.prefix(60))”",
        hint: near.map { "did you mean \($0)?" }
          ?? "the keys are \(Self.numbers.keys.sorted().joined(separator: ", ")), and the tables "
          + Self.tables.sorted().joined(separator: ", "))
    }
    let isSlowdown = name.hasPrefix(Self.slowdownPrefix)
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
    range = isSlowdown ? Slowdown.range : CostProfile.factorRange
  }

  /// The value in a profile: 1 for a factor that its table does not list, infinite for
  /// `impassable`.
  package func value(in profile: CostProfile) -> Double {
    if let scalar = number.flatMap({ Self.numbers[$0] }) { return profile[keyPath: scalar.path] }
    if let table = slowdown { return profile.slowdown[keyPath: table.path][row] ?? 1 }
    guard let table = factors else { return .nan }
    let usual = table.key == "surfaces" ? profile.unknownSurface : 1
    return profile[keyPath: table.path][row] ?? usual
  }

  /// Changes the value in a profile, to the nearest one in ``range``.
  package func set(_ value: Double, in profile: inout CostProfile) {
    let value = value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    if let scalar = number.flatMap({ Self.numbers[$0] }) {
      profile[keyPath: scalar.path] = value
    } else if let table = slowdown {
      profile.slowdown[keyPath: table.path][row] = value
    } else if let table = factors {
      profile[keyPath: table.path][row] = value
    }
  }

  private var factors: ProfileTable<CostProfile>? { CostProfile.tables.first { $0.key == table } }
  private var slowdown: ProfileTable<Slowdown>? {
    Slowdown.tables.first { Self.slowdownPrefix + $0.key == table }
  }

  /// The value as it stands in a file: without needless digits.
  package static func text(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
