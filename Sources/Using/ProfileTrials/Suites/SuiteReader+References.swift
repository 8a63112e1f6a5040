// SPDX-License-Identifier: Apache-2.0
import Diagnostics
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
    for value in values {
      guard let reader = value.mapping() else { continue }
      let name = reader.optional("name").flatMap { word($0) }
      let dataset = dataset(reader)
      let legs = reader.optionalNumber("leg-km", in: 0.2...100) ?? Self.usualLegKilometres
      let file = path(reader.required("file"))
      reader.finish()
      guard let dataset, let file else { continue }
      suite.referenceTracks.append(
        .init(
          name: name ?? splitPath(file).name, dataset: dataset, file: file,
          legMetres: legs * 1000, place: place(reader.node)))
    }
  }
}
