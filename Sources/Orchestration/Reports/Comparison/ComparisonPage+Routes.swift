// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import Charts
import ProfileTrials

/// The map of a dataset's changed routes.
struct RouteMapDrawing {
  let dataset: String
  let frame: MapFrame
  let relief: String?
  let ways: NetworkPaths?
  let names: MapNames?
  let attributions: [String]
  /// The routes with the names that list, map and details share.
  let routes: [(id: String, route: ChangedRoute)]
}

extension ComparisonPage {
  /// A map of each dataset with changed routes.
  func maps(_ candidate: CandidateComparison, prefix: String) throws(CairnError)
    -> [RouteMapDrawing]
  {
    var maps: [RouteMapDrawing] = []
    for dataset in comparison.datasets {
      let routes = candidate.changedRoutes.enumerated()
        .filter { $0.element.dataset == dataset.id }
        .map { (id: "\(prefix)-\($0.offset + 1)", route: $0.element) }
      let lines = routes.flatMap { [$0.route.base.line, $0.route.candidate.line] }
      guard let frame = MapFrame(around: lines) else { continue }
      maps.append(
        RouteMapDrawing(
          dataset: dataset.id, frame: frame, relief: try ground.relief(frame),
          ways: try ground.ways(frame, database: dataset.database),
          names: try ground.names(frame, database: dataset.database),
          attributions: ground.attributions, routes: routes))
    }
    return maps
  }

  func addRoutes(
    _ candidate: CandidateComparison, _ maps: [RouteMapDrawing], prefix: String,
    to page: inout SVGText
  ) {
    page.add(
      "p", ["class": "note"],
      text:
        "The most changed routes. Choose one in the list or on the map: the map moves to it, and "
        + "both versions are shown below.")
    addLegend(candidate, to: &page)
    page.group("div", ["class": "explorer-root"]) { page in
      page.group("div", ["class": "explorer"]) { page in
        page.group("div", ["class": "routes", "role": "group", "aria-label": "Changed routes"]) {
          page in
          for (index, route) in candidate.changedRoutes.enumerated() {
            let time = signedTime(route.candidate.seconds - route.base.seconds)
            let way = signedLength(route.candidate.distanceMetres - route.base.distanceMetres)
            let figures = [time, way, "\(percent(finite(route.overlap))) shared"]
              .map { $0.replacing(scalar: " ", with: "\u{A0}") }.joined(separator: " · ")
            page.raw(
              "<button type=\"button\" data-route=\"\(prefix)-\(index + 1)\" aria-pressed=\"false\">"
                + "<b>\(xmlEscaped(route.title))</b><span>\(xmlEscaped(route.dataset)):\(route.pair) · "
                + "\(figures)</span></button>")
          }
        }
        page.group("div", ["class": "maps"]) { page in
          for map in maps { map.add(to: &page) }
          if maps.isEmpty { page.add("p", text: "No route has a line to draw.") }
        }
      }
      for (index, route) in candidate.changedRoutes.enumerated() {
        addDetail(route, candidate, id: "\(prefix)-\(index + 1)", to: &page)
      }
    }
  }

  private func addDetail(
    _ route: ChangedRoute, _ candidate: CandidateComparison, id: String, to page: inout SVGText
  ) {
    let versions = [
      ("base", comparison.comparedWith.label, route.base),
      ("candidate", candidate.profile.label, route.candidate),
    ].map { (style: $0.0, name: $0.1, version: $0.2, panel: ElevationPanel($0.2)) }
    let frame = ElevationPanel.Frame(versions.map(\.panel))
    page.group(
      "article", ["class": "card detail", "data-route": id, "aria-live": "polite"]
    ) { page in
      page.add("h3", text: route.title)
      page.group("div", ["class": "pair"]) { page in
        for (style, name, version, panel) in versions {
          page.group("figure") { page in
            page.raw("<figcaption>\(caption(style, name, version))</figcaption>")
            if panel.isKnown {
              panel.add(
                to: &page, in: frame, label: "Elevation profile with \(name)", style: style)
            } else {
              page.add("p", ["class": "note"], text: "No elevation is known along this route.")
            }
            addOwnWays(version, to: &page)
          }
        }
      }
    }
  }

  private func caption(_ style: String, _ name: String, _ version: RouteVersion) -> String {
    let grade = version.hardestGrade.map { " · up to \(xmlEscaped($0))" } ?? ""
    let steepest = version.steepness?.steepestText.map { "<br/>steepest 100 m: \($0)" } ?? ""
    return #"<svg class="key" width="34" height="10" viewBox="0 0 34 12" aria-hidden="true">"#
      + #"<path class="\#(style)" d="M1 6H33"/></svg> <b>\#(xmlEscaped(name))</b><br/>"#
      + "\(length(version.distanceMetres)) · ↑ \(climb(version.ascentMetres)) · "
      + "↓ \(climb(version.descentMetres)) · \(duration(version.seconds))\(grade)\(steepest)"
  }

  private func addOwnWays(_ version: RouteVersion, to page: inout SVGText) {
    guard !version.ownWays.isEmpty else { return }
    page.add("p", ["class": "note"], text: "Only this version uses:")
    page.group("ul") { page in
      for own in version.ownWays.prefix(5) {
        let what = [own.name, own.highway].compactMap { $0 }.joined(separator: ", ")
        let name = xmlEscaped(what.isEmpty ? "a way" : what)
        let link = own.way.map { " (\(osmLink("way/\($0)", text: "way \($0)")))" } ?? ""
        page.raw("<li>\(length(own.metres)) of \(name)\(link)</li>")
      }
    }
  }
}

private func finite(_ share: Double) -> Double { share.isFinite ? share : 0 }

extension ElevationPanel {
  fileprivate init(_ version: RouteVersion) {
    let profile = version.elevationProfile
    self.init(
      points: zip(profile.distances, profile.elevations).map {
        (distanceMetres: $0, elevationMetres: $1)
      })
  }
}

extension RouteVersion {
  /// Its line, without invalid coordinates.
  var line: [Coordinate] {
    coordinates.compactMap { pair in
      guard pair.count == 2 else { return nil }
      let point = Coordinate(latitude: pair[0], longitude: pair[1])
      return point.isValid ? point : nil
    }
  }
}

extension RouteMapDrawing {
  /// Adds the map as a drawing, whose lines the map library takes over if present.
  func add(to page: inout SVGText) {
    let (width, height) = (shortDecimal(frame.width, 0), shortDecimal(frame.height, 0))
    page.group(
      "svg",
      [
        "class": "map", "viewBox": "0 0 \(width) \(height)", "role": "group",
        "aria-label": "Map of the changed routes of \(dataset)",
        "data-west": exactDecimal(frame.west), "data-north": exactDecimal(frame.north),
        "data-scale": exactDecimal(frame.scale),
        "data-attribution": (["© OpenStreetMap contributors"] + attributions)
          .joined(separator: ", "),
      ]
    ) { page in
      if let relief {
        page.add(
          "image",
          ["href": relief, "width": width, "height": height, "preserveAspectRatio": "none"])
      }
      if let ways {
        page.group("g", ["class": "ways", "aria-hidden": "true"]) { page in
          page.add("path", ["class": "roads", "d": ways.roads])
          page.add("path", ["class": "trails", "d": ways.trails])
        }
      }
      page.group("g", ["class": "layer"]) { page in
        for (id, route) in routes {
          page.group(
            "g",
            [
              "class": "route", "data-route": id, "tabindex": "0", "role": "button",
              "aria-label": route.title,
            ]
          ) { page in
            let (base, candidate) = (frame.path(route.base.line), frame.path(route.candidate.line))
            for (style, path) in [
              ("casing", base), ("casing", candidate), ("base", base), ("candidate", candidate),
            ] where !path.isEmpty {
              page.add("path", ["class": style, "d": path])
            }
          }
        }
      }
      names?.add(to: &page)
    }
  }
}
