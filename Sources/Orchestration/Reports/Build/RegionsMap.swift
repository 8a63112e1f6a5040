// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import Charts
import Pipeline

/// A map of the regions of a run, with their outcome and well-known places.
struct RegionsMap {
  /// A region with its box and its status in words.
  typealias Entry = (box: BoundingBox, region: RecordedRun.Region, status: String)

  /// The most names of all regions together.
  private static let mostNames = 80

  /// The size of names in pixels, and the width and the largest height of maps on wide screens and
  /// on narrow ones.
  private static let (fontPixels, mostHigh) = (12.0, 520.0)
  private static let screens = [(style: "wide", pixels: 1118.0), (style: "narrow", pixels: 340.0)]

  private let entries: [(entry: Entry, area: MapNames.Area)]
  private let frame: MapFrame
  private let labels: [PlaceLabel]

  /// Nil without a region with a known box.
  init?(_ entries: [Entry]) {
    let corners = entries.map { entry in
      let box = entry.box
      // A region across the antimeridian is shown on its western side.
      let east = box.east < box.west ? 180 : box.east
      return [
        Coordinate(latitude: box.north, longitude: box.west),
        Coordinate(latitude: box.south, longitude: east),
      ]
    }
    guard let frame = MapFrame(around: corners, isTight: true) else { return nil }
    self.frame = frame
    self.entries = zip(entries, corners).map { entry, corners in
      let (low, high) = (frame.position(corners[0]), frame.position(corners[1]))
      return (entry, (x: low.x...max(low.x, high.x), y: low.y...max(low.y, high.y)))
    }
    let each = max(1, Self.mostNames / entries.count)
    // A map without names is better than no page: the databases are checked elsewhere.
    labels = entries.flatMap { entry in
      entry.region.bundle?.places.flatMap {
        try? PlaceLabel.read($0, kinds: [.settlement, .peak], in: entry.box, limit: each)
      } ?? []
    }
  }

  func add(to page: inout SVGText) {
    let (width, height) = (shortDecimal(frame.width, 0), shortDecimal(frame.height, 0))
    page.group(
      "svg",
      [
        "class": "map regions", "viewBox": "0 0 \(width) \(height)", "role": "img",
        "aria-label": "Map of \(counted(entries.count, "region"))",
      ]
    ) { page in
      for (entry, area) in entries {
        page.group("g", ["class": "region \(Self.style(entry.region))"]) { page in
          page.add("title", text: "\(entry.region.id): \(entry.status)")
          page.add(
            "rect",
            [
              "x": shortDecimal(area.x.lowerBound, 0), "y": shortDecimal(area.y.lowerBound, 0),
              "width": shortDecimal(area.x.upperBound - area.x.lowerBound, 0),
              "height": shortDecimal(area.y.upperBound - area.y.lowerBound, 0),
            ])
        }
      }
      // A drawing's letters shrink with it, so a phone has fewer and larger names.
      for screen in Self.screens {
        let pixels = min(screen.pixels / frame.width, Self.mostHigh / frame.height)
        addTexts(to: &page, fontSize: Self.fontPixels / pixels, style: screen.style)
      }
    }
  }

  private func addTexts(to page: inout SVGText, fontSize: Double, style: String) {
    page.group(
      "g",
      [
        "class": style, "font-size": shortDecimal(fontSize, 0),
        "stroke-width": shortDecimal(fontSize / 4, 0),
      ]
    ) { page in
      for (entry, area) in entries {
        page.add(
          "text",
          [
            "class": "title", "x": shortDecimal((area.x.lowerBound + area.x.upperBound) / 2, 0),
            "y": shortDecimal(area.y.lowerBound - fontSize / 2, 0),
          ], text: "\(entry.region.id) \(entry.status.prefix(1))")
      }
      MapNames(labels, frame, fontSize: fontSize, in: entries.map(\.area)).add(to: &page)
    }
  }

  private static func style(_ region: RecordedRun.Region) -> String {
    region.status == "failed" || region.status == "stopped" || region.isHeld
      ? "failed" : region.status == "built" ? "built" : "cached"
  }
}
