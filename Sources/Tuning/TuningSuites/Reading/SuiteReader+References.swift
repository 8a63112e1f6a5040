// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import StrictYAML
import SystemIO

extension SuiteReader {
  /// How far apart the points are between which a track is compared with routes, in kilometres.
  private static let usualLegKilometres = 3.0

  mutating func readTimes(_ values: [YAMLValue]) {
    for value in values {
      guard let reader = value.mapping() else { continue }
      let kind = one(of: ["file", "from", "distance-km"], in: reader)
      switch kind {
      case "file":
        reader.narrow(to: SuiteForm.listedTimes)
        readTimeFile(reader)
      case "from":
        reader.narrow(to: SuiteForm.timedRoute)
        let minutes = minutes(reader)
        if let trip = trip(reader), let minutes {
          suite.referenceTimes.append(
            .init(
              name: trip.name, dataset: trip.dataset, course: .route(trip), seconds: minutes * 60,
              location: location(reader.node)))
        }
      case "distance-km":
        reader.narrow(to: SuiteForm.timedTotals)
        readTotals(reader)
      default: continue
      }
      reader.finish()
    }
  }

  private func minutes(_ reader: MappingReader) -> Double? {
    reader.value("minutes")?.number()
  }

  private mutating func readTotals(_ reader: MappingReader) {
    let name = reader.value("name").flatMap { word($0) }
    // It need not belong to any dataset.
    let dataset = reader.value("dataset").flatMap { self.dataset($0) }
    let kilometres = reader.value("distance-km")?.number()
    let ascent = reader.value("ascent-m")?.number()
    let descent = reader.value("descent-m")?.number()
    let source = reader.value("source").flatMap { $0.text() }
    guard let minutes = minutes(reader), let kilometres, let ascent, let descent else { return }
    suite.referenceTimes.append(
      .init(
        name: name, dataset: dataset, source: source,
        course: .totals(
          distanceMetres: kilometres * 1000, ascentMetres: ascent, descentMetres: descent),
        seconds: minutes * 60, location: location(reader.node)))
  }

  private mutating func readTimeFile(_ reader: MappingReader) {
    let dataset = reader.value("dataset").flatMap { self.dataset($0) }
    guard let path = path(reader.value("file")) else { return }
    do throws(CairnError) {
      suite.referenceTimes += try ReferenceTimeFile(try sources.content(path), file: path)
        .times(dataset: dataset)
    } catch { fileErrors.append(error) }
  }

  mutating func readTracks(_ values: [YAMLValue]) {
    let areas = DatasetAreas()
    for value in values {
      guard let reader = value.mapping() else { continue }
      let name = reader.value("name").flatMap { word($0) }
      let isSearched = suite.datasets.count > 1 && reader.value("dataset") == nil
      let named = isSearched ? nil : dataset(reader)
      let legs = reader.value("leg-km")?.number() ?? Self.usualLegKilometres
      let entry = reader.value("file")
      let file = path(entry)
      reader.finish()
      guard let entry, let file else { continue }
      guard let dataset = isSearched ? self.dataset(containing: file, areas, entry) : named else {
        continue
      }
      suite.referenceTracks.append(
        .init(
          name: name ?? splitPath(file).name, dataset: dataset, file: file,
          legMetres: legs * 1000, location: location(reader.node)))
    }
  }

  /// The dataset that contains a track; nil, with a problem recorded, if there is none.
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

/// The areas of a suite's datasets, read on first use.
private final class DatasetAreas {
  private var boxes: [BoundingBox?]?

  /// The dataset with most of the points, and at least half of them; of several with the same
  /// number, the one with the smallest area, then the first.
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
