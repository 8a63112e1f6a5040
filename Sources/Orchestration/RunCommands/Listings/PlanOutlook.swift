// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning

/// What a run would do, and how long the same took last time.
package struct PlanOutlook {
  /// A region or an action in a word.
  enum State: String {
    /// It was never built.
    case new
    /// Something that it is made from is another than last time.
    case changed
    /// It runs if the action before gives another result.
    case follows
    case upToDate = "up to date"
    case heldBack = "held back"
    /// A check would refuse it.
    case refused
    /// Something that it needs cannot be read.
    case blocked

    /// Whether a run would do it.
    var isToDo: Bool { [.new, .changed, .follows].contains(self) }
  }

  struct Action {
    /// Its index in the plan.
    var index: Int
    var stage: Stage
    var state: State
    var reason: String?
    /// The seconds that it took last time; nil if unknown, as of publishing.
    var seconds: Double?
  }

  struct Region {
    var id: String
    var state: State
    var actions: [Action]

    /// What a run would do.
    var toDo: [Action] { state.isToDo ? actions.filter(\.state.isToDo) : [] }

    /// The first action that is not up to date.
    var first: Action? { actions.first { $0.state != .upToDate } }

    /// The seconds of what is to do without publishing; nil if that of an action is unknown, or if
    /// only publishing is to do. 0 if nothing is.
    var seconds: Double? {
      let stages = toDo.filter(\.stage.isProcess)
      if state == .blocked || stages.isEmpty && !toDo.isEmpty { return nil }
      return stages.reduce(0) { sum, action in
        sum.flatMap { sum in action.seconds.map { sum + $0 } }
      }
    }

    /// What is to do, or why nothing is.
    fileprivate var words: String {
      guard let first, let reason = first.reason else { return "" }
      guard state.isToDo else { return reason }
      let more = toDo.count - 1
      return "\(first.stage.rawValue)\(more > 0 ? " and \(more) more" : ""): \(reason)"
    }

    fileprivate var time: String {
      state.isToDo || state == .blocked ? PlanOutlook.time(seconds) : ""
    }
  }

  private(set) var regions: [Region]

  /// Looks at a plan and at the records of earlier runs, without writing anything.
  package init(_ forecaster: Forecaster, _ history: RunHistory) {
    let plan = forecaster.plan
    regions = plan.regions.indices.map { number in
      let id = plan.regions[number].id
      let actions = forecaster.prospects(region: number).map { index, prospect in
        let stage = plan.actions[index].stage
        let known = history.entry(region: id, stage: stage.rawValue)?.wallSeconds
        return Action(
          index: index, stage: stage, state: State(prospect),
          reason: Forecaster.problem(prospect) ?? Forecaster.reason(prospect),
          seconds: known.flatMap { $0 >= 0 ? $0 : nil })
      }
      var region = Region(id: id, state: .upToDate, actions: actions)
      if let state = region.first?.state {
        let isNew = forecaster.publisher.index.published(id) == nil
        region.state = state.isToDo ? (isNew ? .new : .changed) : state
      }
      return region
    }
  }

  /// The regions with something to do.
  private var toDo: [Region] { regions.filter(\.state.isToDo) }

  /// The seconds of all that is to do, as far as they are known; nil if none are.
  private var seconds: Double? {
    let known = toDo.compactMap(\.seconds)
    return known.isEmpty && !toDo.isEmpty ? nil : known.reduce(0, +)
  }

  private var unknown: Int { toDo.count { $0.seconds == nil } }

  private static func time(_ seconds: Double?) -> String { seconds.map(roughDuration) ?? "–" }

  /// The states and times of the actions, by their index.
  var cells: [Int: (state: String, time: String)] {
    let actions = regions.flatMap(\.actions)
    return Dictionary(
      uniqueKeysWithValues: actions.map {
        ($0.index, ($0.state.rawValue, $0.state.isToDo ? Self.time($0.seconds) : ""))
      })
  }

  /// A line for each region.
  var table: String {
    var table = TextTable([.left, .left, .right, .left])
    table.add(["region", "state", "time", "to do"])
    for region in regions {
      table.add([region.id, region.state.rawValue, region.time, printable(region.words)])
    }
    return table.text
  }

  /// The sum.
  var sum: String {
    guard !toDo.isEmpty else { return "\(counted(regions.count, "region")), nothing to do\n" }
    let most = seconds.map { "\(roughDuration($0)) one after another" }
    let rest = unknown > 0 ? "the time of \(counted(unknown, "region")) is unknown" : nil
    return "\(toDo.count) of \(counted(regions.count, "region")) to do: "
      + [most, rest].compactMap { $0 }.joined(separator: "; ") + "\n"
  }

  /// The sum as data.
  var json: [String: JSONValue] {
    [
      "seconds": seconds.map { .number($0) } ?? .null,
      "regionsOfUnknownTime": .integer(unknown),
    ]
  }
}

extension PlanOutlook.Region {
  var json: [String: JSONValue] {
    [
      "state": .text(state.rawValue), "reason": first?.reason.map { .text($0) } ?? .null,
      "toDo": .list(toDo.map { .text($0.stage.rawValue) }),
      "seconds": seconds.map { .number($0) } ?? .null,
    ]
  }
}

extension PlanOutlook.Action {
  var json: [String: JSONValue] {
    [
      "state": .text(state.rawValue), "reason": reason.map { .text($0) } ?? .null,
      "seconds": seconds.map { .number($0) } ?? .null,
    ]
  }
}

extension PlanOutlook.State {
  fileprivate init(_ prospect: Forecaster.Prospect) {
    self =
      switch prospect {
      case .upToDate: .upToDate
      case .wouldRun([], _), .wouldAsk: .new
      case .wouldRun, .forced, .wouldPublish: .changed
      case .wouldFollow: .follows
      case .isHeld: .heldBack
      case .wouldRefuse: .refused
      case .cannot: .blocked
      }
  }
}
