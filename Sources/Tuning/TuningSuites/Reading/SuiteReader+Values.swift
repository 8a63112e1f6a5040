// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import StrictYAML
import SystemIO

extension SuiteReader {
  /// The location of a value.
  func location(_ node: YAMLNode) -> Location {
    Location(file: problems.file, .line(node.line, column: node.column))
  }

  /// The path of an existing file, seen from the suite's folder.
  func path(_ value: YAMLValue?) -> String? {
    guard let value, let text = value.text() else { return nil }
    let path = joinPath(folder, text)
    guard sources.exists(path) else {
      value.refuse("names a file that does not exist: \(path)")
      return nil
    }
    return path
  }

  /// A short name.
  func word(_ value: YAMLValue) -> String? {
    guard let text = value.text() else { return nil }
    guard text.count <= 100 else {
      value.refuse("must have at most 100 characters, not \(text.count)")
      return nil
    }
    return text
  }

  /// The index of the dataset named by an entry, optional in a suite with a single one; nil, with a
  /// problem recorded, for an unknown one.
  func dataset(_ reader: MappingReader) -> Int? {
    guard let value = reader.value("dataset") else {
      if suite.datasets.count > 1 {
        problems.add(
          "“dataset” is missing in \(reader.name)", at: reader.node,
          hint: "the suite has several: \(datasetList)")
      }
      return suite.datasets.count == 1 ? 0 : nil
    }
    return dataset(value)
  }

  /// The index of the dataset named by a value; nil, with a problem recorded, for an unknown one.
  func dataset(_ value: YAMLValue) -> Int? {
    guard let id = value.text() else { return nil }
    if let index = suite.datasets.firstIndex(where: { $0.id == id }) { return index }
    guard !suite.datasets.isEmpty else { return nil }
    let near = nearestWord(to: id, among: suite.datasets.map(\.id))
    value.refuse(
      "names no dataset of the suite: \(id.prefix(60))",
      hint: near.map { "did you mean \($0)?" } ?? "it has \(datasetList)")
    return nil
  }

  private var datasetList: String {
    let names = suite.datasets.prefix(10).map(\.id)
    return names.joined(separator: ", ") + (suite.datasets.count > 10 ? ", …" : "")
  }

  /// A point: `[LAT, LON]`, or `LAT,LON` as text.
  func point(_ value: YAMLValue?) -> Coordinate? {
    guard let value else { return nil }
    var problem: String?
    switch value.node.content {
    case .scalar(let text, _):
      if let point = Coordinate(commandLine: text) { return point }
      problem = Coordinate.problem(commandLine: text)
    case .sequence:
      guard let numbers = value.numbers(count: 2) else { return nil }
      let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
      if point.isValid { return point }
      problem = point.problem
    case .mapping: break
    }
    value.refuse(
      "must be a point in degrees, latitude first: [47.03, 10.05]",
      hint: problem ?? "between braces, “47.03,10.05” needs quotation marks")
    return nil
  }

  /// The keys `from`, `via` and `to`, and a name; nil with a problem recorded if they are incomplete.
  func trip(_ reader: MappingReader) -> TuningSuite.Trip? {
    let name = reader.value("name").flatMap { word($0) }
    let dataset = dataset(reader)
    let (from, to) = (point(reader.value("from")), point(reader.value("to")))
    var via: [Coordinate] = []
    if let value = reader.value("via") {
      let values = value.checked(by: SuiteForm.viaPoints)
      let points = value.isPoint ? [value] : values.list(of: "points") ?? []
      via = points.compactMap { point($0) }
    }
    guard let dataset, let from, let to else { return nil }
    return TuningSuite.Trip(
      name: name, dataset: dataset, points: [from] + via + [to], location: location(reader.node))
  }

  /// A time: `3 h`, `3 h 20 min` or `200 min`.
  func seconds(_ value: YAMLValue) -> Double? {
    guard let text = value.text() else { return nil }
    let words = text.split { $0.isWhitespace }
    var total = 0.0
    var isValid = !words.isEmpty && words.count % 2 == 0
    var units = ["h", "min"][...]
    for index in stride(from: 0, to: words.count - words.count % 2, by: 2) {
      guard let number = decimalNumber(words[index]), (0...10_000).contains(number),
        let unit = units.firstIndex(of: String(words[index + 1]))
      else {
        isValid = false
        break
      }
      total += number * (units[unit] == "h" ? 3600 : 60)
      units = units[(unit + 1)...]
    }
    guard isValid else {
      value.refuse("must be a time such as 3 h, 3 h 20 min or 200 min, not “\(text.prefix(40))”")
      return nil
    }
    return total
  }

  /// A share: `5 %`, or `5`.
  func share(_ value: YAMLValue) -> Double? {
    if case .scalar(let text, isPlain: true) = value.node.content, text.hasSuffix("%"),
      let number = decimalNumber(text.dropLast())
    {
      if SuiteForm.share.range?.contains(number) == true { return number / 100 }
      value.refuse("must be from 0 to 100 %, not \(text.prefix(40))")
      return nil
    }
    return value.checked(by: SuiteForm.share).number().map { $0 / 100 }
  }

  /// A range of two values, the lower one first.
  func range(_ value: YAMLValue, _ read: (YAMLValue) -> Double?) -> ClosedRange<Double>? {
    guard let ends = value.list() else { return nil }
    guard ends.count == 2 else {
      value.refuse("must have two values, [LOW, HIGH], not \(ends.count)")
      return nil
    }
    guard let low = read(ends[0]), let high = read(ends[1]) else { return nil }
    guard low <= high else {
      value.refuse("must have the lower value first")
      return nil
    }
    return low...high
  }

  /// A list of values, or a single one.
  func several(_ value: YAMLValue) -> [YAMLValue] {
    if case .sequence = value.node.content { return value.list() ?? [] }
    return [value]
  }

  /// Exactly one of some keys; otherwise nil, with a problem recorded.
  func one(of keys: [String], in reader: MappingReader) -> String? {
    let found = keys.filter(reader.has)
    let list = keys.map { "“\($0)”" }
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      problems.add(
        "\(reader.name) needs \(list.dropLast().joined(separator: ", ")) or \(list[list.count - 1])",
        at: reader.node)
    } else {
      let both = found.map { "“\($0)”" }.joined(separator: " and ")
      problems.add("\(both) cannot be combined", at: reader.node)
    }
    return nil
  }
}

extension YAMLValue {
  /// Whether this is a single point and not a list of points.
  fileprivate var isPoint: Bool {
    guard case .sequence(let nodes) = node.content, let first = nodes.first else { return true }
    if case .scalar(let text, isPlain: true) = first.content { return decimalNumber(text) != nil }
    return false
  }
}
