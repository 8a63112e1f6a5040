// SPDX-License-Identifier: Apache-2.0
import CLinux
import CairnFormatting
import CommandLineKit
import Execution
import Glibc
import JSONKit
import Synchronization
import SystemIO

/// Shows on stderr how far a run is.
final class RunPrinter: Sendable {
  private struct State {
    var display: RunDisplay
    /// The number of terminal lines in use.
    var drawnLines = 0
    var lastDrawing = 0.0
    /// The causes of failures so far; see ``RunFailure/cause``.
    var causes: Set<String> = []
  }

  private enum Form {
    /// Lines that rewrite themselves.
    case live
    /// A line for each stage that ends, and one every ten seconds.
    case lines
    case json
    case silent
  }

  private static let lineSeconds = 10.0
  private static let drawingSeconds = 0.1

  private let form: Form
  private let total: Int
  private let palette: Palette
  private let interruption: Interruption
  private let log: RunLog
  private let state: Mutex<State>

  /// - Parameter style: `auto` is live lines on a terminal and plain lines elsewhere.
  init(
    _ style: Progress.Style, _ display: RunDisplay, total: Int, _ palette: Palette,
    _ interruption: Interruption
  ) {
    self.total = total
    self.interruption = interruption
    self.palette = palette
    state = Mutex(State(display: display, lastDrawing: monotonicSeconds()))
    form =
      switch style {
      case .auto: Console.isInteractive ? .live : .lines
      case .plain: .lines
      case .json: .json
      case .none: .silent
      }
    log = RunLog(isPlain: form == .lines)
  }

  /// Updates the display over time while it exists; nil if nothing changes.
  func ticker() -> Ticker? {
    switch form {
    case .live: Ticker(seconds: Self.drawingSeconds) { [self] in tick() }
    case .lines: Ticker(seconds: Self.lineSeconds) { [self] in tick() }
    case .json, .silent: nil
    }
  }

  private func tick() {
    state.withLock { state in
      state.display.isStopping = interruption.signal != nil
      if form == .live { return draw(&state) }
      log.note(state.display.line(now: monotonicSeconds()))
    }
  }

  /// Shows an event.
  func show(_ event: RunEvent) {
    state.withLock { state in
      let now = monotonicSeconds()
      state.display.update(event, now: now)
      let done = state.display.done
      // A failure common to several regions is reported once.
      if case .failed(let failure) = event, form != .json,
        !state.causes.insert(failure.cause).inserted
      {
        return
      }
      switch form {
      case .silent: break
      case .json: Console.note(json(event, done))
      case .lines: if let line = line(event, done) { log.note(line) }
      case .live:
        if isPermanent(event), let line = line(event, done) {
          clear(&state)
          Console.note(line)
          draw(&state)
        } else if now - state.lastDrawing >= Self.drawingSeconds {
          draw(&state)
        }
      }
    }
  }

  /// Removes the live lines.
  func end() { state.withLock { clear(&$0) } }

  private func isPermanent(_ event: RunEvent) -> Bool {
    switch event {
    case .failed, .retrying, .note: true
    case .started, .progress, .finished: false
    }
  }

  private func line(_ event: RunEvent, _ done: Int) -> String? {
    switch event {
    case .finished(let region, let stage, let seconds, isCached: false):
      "\(region): \(stage.rawValue) (\(elapsedTime(seconds))) [\(done)/\(total)]"
    case .failed(let failure):
      // The reason is printed at the end, where it is visible.
      "\(failure.region): " + palette.bad("\(failure.stage.rawValue) FAILED")
    case .retrying(let region, _, let message):
      "\(region): " + palette.notable(message) + "; trying again"
    case .note(let region, let message): "\(region): note: \(message)"
    case .started, .finished, .progress: nil
    }
  }

  private func clear(_ state: inout State) {
    guard state.drawnLines > 0 else { return }
    writeRaw("\u{1B}[\(state.drawnLines)A\r\u{1B}[J")
    state.drawnLines = 0
  }

  private func draw(_ state: inout State) {
    let now = monotonicSeconds()
    let columns = Int(cairn_terminal_columns(STDERR_FILENO))
    let lines = state.display.lines(now: now, columns: columns == 0 ? 80 : columns)
    let up = state.drawnLines > 0 ? "\u{1B}[\(state.drawnLines)A\r" : ""
    writeRaw(up + "\u{1B}[J" + lines.joined(separator: "\n") + "\n")
    state.drawnLines = lines.count
    state.lastDrawing = now
  }

  private func json(_ event: RunEvent, _ done: Int) -> String {
    var object: [String: JSONValue]
    switch event {
    case .started(let region, let stage, let reason, let threads, let batch):
      object = [
        "event": "started", "region": .text(region), "stage": .text(stage.rawValue),
        "reason": .text(reason), "threads": .integer(threads), "job": .integer(batch),
      ]
    case .progress(let batch, let progress):
      object = [
        "event": "progress", "job": .integer(batch), "phase": .text(progress.phase),
        "phaseDone": .integer(progress.done), "phaseTotal": .integer(progress.total),
      ]
    case .retrying(let region, let stage, let message):
      object = [
        "event": "retrying", "region": .text(region), "stage": .text(stage.rawValue),
        "message": .text(message),
      ]
    case .finished(let region, let stage, let seconds, let isCached):
      object = [
        "event": "finished", "region": .text(region), "stage": .text(stage.rawValue),
        "seconds": rounded(seconds), "cached": .boolean(isCached),
      ]
    case .failed(let failure):
      object = ["event": "failed"]
      object.merge(failure.json) { first, _ in first }
    case .note(let region, let message):
      object = ["event": "note", "region": .text(region), "message": .text(message)]
    }
    object["done"] = .integer(done)
    object["total"] = .integer(total)
    let bytes = (try? encodeJSON(JSONValue.object(object), pretty: false)) ?? []
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  private func writeRaw(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
