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

  private let entries: [Entry]
  private let frame: MapFrame
  private let names: MapNames

  /// Nil without a region with a known box.
  init?(_ entries: [Entry]) {
    let corners = entries.map { entry in
      let box = entry.box
      // A region across the antimeridian is shown on its western side.
      let east = box.east < box.west ? 180 : box.east
      return [
        Coordinate(latitude: box.south, longitude: box.west),
        Coordinate(latitude: box.north, longitude: east),
      ]
    }
    guard let frame = MapFrame(around: corners) else { return nil }
    (self.entries, self.frame) = (entries, frame)
    let each = max(1, Self.mostNames / entries.count)
    // A map without names is better than no page: the databases are checked elsewhere.
    names = MapNames(
      entries.flatMap { entry in
        entry.region.bundle?.places.flatMap {
          try? PlaceLabel.read($0, kinds: [.settlement, .peak], in: entry.box, limit: each)
        } ?? []
      }, frame, fontSize: 160)
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
      for entry in entries {
        let (low, high) = (
          frame.position(Coordinate(latitude: entry.box.north, longitude: entry.box.west)),
          frame.position(Coordinate(latitude: entry.box.south, longitude: entry.box.east))
        )
        page.group("g", ["class": "region \(Self.style(entry.region))"]) { page in
          page.add("title", text: "\(entry.region.id): \(entry.status)")
          page.add(
            "rect",
            [
              "x": shortDecimal(low.x, 0), "y": shortDecimal(low.y, 0),
              "width": shortDecimal(max(0, high.x - low.x), 0),
              "height": shortDecimal(max(0, high.y - low.y), 0),
            ])
          page.add(
            "text",
            [
              "class": "title", "x": shortDecimal((low.x + high.x) / 2, 0),
              "y": shortDecimal(low.y - 90, 0),
            ], text: "\(entry.region.id) \(entry.status.prefix(1))")
        }
      }
      names.add(to: &page)
    }
  }

  private static func style(_ region: RecordedRun.Region) -> String {
    region.status == "failed" || region.status == "stopped" || region.isHeld
      ? "failed" : region.status == "built" ? "built" : "cached"
  }
}
