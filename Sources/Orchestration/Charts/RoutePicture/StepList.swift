// SPDX-License-Identifier: Apache-2.0

/// The instructions, in two columns below the map.
struct StepList {
  /// A line of the list; the first one of a step has its number and its position.
  private struct Line {
    var mark: String
    var colour: String
    var position: String
    var text: String
  }

  private static let lineHeight = 17.0
  private static let columns = [24.0, 462.0]
  /// The width of the text of a step in letters.
  private static let letters = 51
  /// Longer lists are cut.
  private static let mostSteps = 500
  /// Lists up to this length have one column.
  private static let mostLinesOfOneColumn = 6

  private let top: Double
  private var parts: [[Line]] = []

  init(_ steps: [RoutePicture.Step], top: Double) {
    self.top = top
    var (blocks, number) = ([[Line]](), 0)
    for step in steps.prefix(Self.mostSteps) {
      if step.kind == .turn { number += 1 }
      let (mark, colour) =
        switch step.kind {
        case .start: ("●", RouteMap.Ink.start)
        case .turn: (String(number), RouteMap.Ink.route)
        case .end: ("●", RouteMap.Ink.end)
        }
      blocks.append(
        Self.wrapped(step.text, Self.letters).enumerated().map { index, text in
          index == 0
            ? Line(mark: mark, colour: colour, position: step.position, text: text)
            : Line(mark: "", colour: colour, position: "", text: text)
        })
    }
    if steps.count > Self.mostSteps {
      let rest = "… and \(steps.count - Self.mostSteps) more"
      blocks.append([Line(mark: "", colour: RouteMap.Ink.route, position: "", text: rest)])
    }
    let count = blocks.reduce(0) { $0 + $1.count }
    let half = count <= Self.mostLinesOfOneColumn ? count : (count + 1) / 2
    var first: [Line] = []
    var second: [Line] = []
    for block in blocks {
      if second.isEmpty, first.count < half { first += block } else { second += block }
    }
    parts = [first, second]
  }

  /// The lower edge of the picture.
  var bottom: Double {
    let lines = parts.map(\.count).max() ?? 0
    return top + Double(lines) * Self.lineHeight + (lines > 0 ? 14 : 0)
  }

  func add(to drawing: inout SVGText) {
    for (part, left) in zip(parts, Self.columns) {
      for (index, line) in part.enumerated() {
        let baseline = pixels(top + Double(index + 1) * Self.lineHeight - 4)
        if !line.mark.isEmpty {
          drawing.add(
            "text",
            [
              "x": pixels(left + 24), "y": baseline, "text-anchor": "end", "font-weight": "bold",
              "fill": line.colour,
            ], text: line.mark)
          drawing.add(
            "text",
            [
              "x": pixels(left + 94), "y": baseline, "text-anchor": "end",
              "fill": ElevationDrawing.Ink.faintText,
            ], text: line.position)
        }
        drawing.add("text", ["x": pixels(left + 103), "y": baseline], text: line.text)
      }
    }
  }

  /// Wraps a text at a number of letters, counting Chinese, Japanese and Korean ones twice. A very
  /// long text is limited to three lines.
  static func wrapped(_ text: String, _ letters: Int) -> [String] {
    var (lines, line, width) = ([String](), "", 0)
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      let length = word.reduce(0) { $0 + self.width($1) }
      if width > 0, width + 1 + length > letters {
        lines.append(line)
        (line, width) = ("", 0)
      }
      if width > 0 {
        line += " "
        width += 1
      }
      for letter in word {
        if width + self.width(letter) > letters {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line.append(letter)
        width += self.width(letter)
      }
    }
    lines.append(line)
    guard lines.count > 3 else { return lines }
    return Array(lines.prefix(2)) + [lines[2] + " …"]
  }

  private static func width(_ letter: Character) -> Int {
    letter.unicodeScalars.contains { $0.value >= 0x1100 } ? 2 : 1
  }
}
