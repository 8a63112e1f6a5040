// SPDX-License-Identifier: Apache-2.0
import CairnGuidance

/// The quality of guidance on simulated walks, whose truth is known: one walk, or the sum of
/// several.
public struct GuidanceEvaluation: Hashable, Sendable {
  /// The outcome of a wrong turn.
  public struct WrongTurn: Hashable, Sendable {
    /// Its index in the simulator's list.
    public var index: Int
    /// How far from the route it led, in metres.
    public var farthestMetres: Double
    /// Seconds of walking after the route was left until that was said; nil if it was not.
    public var delaySeconds: Double?
    /// How far from the route the walker was then.
    public var metresWhenNoticed: Double?
  }

  /// The walks.
  public var walks = 0
  /// Seconds from the first to the last fix.
  public var seconds = 0.0
  /// Metres along the routes.
  public var metres = 0.0
  /// Turns that walkers passed.
  public var turns = 0
  /// Turns that walkers passed without being told to turn.
  public var missedTurns = 0
  /// Announcements of a turn beyond one for each time that the walker passed it.
  public var repeatedTurns = 0
  /// Turns that were told at another position of the route.
  public var misplacedTurns = 0
  /// Announcements to walkers more than 80 m off the route.
  public var announcedOffRoute = 0
  /// Turns with room for a warning that were announced late, or not before the walker reached them.
  public var lateWarnings = 0
  /// Turns with room for a warning.
  public var warnableTurns = 0
  /// Warnings before turns, and the sum of their distances in metres.
  public var warnings = 0
  /// See ``warnings``.
  public var warningMetres = 0.0
  /// Off-route alarms while the walker was on the route.
  public var falseAlarms = 0
  /// Reversal alarms while the walker was going forwards.
  public var falseReversals = 0
  /// Times that the position of a walker on the route leapt by more than 50 m along it.
  public var progressLeaps = 0
  /// Walks to the end of the route, and those whose arrival was announced at the end, only there
  /// and once.
  public var ends = 0
  /// See ``ends``.
  public var arrivals = 0
  /// All wrong turns.
  public var wrongTurns: [WrongTurn] = []

  /// An empty evaluation.
  public init() {}

  /// The mean distance of warnings from their turns, in metres; nil if there were none.
  public var meanWarningMetres: Double? {
    warnings > 0 ? warningMetres / Double(warnings) : nil
  }

  /// False alarms an hour; nil without a walk.
  public var falseAlarmsPerHour: Double? {
    seconds > 0 ? Double(falseAlarms) / (seconds / 3600) : nil
  }

  /// The wrong turns that led further from the route than this.
  public func wrongTurns(beyond metres: Double) -> [WrongTurn] {
    wrongTurns.filter { $0.farthestMetres > metres }
  }

  /// A wrong turn that led further from the route than this is told from a mere error of the receiver.
  private static let strayedMetres = 80.0
  /// The walking time after which an alarm is late.
  private static let promptSeconds = 60.0

  /// The number of wrong turns that led more than 80 m away, and of those noticed within a minute
  /// of walking.
  package var strayings: (all: Int, prompt: Int) {
    let turns = wrongTurns(beyond: Self.strayedMetres)
    return (turns.count, turns.count { ($0.delaySeconds ?? .infinity) <= Self.promptSeconds })
  }

  /// Adds the figures of another evaluation.
  public mutating func add(_ other: GuidanceEvaluation) {
    walks += other.walks
    seconds += other.seconds
    metres += other.metres
    turns += other.turns
    missedTurns += other.missedTurns
    repeatedTurns += other.repeatedTurns
    misplacedTurns += other.misplacedTurns
    announcedOffRoute += other.announcedOffRoute
    lateWarnings += other.lateWarnings
    warnableTurns += other.warnableTurns
    warnings += other.warnings
    warningMetres += other.warningMetres
    falseAlarms += other.falseAlarms
    falseReversals += other.falseReversals
    progressLeaps += other.progressLeaps
    ends += other.ends
    arrivals += other.arrivals
    wrongTurns += other.wrongTurns
  }
}
