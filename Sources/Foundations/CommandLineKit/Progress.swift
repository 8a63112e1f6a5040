// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SystemIO

/// Reports progress on stderr. Safe to advance from any thread.
package final class Progress: Sendable {
  /// How progress is reported.
  package enum Style: String, Sendable, CaseIterable {
    /// One line that is rewritten on a terminal; elsewhere a plain line every ten seconds.
    case auto
    /// A plain line every ten seconds.
    case plain
    /// One JSON object per line, at most ten a second.
    case json
    /// Nothing.
    case none
  }

  private struct Phase {
    var name = ""
    var total = 0
    var done = 0
    var nextReport = 0.0
  }

  private let command: String
  private let style: Style
  private let isInteractive: Bool
  private let phase = Mutex(Phase())

  /// Makes a reporter for a command.
  package init(command: String, style: Style) {
    self.command = command
    self.style = style
    isInteractive = style == .auto && Console.isInteractive
  }

  /// Begins a phase of `total` units of work (0 if unknown).
  package func begin(_ name: String, total: Int) {
    phase.withLock { phase in
      let wait = style == .json || isInteractive ? 0 : 10.0
      phase = Phase(name: name, total: total, done: 0, nextReport: monotonicSeconds() + wait)
    }
    advance(by: 0)
  }

  /// Records that `units` more are done.
  package func advance(by units: Int) {
    guard style != .none else { return }
    phase.withLock { phase in
      phase.done += units
      let now = monotonicSeconds()
      guard now >= phase.nextReport else { return }
      phase.nextReport = now + (style == .json || isInteractive ? 0.1 : 10)
      report(phase)
    }
  }

  /// Ends the last phase and clears the line on a terminal.
  package func end() {
    if isInteractive { Console.rewrite("\r\u{1B}[K") }
  }

  private func report(_ phase: Phase) {
    let percent = phase.total > 0 ? " \(min(100, phase.done * 100 / phase.total)) %" : ""
    if style == .json {
      Console.note(
        #"{"event":"progress","command":"\#(command)","phase":"\#(phase.name)","#
          + #""done":\#(phase.done),"total":\#(phase.total)}"#)
    } else if isInteractive {
      Console.rewrite("\r\u{1B}[K\(command): \(phase.name)\(percent)")
    } else {
      Console.note("\(command): \(phase.name)\(percent)")
    }
  }
}
