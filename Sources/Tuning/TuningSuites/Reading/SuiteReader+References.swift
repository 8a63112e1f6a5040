// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import StrictYAML
import SystemIO

extension SuiteReader {
  /// The longest reference time in minutes: four weeks.
  static let longestMinutes = 40_320.0
  /// The longest walk in kilometres.
  static let longestKilometres = 2000.0
  /// The most that a walk climbs or descends, in metres.
  static let mostClimbMetres = 200_000.0
  /// How far apart the points are between which a track is compared with routes, in kilometres.
  private static let usualLegKilometres = 3.0

  mutating func readTimes(_ values: [YAMLValue]) {
    for value in values {
      guard let reader = value.mapping() else { continue }
      let kind = one(of: ["file", "from", "distance-km"], in: reader)
      switch kind {
      case "file": readTimeFile(reader)
      case "from":
        let minutes = minutes(reader)
        if let trip = trip(reader), let minutes {
          suite.referenceTimes.append(
            .init(
              name: trip.name, dataset: trip.dataset, course: .route(trip), seconds: minutes * 60,
              place: place(reader.node)))
        }
      case "distance-km": readTotals(reader)
      default: continue
      }
      if kind != nil { reader.finish() }
    }
  }

  private func minutes(_ reader: MappingReader) -> Double? {
    reader.required("minutes")?.number(in: 0.1...Self.longestMinutes)
  }

  private mutating func readTotals(_ reader: MappingReader) {
    let name = reader.optional("name").flatMap { word($0) }
    // It need not belong to any dataset.
    let dataset = reader.has("dataset") ? dataset(reader) : nil
    let kilometres = reader.required("distance-km")?.number(in: 0.001...Self.longestKilometres)
    let ascent = reader.required("ascent-m")?.number(in: 0...Self.mostClimbMetres)
    let descent = reader.required("descent-m")?.number(in: 0...Self.mostClimbMetres)
    guard let minutes = minutes(reader), let kilometres, let ascent, let descent else { return }
    suite.referenceTimes.append(
      .init(
        name: name, dataset: dataset,
        course: .totals(
          distanceMetres: kilometres * 1000, ascentMetres: ascent, descentMetres: descent),
        seconds: minutes * 60, place: place(reader.node)))
  }

  private mutating func readTimeFile(_ reader: MappingReader) {
    let dataset = reader.has("dataset") ? dataset(reader) : nil
    guard let path = path(reader.required("file")) else { return }
    do throws(CairnError) {
      suite.referenceTimes += try ReferenceTimeFile(try sources.content(path), file: path)
        .times(dataset: dataset)
    } catch { fileErrors.append(error) }
  }

  mutating func readTracks(_ values: [YAMLValue]) {
    let areas = DatasetAreas()
    for value in values {
      guard let reader = value.mapping() else { continue }
      let name = reader.optional("name").flatMap { word($0) }
      let isSearched = suite.datasets.count > 1 && reader.optional("dataset") == nil
      let named = isSearched ? nil : dataset(reader)
      let legs = reader.optionalNumber("leg-km", in: 0.2...100) ?? Self.usualLegKilometres
      let entry = reader.required("file")
      let file = path(entry)
      reader.finish()
      guard let entry, let file else { continue }
      guard let dataset = isSearched ? self.dataset(containing: file, areas, entry) : named else {
        continue
      }
      suite.referenceTracks.append(
        .init(
          name: name ?? splitPath(file).name, dataset: dataset, file: file,
          legMetres: legs * 1000, place: place(reader.node)))
    }
  }

  /// The dataset in which a track lies; nil, with a problem recorded, where there is none.
  private mutating func dataset(containing file: String, _ areas: DatasetAreas, _ entry: YAMLValue)
    -> Int?
  {
    do throws(CairnError) {
      let points = try sources.points(file)
      guard !points.isEmpty else {
        entry.refuse("has no track, so that it lies in no dataset: \(file)")
        return nil
      }
      if let index = try areas.index(of: points, suite.datasets, sources) { return index }
      entry.refuse(
        "lies in none of the datasets: \(file)",
        hint: "it begins at \(points[0].latitude),\(points[0].longitude); “dataset” names one")
    } catch { fileErrors.append(error) }
    return nil
  }
}

/// Where the datasets of a suite are, read when it is first asked for.
private final class DatasetAreas {
  private var boxes: [BoundingBox?]?

  /// The dataset with most of the points, and at least half of them; of several with as many the one
  /// with the smallest area, then the first one.
  func index(
    of points: [Coordinate], _ datasets: [TuningSuite.Dataset], _ sources: SuiteSources
  ) throws(CairnError) -> Int? {
    var boxes: [BoundingBox?] = self.boxes ?? []
    if self.boxes == nil {
      for dataset in datasets { boxes.append(try sources.box(dataset.database)) }
      self.boxes = boxes
    }
    var best: (index: Int, points: Int, area: Double)?
    for (index, box) in boxes.enumerated() {
      guard let box else { continue }
      let inside = points.count(where: box.contains)
      let area = (box.north - box.south) * box.widthDegrees
      if let best, (inside, -area) <= (best.points, -best.area) { continue }
      best = (index, inside, area)
    }
    return best.flatMap { 2 * $0.points >= points.count ? $0.index : nil }
  }
}
