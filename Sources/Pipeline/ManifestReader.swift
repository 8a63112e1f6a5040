// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import Elevation
import Geodesy
import StrictYAML
import SystemIO
import TravelRules

extension Manifest {
  /// Reads a manifest.
  ///
  /// Throws 66 if the file cannot be read, and 78 with all that is wrong in it, each with file,
  /// line and column. Whether the files that it names are there is not looked at; see
  /// ``checkFiles(regions:)``.
  public static func load(_ path: String) throws(CairnError) -> Manifest {
    let document = try YAMLDocument.parse(file: path)
    let problems = YAMLProblems(file: path)
    let manifest = ManifestReader(path: path, problems: problems).manifest(document)
    try problems.check()
    return manifest
  }

  /// Throws 66 with all files and folders that some regions need and that are not there, and 78
  /// for a profile file that is wrong: better now than after hours of work.
  public func checkFiles(regions: [Region]) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    func check(_ path: String, _ location: Location) {
      guard !pathExists(path), case .line(let line, let column) = location.place else { return }
      problems.add(
        "\(path) is not there", line: line, column: column,
        hint: "paths are relative to the manifest")
    }
    for name in Set(regions.map(\.source)).sorted() {
      if let source = sources[name] { check(source.path, source.location) }
    }
    for folder in elevation { check(folder.path, folder.location) }
    for profile in profiles {
      if case .file(let path) = profile.kind { check(path, profile.location) }
    }
    for region in regions {
      if let path = region.shape.path { check(path, region.location) }
    }
    try problems.check(.cannotRead, .noInput)
    for profile in profiles {
      if case .file(let path) = profile.kind { _ = try CostProfile(file: path) }
    }
  }
}

/// Turns a document into a manifest and records what is wrong with it. What it returns is only
/// whole if nothing was recorded.
struct ManifestReader {
  let path: String
  let problems: YAMLProblems

  func manifest(_ document: YAMLNode) -> Manifest {
    let top = MappingReader(document, called: "the manifest", problems)
    if let version = top.required("cairn"), let number = version.integer(),
      number != Manifest.version
    {
      version.refuse("must be \(Manifest.version), the version that this cairn reads")
    }
    let defaults = top.optionalMapping("defaults")
    let defaultSource = defaults?.optional("source")
    let defaultDate = date(defaults)
    let defaultChecks = checks(defaults?.optionalMapping("checks"), over: .init())
    let defaultThreshold = defaults.flatMap(islandThreshold)
    let sourceReader = top.mapping("sources")
    // With those that are wrong themselves: who names one of them is not to blame.
    let sourceNames = sourceReader.keys.map(\.text)
    let (folders, elevationOptions) = elevation(top.required("elevation"))
    var manifest = Manifest(
      path: path, name: top.text("name"), output: resolved(top.text("output")),
      sources: sources(sourceReader), elevation: folders,
      elevationOptions: elevationOptions, profiles: profiles(top.required("profiles")), regions: [])
    if let defaultSource { _ = sourceName(defaultSource, among: sourceNames) }
    let regions = top.required("regions")?.list() ?? []
    manifest.regions = regions.compactMap {
      var region = region(
        $0, sourceNames, defaultSource: defaultSource?.node, defaultDate, defaultChecks)
      if region?.islandThresholdKilometres == nil {
        region?.islandThresholdKilometres = defaultThreshold
      }
      return region
    }
    if let list = top.optional("regions"), regions.isEmpty, isList(list) {
      list.refuse("must have at least one region")
    }
    refuseRepeatedIDs(regions)
    manifest.resources = resources(
      top.optionalMapping("resources"),
      stages: ["fetch"] + Stage.builtIn.filter(\.isProcess).map(\.rawValue))
    manifest.retries = top.optionalInteger("retries", in: 0...10) ?? Manifest.defaultRetries
    defaults?.finish()
    top.finish()
    return manifest
  }

  private func sources(_ reader: MappingReader) -> [String: Manifest.Source] {
    var sources: [String: Manifest.Source] = [:]
    for (key, source) in reader.mappings() {
      let values = Manifest.Source.Format.allCases.compactMap { format in
        source.optional(format.rawValue).map { (format, $0) }
      }
      source.finish()
      guard values.count == 1, let (format, value) = values.first else {
        problems.add("source “\(key.text)” needs one of pbf and overpass", at: key)
        continue
      }
      guard let file = value.text() else { continue }
      sources[key.text] = Manifest.Source(
        name: key.text, format: format, path: resolved(file), location: location(value))
    }
    return sources
  }

  /// A list of folders, or a mapping of such a list and of how elevations are cleaned.
  private func elevation(_ value: YAMLValue?)
    -> ([Manifest.ElevationFolder], Manifest.ElevationOptions)
  {
    guard let value, case .mapping = value.node.content, let reader = value.mapping() else {
      return (elevationFolders(value), .init())
    }
    let folders = elevationFolders(reader.required("sources"))
    let options = Manifest.ElevationOptions(
      smoothingMetres: reader.optionalNumber("smoothing-metres", in: ElevationCleaning.range),
      thresholdMetres: reader.optionalNumber("threshold-metres", in: ElevationCleaning.range),
      stepMetres: reader.optionalNumber("step-metres", in: ElevationCleaning.stepRange))
    reader.finish()
    return (folders, options)
  }

  private func elevationFolders(_ value: YAMLValue?) -> [Manifest.ElevationFolder] {
    let list = value?.list() ?? []
    if let value, isList(value), list.isEmpty {
      value.refuse("must have at least one folder of tiles: - { hgt: FOLDER }")
    }
    return list.compactMap { item in
      guard let reader = item.mapping() else { return nil }
      let folder = reader.required("hgt")
      reader.finish()
      guard let folder, let path = folder.text() else { return nil }
      return Manifest.ElevationFolder(path: resolved(path), location: location(folder))
    }
  }

  private func profiles(_ value: YAMLValue?) -> [Manifest.Profile] {
    let list = value?.list() ?? []
    if let value, isList(value), list.isEmpty { value.refuse("must have at least one profile") }
    return list.compactMap { item in
      guard let text = item.text() else { return nil }
      if text.contains("/") || [".yaml", ".yml", ".json"].contains(where: text.hasSuffix) {
        return Manifest.Profile(kind: .file(resolved(text)), location: location(item))
      }
      let names = CostProfile.builtIn.map(\.name)
      guard names.contains(text) else {
        let near = nearestWord(to: text, among: names)
        item.refuse(
          "is no built-in profile (\(names.joined(separator: ", "))) and no path of a .yaml file: "
            + "“\(text)”",
          hint: near.map { "did you mean \($0)?" })
        return nil
      }
      return Manifest.Profile(kind: .builtIn(text), location: location(item))
    }
  }

  private func region(
    _ value: YAMLValue, _ sourceNames: [String], defaultSource: YAMLNode?,
    _ defaultDate: CalendarDate?, _ defaultChecks: Manifest.Checks
  ) -> Manifest.Region? {
    guard let reader = value.mapping() else { return nil }
    let id = reader.required("id")
    let name = reader.text("name")
    let source = reader.optional("source")
    let shape = shape(reader)
    let date = date(reader) ?? defaultDate
    let checks = checks(reader.optionalMapping("checks"), over: defaultChecks)
    let threshold = islandThreshold(reader)
    reader.finish()
    if let id, let text = id.text(), !isRegionID(text) {
      id.refuse("must be of small letters, digits and hyphens, at most 64, not “\(text)”")
    }
    if source == nil, defaultSource == nil {
      problems.add(
        "a region needs a source, as there is no default", at: value.node,
        hint: "add source: NAME, or defaults: { source: NAME }")
    }
    let sourceText: String? =
      if let source {
        sourceName(source, among: sourceNames)
      } else if case .scalar(let text, _) = defaultSource?.content { text } else { nil }
    guard let sourceText, let (shape, location) = shape, let id = id?.text() else { return nil }
    return Manifest.Region(
      id: id, name: name, source: sourceText, shape: shape, date: date, checks: checks,
      islandThresholdKilometres: threshold, location: location)
  }

  private func islandThreshold(_ reader: MappingReader) -> Double? {
    reader.optionalNumber("island-threshold-km", in: 0...1_000_000)
  }

  private func sourceName(_ value: YAMLValue, among names: [String]) -> String? {
    guard let name = value.text() else { return nil }
    guard names.contains(name) else {
      let near = nearestWord(to: name, among: names)
      value.refuse(
        "names a source that is not there: “\(name)”",
        hint: near.map { "did you mean \($0)?" }
          ?? (names.isEmpty ? nil : "there is \(names.joined(separator: ", "))"))
      return nil
    }
    return name
  }

  private func shape(_ reader: MappingReader) -> (Manifest.Shape, Location)? {
    let box = reader.optional("bbox")
    let polygon = reader.optional("polygon")
    switch (box, polygon) {
    case (let box?, nil):
      guard let numbers = box.numbers(count: 4) else { return nil }
      let bounds = BoundingBox(
        west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
      guard bounds.isValid else {
        box.refuse(
          "must be west, south, east, north in degrees, not \(bounds)",
          hint: numbers[1] > numbers[3] ? "south lies north of north" : nil)
        return nil
      }
      return (.box(bounds), location(box))
    case (nil, let polygon?):
      guard let path = polygon.text() else { return nil }
      return (.polygon(path: resolved(path)), location(polygon))
    default:
      problems.add(
        "a region needs \(box == nil ? "a bbox or a polygon" : "either a bbox or a polygon")",
        at: reader.node)
      return nil
    }
  }

  private func date(_ reader: MappingReader?) -> CalendarDate? {
    guard let value = reader?.optional("date"), let text = value.text() else { return nil }
    guard let date = CalendarDate(text) else {
      value.refuse(
        "must be a day of the calendar, not “\(text.prefix(40))”",
        hint: "write it as YYYY-MM-DD, such as 2026-07-15")
      return nil
    }
    return date
  }

  private func checks(_ reader: MappingReader?, over defaults: Manifest.Checks)
    -> Manifest.Checks
  {
    guard let reader else { return defaults }
    let checks = Manifest.Checks(
      minEdges: reader.optionalInteger("min-edges", in: 0...) ?? defaults.minEdges,
      elevationCoverage: reader.optionalNumber("elevation-coverage", in: 0...1)
        ?? defaults.elevationCoverage,
      maxDrift: reader.optionalNumber("max-drift", in: 0...) ?? defaults.maxDrift)
    reader.finish()
    return checks
  }

  /// Two regions with one id would write into one folder.
  private func refuseRepeatedIDs(_ regions: [YAMLValue]) {
    var lineByID: [String: Int] = [:]
    for region in regions {
      guard case .mapping(let entries) = region.node.content,
        let entry = entries.first(where: { $0.key.text == "id" }),
        case .scalar(let id, _) = entry.value.content
      else { continue }
      if let line = lineByID.updateValue(entry.value.line, forKey: id) {
        problems.add("region “\(id)” is there already, on line \(line)", at: entry.value)
      }
    }
  }

  private func isRegionID(_ text: String) -> Bool {
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
    return text.utf8.count <= 64 && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { letters.contains($0) }
  }

  private func isList(_ value: YAMLValue) -> Bool {
    if case .sequence = value.node.content { return true }
    return false
  }

  private func location(_ value: YAMLValue) -> Location {
    Location(file: path, .line(value.node.line, column: value.node.column))
  }

  private func resolved(_ name: String) -> String {
    simplifiedPath(joinPath(splitPath(path).folder, name))
  }
}
