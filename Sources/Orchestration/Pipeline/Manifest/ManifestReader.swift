// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import Elevation
import Geodesy
import StrictYAML
import SystemIO
import TagRules

extension Manifest {
  /// Reads a manifest.
  ///
  /// Throws 66 if the file cannot be read, and 78 with all errors in it, each with file, line and
  /// column. It does not check that the files that it names exist; see
  /// ``checkFiles(regions:)``.
  package static func load(_ path: String) throws(CairnError) -> Manifest {
    let document = try YAMLDocument.parse(file: path)
    let problems = YAMLProblems(file: path)
    let manifest = ManifestReader(path: path, problems: problems).manifest(document)
    try problems.check()
    return manifest
  }

  /// Throws 66 with all missing files and folders that some regions need, and 78 for an invalid
  /// profile file: better now than after hours of work.
  ///
  /// - Parameter withData: Whether sources and elevation must exist, too.
  package func checkFiles(regions: [Region], withData: Bool = true) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    func check(_ path: String, _ location: Location) {
      guard !pathExists(path), case .line(let line, let column) = location.position else { return }
      problems.add(
        "\(path) does not exist", line: line, column: column,
        hint: "paths are relative to the manifest")
    }
    for name in withData ? Set(regions.map(\.source)).sorted() : [] {
      if let source = sources[name], !source.isRemote { check(source.path, source.location) }
    }
    for folder in withData ? elevation : [] { check(folder.path, folder.location) }
    for profile in profiles {
      if case .file(let path) = profile.kind { check(path, profile.location) }
    }
    for region in regions {
      if let path = region.shape.path { check(path, region.location) }
    }
    for stage in stages {
      if stage.program == nil, case .line(let line, let column) = stage.location.position {
        problems.add(
          "program “\(stage.command.first ?? "")” not found", line: line, column: column,
          hint: "paths are relative to the manifest; a name without a slash is looked up in PATH")
      }
      for input in stage.inputs { check(input.path, input.location) }
    }
    try problems.check(.cannotRead, .noInput)
    for profile in profiles {
      if case .file(let path) = profile.kind { _ = try CostProfile(file: path) }
    }
  }
}

extension Manifest {
  /// Throws 78 for words of custom commands that are files: what a stage reads belongs in its
  /// inputs.
  func checkCommands() throws(CairnError) {
    let problems = YAMLProblems(file: path)
    for stage in stages {
      guard case .line(let line, let column) = stage.location.position else { continue }
      for word in stage.command.dropFirst() {
        let parts = commandParts(word)
        guard parts.count == 1, case .text(let text) = parts[0] else { continue }
        let file = fileAtEnd(of: text) ?? fileAtEnd(of: text, in: splitPath(path).folder)
        guard let file else { continue }
        problems.add(
          "stage “\(stage.name)”: “\(file)” is a file that is not among its inputs", line: line,
          column: column, hint: "list it under inputs: { NAME: \(file) } and write {NAME} instead")
      }
    }
    try problems.check()
  }
}

/// The file that a word of a command names, alone or after an equals sign; nil if it names none.
func fileAtEnd(of word: String, in folder: String = ".") -> String? {
  let value = word.drop { $0 != "=" }.dropFirst()
  return [word, String(value)].first { !$0.isEmpty && isFile(joinPath(folder, $0)) }
}

/// Turns a document into a manifest and records the errors in it. What it returns is only complete
/// if there were none.
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
    let sourceNames = sourceReader.keys.map(\.text)
    let (folders, elevationOptions) = elevation(top.required("elevation"))
    var manifest = Manifest(
      path: path, name: top.text("name"), output: resolved(top.text("output")),
      sources: sources(sourceReader), elevation: folders,
      elevationOptions: elevationOptions, profiles: profiles(top.optional("profiles")), regions: [])
    if let defaultSource { _ = sourceName(defaultSource, among: sourceNames) }
    manifest.regions = regions(
      top,
      RegionDefaults(
        source: defaultSource?.node, date: defaultDate, checks: defaultChecks,
        islandThresholdKilometres: defaultThreshold, sourceNames: sourceNames))
    manifest.stages = stages(top.optional("stages"), regions: manifest.regions.map(\.id))
    manifest.resources = resources(
      top.optionalMapping("resources"),
      stages: Stage.processNames + manifest.stages.map(\.name))
    manifest.retries = top.optionalInteger("retries", in: 0...10) ?? Manifest.defaultRetries
    defaults?.finish()
    top.finish()
    return manifest
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
      value.refuse("must list at least one folder of tiles: - { hgt: FOLDER }")
    }
    return list.compactMap { item in
      guard let reader = item.mapping() else { return nil }
      let folder = reader.required("hgt")
      reader.finish()
      guard let folder, let path = folder.text() else { return nil }
      return Manifest.ElevationFolder(path: resolved(path), location: location(folder))
    }
  }

  /// The listed profiles; without a list the default ones.
  private func profiles(_ value: YAMLValue?) -> [Manifest.Profile] {
    guard let value else {
      return CostProfile.defaults.map {
        Manifest.Profile(kind: .builtIn($0.name), location: Location(file: path))
      }
    }
    let list = value.list() ?? []
    if isList(value), list.isEmpty { value.refuse("must list at least one profile") }
    return list.compactMap { item in
      guard let text = item.text() else { return nil }
      if text.contains("/") || [".yaml", ".yml", ".json"].contains(where: text.hasSuffix) {
        return Manifest.Profile(kind: .file(resolved(text)), location: location(item))
      }
      let names = CostProfile.builtIn.map(\.name)
      guard names.contains(text) else {
        let near = nearestWord(to: text, among: names)
        item.refuse(
          "is neither a built-in profile (\(names.joined(separator: ", "))) nor the path of a .yaml file: "
            + "“\(text)”",
          hint: near.map { "did you mean \($0)?" })
        return nil
      }
      return Manifest.Profile(kind: .builtIn(text), location: location(item))
    }
  }

  func isList(_ value: YAMLValue) -> Bool {
    if case .sequence = value.node.content { return true }
    return false
  }

  func location(_ value: YAMLValue) -> Location {
    Location(file: path, .line(value.node.line, column: value.node.column))
  }

  func resolved(_ name: String) -> String {
    simplifiedPath(joinPath(splitPath(path).folder, name))
  }
}
