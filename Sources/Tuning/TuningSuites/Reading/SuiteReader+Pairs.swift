// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML

extension SuiteReader {
  /// The default bands of distance, in kilometres.
  private static let usualKilometres = [1.0, 3, 6, 12]

  mutating func readPairs(_ values: [YAMLValue]) {
    for value in values {
      guard let reader = value.mapping() else { continue }
      let kind = one(of: ["file", "draw", "from"], in: reader)
      switch kind {
      case "file":
        reader.narrow(to: SuiteForm.listedPairs)
        readPairFile(reader)
      case "draw":
        reader.narrow(to: SuiteForm.drawnPairs)
        readDrawnPairs(reader)
      case "from":
        reader.narrow(to: SuiteForm.givenPair)
        if let trip = trip(reader) { add(trip) }
      default: continue
      }
      reader.finish()
    }
  }

  /// Consecutive trips of the same dataset are one group.
  private mutating func add(_ trip: TuningSuite.Trip) {
    if case .given(var trips)? = suite.pairs.last, trips[0].dataset == trip.dataset {
      trips.append(trip)
      suite.pairs[suite.pairs.count - 1] = .given(trips)
    } else {
      suite.pairs.append(.given([trip]))
    }
  }

  private mutating func readPairFile(_ reader: MappingReader) {
    let dataset = dataset(reader)
    guard let path = path(reader.value("file")), let dataset else { return }
    do throws(CairnError) {
      let list = try PointList(text: try sources.content(path), file: path, pointsPerLine: 2)
      let trips = list.lines.map { line in
        TuningSuite.Trip(
          dataset: dataset, points: line.points,
          location: Location(file: path, .line(line.number, column: 1)))
      }
      if !trips.isEmpty { suite.pairs.append(.given(trips)) }
    } catch { fileErrors.append(error) }
  }

  private mutating func readDrawnPairs(_ reader: MappingReader) {
    let dataset = dataset(reader)
    let count = reader.value("draw")?.integer() ?? 0
    let seed = reader.value("seed")?.integer() ?? 1
    let kilometres = reader.value("distance-km")
    let distances = kilometres.map(bounds) ?? Self.usualKilometres
    let rise = reader.value("rise-m")
    let rises = rise.map(bounds)
    guard let dataset, let distances, rise == nil || rises != nil else { return }
    suite.pairs.append(
      .drawn(
        .init(
          dataset: dataset, count: count, seed: UInt64(seed),
          distanceBoundsMetres: distances.map { $0 * 1000 }, riseBoundsMetres: rises ?? nil,
          location: location(reader.node))))
  }

  /// Ascending bounds of bands, at least two.
  private func bounds(_ value: YAMLValue) -> [Double]? {
    guard let values = value.list(of: "numbers") else { return nil }
    let numbers = values.compactMap { $0.number() }
    guard numbers.count == values.count else { return nil }
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else {
      value.refuse("must have ascending numbers")
      return nil
    }
    return numbers
  }
}
