// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnNavigation
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit

/// The places along a route, and its stages.
package struct AlongRoute {
  /// A stage with the route of its own.
  package struct Stage {
    /// The stage.
    package var stage: RouteStage
    /// Its part of the route.
    package var route: ComputedRoute
  }

  /// The greatest distance of the places from the route, in metres.
  let within: Double
  let supplies: RouteSupplies
  /// The stages; nil if not requested.
  package private(set) var stages: [Stage]?
  /// The longest day that was asked for, in seconds.
  private let longestDay: Double?

  /// Looks up the places along the pieces of a route, and divides each of them.
  ///
  /// - Parameters:
  ///   - pieces: The pieces; positions count from the start of the first one, without the gaps.
  ///   - search: The places.
  ///   - metres: The greatest distance of a place from the route.
  ///   - longestDay: The longest day in seconds; nil for no stages.
  ///   - part: Cuts out a part of a piece, between two distances in metres.
  package init(
    _ pieces: [ComputedRoute], _ search: SearchSet, within metres: Double, longestDay: Double?,
    part: (ComputedRoute, Double, Double) throws(RoutingError) -> ComputedRoute
  ) throws {
    var places: [RouteSupplies.Place] = []
    var stages: [Stage] = []
    var travelled = 0.0
    for piece in pieces {
      let own = try search.supplies(along: piece.coordinates, within: metres)
      let scale = own.lengthMetres > 0 ? piece.totalDistance / own.lengthMetres : 1
      places += own.places.map {
        .init(need: $0.need, place: $0.place, position: travelled + $0.position * scale)
      }
      if let longestDay {
        for var stage in RouteStage.stages(of: piece, own, longest: longestDay) {
          let route = try part(piece, stage.fromMetres, stage.toMetres)
          stage.fromMetres += travelled
          stage.toMetres += travelled
          stages.append(Stage(stage: stage, route: route))
        }
      }
      travelled += piece.totalDistance
    }
    self.within = metres
    self.longestDay = longestDay
    supplies = RouteSupplies(lengthMetres: travelled, places: places)
    self.stages = longestDay == nil ? nil : stages
  }

  /// The seconds of a time such as `7h`, `6h30` or `90min`; nil for anything else, and for less
  /// than half an hour or more than two days.
  package static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: "h", maxSplits: 1, omittingEmptySubsequences: false)
    func minutes(_ text: Substring) -> Int? {
      let digits = text.hasSuffix("min") ? text.dropLast(3) : text
      return digits.count <= 4 && digits.allSatisfy(\.isNumber) ? Int(digits) : nil
    }
    var total: Int?
    if parts.count == 2 {
      let rest = parts[1].isEmpty ? 0 : minutes(parts[1])
      if let hours = minutes(parts[0]), let rest, rest < 60 { total = 60 * hours + rest }
    } else if text.hasSuffix("min") {
      total = minutes(parts[0])
    }
    return total.flatMap { (30...48 * 60).contains($0) ? Double($0) * 60 : nil }
  }

  // MARK: Text

  /// Places of one kind within this distance along the route share a line.
  private static let groupMetres = 300.0

  /// Tables of the places, the longest stretches without any, and the stages.
  package func text(columns: Int?, in language: Language = .english) -> String {
    var parts = supplies.places.isEmpty ? [] : [placesTable(columns, language)]
    parts.append(gapText(language))
    if let stages { parts.append(stagesTable(stages, columns, language)) }
    return parts.joined(separator: "\n")
  }

  private func placesTable(_ columns: Int?, _ language: Language) -> String {
    var groups: [[RouteSupplies.Place]] = []
    var open: [RouteSupplies.Need: Int] = [:]
    for place in supplies.places {
      if let group = open[place.need],
        place.position - groups[group][0].position <= Self.groupMetres
      {
        groups[group].append(place)
      } else {
        open[place.need] = groups.count
        groups.append([place])
      }
    }
    let rows = groups.enumerated().map { index, group -> [String] in
      let first = group[0]
      let next = groups[(index + 1)...].first { $0[0].need == first.need }
      let name = printable((group.first { $0.place.isNamed } ?? first).place.title(in: language))
      let detour = first.place.detour ?? 0
      return [
        language.length(kilometresOf: first.position, decimals: 1),
        language.term(first.need.label),
        group.count > 1
          ? language.text(.andMoreNames, ["name": name, "count": "\(group.count - 1)"]) : name,
        detour < 20 ? "" : "+" + distanceText(detour, in: language),
        next.map { distanceText($0[0].position - first.position, in: language) } ?? "–",
      ]
    }
    let columnNames: [Phrase] = [
      .columnAt, .columnWhat, .columnName, .columnDetour, .columnNext,
    ]
    let header = columnNames.map { language.text($0) }
    return TextTable([.right, .left, .left, .right, .right], indent: 2, rows: [header] + rows)
      .fitting(columns).text
  }

  /// The longest stretch without each of them, or a note that there is none.
  private func gapText(_ language: Language) -> String {
    let rows = RouteSupplies.Need.allCases.map { need -> [String] in
      let gap = supplies.longestGap(need)
      guard supplies.places.contains(where: { $0.need == need }) else {
        let none = language.text(.noneWithin, ["distance": language.length(metres: within)])
        return [language.term(need.noun), "–", none]
      }
      let ends = [gap.fromMetres, gap.toMetres].map {
        language.length(kilometresOf: $0, decimals: 1)
      }
      return [
        language.term(need.noun), distanceText(gap.metres, in: language),
        language.text(.fromTo, ["from": ends[0], "to": ends[1]]),
      ]
    }
    return language.sentence(.longestWithout) + "\n"
      + TextTable([.left, .right, .left], indent: 2, rows: rows).text
  }

  private func stagesTable(_ stages: [Stage], _ columns: Int?, _ language: Language) -> String {
    let rows = stages.enumerated().map { index, stage -> [String] in
      let isLong = isTooLong(stage)
      return [
        "\(index + 1)", language.length(kilometresOf: stage.stage.fromMetres, decimals: 1),
        language.length(kilometresOf: stage.route.totalDistance, decimals: 1),
        stage.route.isClimbKnown ? "+" + grouped(Int(stage.route.elevationGain.rounded())) : "–",
        stage.route.isClimbKnown
          ? "\u{2212}" + grouped(Int(stage.route.elevationLoss.rounded())) : "–",
        duration(stage.stage.seconds) + (isLong ? " (\(language.term("longer")))" : ""),
        stage.stage.night.map { printable($0.place.title(in: language)) }
          ?? language.term("the end"),
      ]
    }
    let columnNames: [Phrase] = [
      .columnStage, .columnFrom, .columnLength, .columnUp, .columnDown, .columnTime, .columnTo,
    ]
    let header = columnNames.map { language.text($0) }
    let table = TextTable(
      [.right, .right, .right, .right, .right, .right, .left], indent: 2, rows: [header] + rows)
    let title = language.sentence(.stagesOf, ["time": duration(longestDay ?? 0)])
    return title + "\n\n" + table.fitting(columns).text
  }

  private func isTooLong(_ stage: Stage) -> Bool {
    longestDay.map { stage.stage.seconds > $0 } ?? false
  }
}

extension RouteSupplies.Need {
  /// Such as `Water`.
  fileprivate var label: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  fileprivate var noun: String {
    switch self {
    case .hut: "huts"
    case .stop: "stops"
    default: rawValue
    }
  }
}

extension AlongRoute: Encodable {
  private enum CodingKeys: String, CodingKey { case withinMetres, places, longestGaps, stages }

  private struct Place: Encodable {
    var need: String
    var positionMetres: Double
    var nextMetres: Nullable<Double>
    var place: ResultRecord
  }

  private struct Gap: Encodable {
    var need: String
    var fromMetres: Double
    var toMetres: Double
    var lengthMetres: Double
  }

  private struct StageRecord: Encodable {
    var fromMetres: Double
    var toMetres: Double
    var lengthMetres: Double
    var elevationGain: Nullable<Double>
    var elevationLoss: Nullable<Double>
    var estimatedDuration: Double
    var isTooLong: Bool
    var night: Nullable<ResultRecord>
  }

  /// Writes places, gaps and stages; lengths to a tenth of a metre.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(within, forKey: .withinMetres)
    var next: [RouteSupplies.Need: Double] = [:]
    var places: [Place] = []
    for place in supplies.places.reversed() {
      places.append(
        Place(
          need: place.need.rawValue, positionMetres: tenths(place.position),
          nextMetres: Nullable(next[place.need].map { tenths($0 - place.position) }),
          place: ResultRecord(place.place)))
      next[place.need] = place.position
    }
    try values.encode(Array(places.reversed()), forKey: .places)
    let gaps = RouteSupplies.Need.allCases.map { need in
      let gap = supplies.longestGap(need)
      return Gap(
        need: need.rawValue, fromMetres: tenths(gap.fromMetres), toMetres: tenths(gap.toMetres),
        lengthMetres: tenths(gap.metres))
    }
    try values.encode(gaps, forKey: .longestGaps)
    let records = stages?.map { stage in
      StageRecord(
        fromMetres: tenths(stage.stage.fromMetres), toMetres: tenths(stage.stage.toMetres),
        lengthMetres: tenths(stage.route.totalDistance),
        elevationGain: Nullable(stage.route.isClimbKnown ? stage.route.elevationGain : nil),
        elevationLoss: Nullable(stage.route.isClimbKnown ? stage.route.elevationLoss : nil),
        estimatedDuration: stage.stage.seconds, isTooLong: isTooLong(stage),
        night: Nullable((stage.stage.night?.place).map { ResultRecord($0) }))
    }
    try values.encode(Nullable(records), forKey: .stages)
  }
}
