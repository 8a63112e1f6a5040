// SPDX-License-Identifier: Apache-2.0

extension RouteMap {
  /// The most turns for which the map has numbers; more would be illegible.
  private static let mostNumbers = 300
  private static let mostVia = 100
  /// Ends closer than this are one, in pixels.
  private static let leastApart = 12.0

  /// The start, the end, the via points and the turns with as many of their numbers as fit.
  func addMarks(to drawing: inout SVGText) {
    guard let start = line.first, let end = line.last else { return }
    let via = picture.via.prefix(Self.mostVia).map(pixel)
    var labels = MarkLabels(self)
    for disc in scaleDiscs { labels.keep(disc) }
    for mark in via + [start, end] { labels.keep(.init(centre: mark, radius: 8)) }
    let isOne = start.distance(to: end) < Self.leastApart
    var texts = [labels.label(isOne ? "Start and end" : "Start", Ink.start, at: start)]
    if !isOne { texts.append(labels.label("End", Ink.end, at: end)) }
    for (index, mark) in via.enumerated() {
      texts.append(labels.label("via \(index + 1)", Ink.via, at: mark))
    }
    addTurns(&labels, to: &drawing)
    addNames(&labels, to: &drawing)
    for mark in via { addDiamond(mark, to: &drawing) }
    if !isOne { addDot(end, Ink.end, to: &drawing) }
    addDot(start, Ink.start, to: &drawing)
    for text in texts { add(text, to: &drawing) }
  }

  /// Whether a point lies on the map and not at its edge.
  func isInside(_ pixel: Pixel) -> Bool {
    (Frame.left + 12...Frame.right - 12).contains(pixel.x)
      && (Frame.top + 12...bottom - 12).contains(pixel.y)
  }

  private func addTurns(_ labels: inout MarkLabels, to drawing: inout SVGText) {
    let turns = picture.steps.filter { $0.kind == .turn }.map { pixel($0.coordinate) }
    var numbers: [(turn: Pixel, disc: MarkLabels.Disc, text: String)] = []
    for (index, turn) in turns.prefix(Self.mostNumbers).enumerated() where isInside(turn) {
      let text = String(index + 1)
      if let disc = labels.number(radius: text.count < 3 ? 8.5 : 11, at: turn) {
        numbers.append((turn, disc, text))
      }
    }
    drawing.group("g", ["stroke": Ink.route, "fill": ElevationDrawing.Ink.paper]) { group in
      for number in numbers
      where number.turn.distance(to: number.disc.centre) > MarkLabels.reaches[0] + 1 {
        let centre = number.disc.centre
        group.add(
          "path",
          [
            "d": "M\(pixels(number.turn.x)) \(pixels(number.turn.y))"
              + "L\(pixels(centre.x)) \(pixels(centre.y))", "stroke-width": "0.8",
          ])
      }
      for turn in turns where isInside(turn) {
        group.add(
          "circle",
          ["cx": pixels(turn.x), "cy": pixels(turn.y), "r": "3", "stroke-width": "1.5"])
      }
      for number in numbers {
        let centre = number.disc.centre
        group.add(
          "circle",
          [
            "cx": pixels(centre.x), "cy": pixels(centre.y), "r": pixels(number.disc.radius - 0.5),
            "stroke-width": "0.8",
          ])
      }
    }
    drawing.group(
      "g",
      [
        "text-anchor": "middle", "font-size": "10", "font-weight": "bold", "fill": Ink.route,
      ]
    ) { group in
      for number in numbers {
        let centre = number.disc.centre
        group.add(
          "text", ["x": pixels(centre.x), "y": pixels(centre.y + 3.6)], text: number.text)
      }
    }
  }

  private func addDiamond(_ pixel: Pixel, to drawing: inout SVGText) {
    drawing.add(
      "path",
      [
        "d": "M\(pixels(pixel.x)) \(pixels(pixel.y - 7))l7 7l-7 7l-7 -7Z", "fill": Ink.via,
        "stroke": ElevationDrawing.Ink.paper, "stroke-width": "1.5",
      ])
  }

  private func addDot(_ pixel: Pixel, _ colour: String, to drawing: inout SVGText) {
    drawing.add(
      "circle",
      [
        "cx": pixels(pixel.x), "cy": pixels(pixel.y), "r": "7", "fill": colour,
        "stroke": ElevationDrawing.Ink.paper, "stroke-width": "2",
      ])
  }

  /// Writes a text with an outline of the ground's colour.
  private func add(_ label: MarkLabels.Label, to drawing: inout SVGText) {
    let (x, y) = (pixels(label.start.x), pixels(label.start.y))
    drawing.group(
      "g", ["font-weight": "bold", "font-size": "12.5", "fill": label.colour]
    ) { group in
      group.add(
        "text",
        [
          "x": x, "y": y, "stroke": Ink.ground, "stroke-width": "4", "stroke-linejoin": "round",
          "aria-hidden": "true",
        ], text: label.text)
      group.add("text", ["x": x, "y": y], text: label.text)
    }
  }
}
