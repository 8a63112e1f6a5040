// SPDX-License-Identifier: Apache-2.0
import Glibc
import StageKit
import Synchronization

/// Shows on stderr how far a run is.
final class RunPrinter: Sendable {
  private struct State {
    /// The stages at work, as `region stage`, in the order in which they began.
    var running: [String] = []
    var done = 0
    var hasLine = false
  }

  private enum Form {
    /// One line that rewrites itself.
    case live
    /// A line for each stage that ends.
    case lines
    case json
    case silent
  }

  private let form: Form
  private let total: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - style: `auto` is a live line on a terminal and plain lines elsewhere.
  ///   - total: The number of actions of the plan.
  init(_ style: Progress.Style, total: Int) {
    self.total = total
    form =
      switch style {
      case .auto: Console.isInteractive ? .live : .lines
      case .plain: .lines
      case .json: .json
      case .none: .silent
      }
  }

  /// Shows an event.
  func show(_ event: RunEvent) {
    state.withLock { state in
      update(&state, event)
      switch form {
      case .silent: break
      case .json: Console.note(json(event, state.done))
      case .lines: if let line = line(event, state.done) { Console.note(line) }
      case .live:
        if case .retrying = event, let line = line(event, state.done) { writeAbove(line, &state) }
        if case .note = event, let line = line(event, state.done) { writeAbove(line, &state) }
        drawLine(&state)
      }
    }
  }

  /// Removes the live line.
  func end() {
    state.withLock { state in
      if state.hasLine { writeRaw("\r\u{1B}[K") }
      state.hasLine = false
    }
  }

  private func update(_ state: inout State, _ event: RunEvent) {
    switch event {
    case .started(let region, let stage, _, _):
      state.running.append("\(region) \(stage.rawValue)")
    case .finished(let region, let stage, _, _):
      state.done += 1
      state.running.removeAll { $0 == "\(region) \(stage.rawValue)" }
    case .failed(let failure):
      state.running.removeAll { $0 == "\(failure.region) \(failure.stage.rawValue)" }
    case .retrying, .note: break
    }
  }

  private func line(_ event: RunEvent, _ done: Int) -> String? {
    switch event {
    case .finished(let region, let stage, let seconds, isCached: false):
      "\(region): \(stage.rawValue) (\(milliseconds(seconds))) [\(done)/\(total)]"
    case .failed(let failure): "\(failure.region): \(failure.stage.rawValue) FAILED"
    case .retrying(let region, _, let message): "\(region): \(message); trying once more"
    case .note(let region, let message): "\(region): note: \(message)"
    case .started, .finished: nil
    }
  }

  private func drawLine(_ state: inout State) {
    let work = state.running.prefix(4).joined(separator: ", ")
    let more = state.running.count > 4 ? ", …" : ""
    writeRaw("\r\u{1B}[K" + String("[\(state.done)/\(total)] \(work)\(more)".prefix(79)))
    state.hasLine = true
  }

  private func writeAbove(_ line: String, _ state: inout State) {
    writeRaw((state.hasLine ? "\r\u{1B}[K" : "") + line + "\n")
  }

  private func json(_ event: RunEvent, _ done: Int) -> String {
    var object: [String: JSONValue]
    switch event {
    case .started(let region, let stage, let reason, let threads):
      object = [
        "event": "started", "region": .text(region), "stage": .text(stage.rawValue),
        "reason": .text(reason), "threads": .integer(threads),
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
      object = [
        "event": "failed", "region": .text(failure.region),
        "stage": .text(failure.stage.rawValue), "message": .text(failure.message),
      ]
      if let log = failure.log { object["log"] = .text(log) }
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

/// Seconds as JSON, to the millisecond.
func rounded(_ seconds: Double) -> JSONValue { .number((seconds * 1000).rounded() / 1000) }
