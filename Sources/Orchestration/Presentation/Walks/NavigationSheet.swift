// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGuidance
import CairnLocationProviders
import CairnNavigation
import CairnPhrases
import FoundationEssentials

/// A walk as text: a line for each announcement, then a summary.
package struct NavigationSheet {
  private let run: NavigationRun
  private let evaluation: GuidanceEvaluation?
  private let language: Language

  /// Describes a walk.
  ///
  /// - Parameters:
  ///   - evaluation: The quality of guidance, if the truth is known.
  ///   - language: The language of the announcements, which the run must share.
  package init(
    _ run: NavigationRun, _ evaluation: GuidanceEvaluation?, in language: Language = .english
  ) {
    self.run = run
    self.evaluation = evaluation
    self.language = language
  }

  /// The lines.
  ///
  /// - Parameter columns: The width of the terminal; nil without one.
  package func text(columns: Int?) -> String {
    let start = run.fixes.first?.timestamp ?? Date(timeIntervalSince1970: 0)
    let columnNames: [Phrase] = [.columnTime, .columnAt, .columnOff, .columnSaid, .columnFelt]
    let header = columnNames.map { language.text($0) }
    let rows = run.rows.map { row in
      [
        Self.clock(row.time.timeIntervalSince(start)),
        row.distanceAlongRoute.map { language.length(kilometresOf: $0) } ?? "–",
        row.distanceFromRoute.map { language.length(metres: $0) } ?? "–",
        Self.said(row, in: language),
        row.cue.map { felt($0, row.time) } ?? "",
      ]
    }
    let table = TextTable([.right, .right, .right, .left, .left], indent: 2, rows: [header] + rows)
      .fitting(columns)
    return "\(printable(run.route.name))\n\n\(table.text)\n" + summary.map { "\($0)\n" }.joined()
  }

  /// `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  /// The text of a row.
  static func said(_ row: NavigationRun.Row, in language: Language = .english) -> String {
    switch row.content {
    case .position(let event): event.text(in: language)
    case .reroute(let result): rerouted(result, language)
    case .event(let event, let instruction):
      row.cue.map { printable($0.text) } ?? plain(event, instruction, language)
    }
  }

  /// An event without a cue, such as the start.
  private static func plain(
    _ event: GuidanceEvent, _ instruction: TurnInstruction?, _ language: Language
  ) -> String {
    if let instruction { return printable(instruction.text(in: language)) }
    switch event.kind {
    case .approaching, .atTurn, .atFollowingTurn: return language.term("instruction")
    case .offRoute: return language.text(.offRoute)
    case .backOnRoute: return language.text(.backOnRoute)
    case .reversed: return language.text(.walkedBackwards)
    case .forward: return language.text(.walkedForwards)
    case .arrived: return language == .english ? "arrived" : language.text(.arrived)
    }
  }

  private static func rerouted(_ result: RerouteResult, _ language: Language) -> String {
    func length(_ route: PlannedRoute) -> String {
      let length = language.length(kilometresOf: route.totalDistance)
      return "\(length), \(duration(route.estimatedDuration))"
    }
    switch result {
    case .found(let route), .toRest(let route, _, _):
      return language.sentence(.newRoute, ["route": length(route)])
    case .foundWithRadius(let route, let radius):
      return language.sentence(
        .newRouteNear, ["route": length(route), "distance": language.length(metres: radius)])
    case .toNearestReachable(let route, _, let away):
      return language.sentence(
        .newRouteTowards, ["route": length(route), "distance": language.length(metres: away)])
    case .leadsBack(let route):
      return language.sentence(.newRouteBack, ["route": length(route)])
    case .none(let reason):
      return language.sentence(.noNewRoute, ["reason": printable(reason)])
    }
  }

  private func felt(_ cue: NavigationRun.Cue, _ time: Date) -> String {
    guard let start = cue.start else {
      let reason =
        switch cue.drop {
        case .repeated: "just played"
        case .tooOld: "too late"
        case .overtaken: "overtaken"
        case .invalidTime, nil: "no time"
        }
      let because = language.text(
        .because, ["what": cue.cue.fileName, "why": language.term(reason)])
      return "(\(because))"
    }
    let delay = start.timeIntervalSince(time)
    return cue.cue.fileName + (delay >= 0.05 ? " +\(language.number(decimal(delay, 1))) s" : "")
  }

  private var summary: [String] {
    let summary = NavigationSummary(run)
    let fixes = language.counted(run.fixes.count, .oneFix, .manyFixes)
    let time = duration(summary.seconds)
    let remaining = language.length(kilometresOf: run.remainingDistance)
    var lines = [
      summary.hasArrived
        ? language.text(.walkArrived, ["fixes": fixes, "time": time])
        : language.text(.walkRemains, ["fixes": fixes, "time": time, "distance": remaining]),
      language.counted(summary.turns, .oneTurnTold, .manyTurnsTold) + ", " + announced(summary),
      offRoute(run.offRouteSpans, summary)
        + (run.reroutes > 0
          ? ", " + language.counted(run.reroutes, .oneNewRoute, .manyNewRoutes) : ""),
      language.counted(summary.played, .onePatternFelt, .manyPatternsFelt)
        + (summary.dropped > 0
          ? ", " + language.text(.notPlayed, ["count": grouped(summary.dropped)]) : ""),
    ]
    if let evaluation { lines += [""] + EvaluationSheet(evaluation, language).lines }
    return lines
  }

  private func announced(_ summary: NavigationSummary) -> String {
    let count = grouped(summary.warnings)
    return summary.meanWarningMetres.map {
      language.text(.announcedAhead, ["count": count, "distance": language.length(metres: $0)])
    } ?? language.text(.announcedBefore, ["count": count])
  }

  private func offRoute(_ spans: [NavigationRun.OffRouteSpan], _ summary: NavigationSummary)
    -> String
  {
    guard !spans.isEmpty else { return language.text(.neverOff) }
    let farthest = spans.map(\.farthestMetres).max() ?? 0
    return language.text(
      language.form(spans.count, .wasOffOnce, .wasOffOften),
      [
        "count": grouped(spans.count), "time": duration(summary.offRouteSeconds),
        "distance": language.length(metres: farthest),
      ])
  }
}

/// How well guidance served on a simulated walk, as text.
private struct EvaluationSheet {
  private let evaluation: GuidanceEvaluation
  private let language: Language

  init(_ evaluation: GuidanceEvaluation, _ language: Language) {
    (self.evaluation, self.language) = (evaluation, language)
  }

  /// A few lines for one walk.
  var lines: [String] {
    [
      language.sentence(
        language.form(evaluation.turns, .evaluatedOne, .evaluatedMany),
        [
          "count": grouped(evaluation.turns), "missed": grouped(evaluation.missedTurns),
          "repeated": grouped(evaluation.repeatedTurns),
          "elsewhere": grouped(evaluation.misplacedTurns),
          "late": grouped(evaluation.lateWarnings),
        ]),
      language.sentence(
        evaluation.falseReversals > 0 ? .falseAlarmsBack : .falseAlarms,
        [
          "count": grouped(evaluation.falseAlarms), "turns": grouped(evaluation.falseReversals),
        ]),
    ] + evaluation.wrongTurns.map(line)
  }

  private func line(_ turn: GuidanceEvaluation.WrongTurn) -> String {
    let away = language.length(metres: turn.farthestMetres)
    guard let delay = turn.delaySeconds else {
      return language.sentence(.wrongTurnMissed, ["distance": away])
    }
    let time = "\(decimal(delay, 0)) s"
    guard let metres = turn.metresWhenNoticed else {
      return language.sentence(.wrongTurnNoticed, ["distance": away, "time": time])
    }
    return language.sentence(
      .wrongTurnNoticedAt,
      ["distance": away, "time": time, "away": language.length(metres: metres)])
  }
}
