// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import SystemIO

extension TuningSuite {
  /// Reads a suite file.
  ///
  /// Throws 78 with file, line and column of every problem, and the errors of the files that it
  /// names: 65 for an invalid list of pairs or times.
  package init(file path: String, _ sources: SuiteSources = SuiteSources()) throws(CairnError) {
    try self.init(try YAMLDocument.parse(file: path), file: path, sources)
  }

  /// Reads the content of a suite file; other files are relative to its path `file`.
  package init(_ bytes: [UInt8], file: String, _ sources: SuiteSources) throws(CairnError) {
    try self.init(try YAMLDocument.parse(bytes, file: file), file: file, sources)
  }

  private init(_ node: YAMLNode, file: String, _ sources: SuiteSources) throws(CairnError) {
    var reader = SuiteReader(file: file, sources)
    self = try reader.read(node)
  }
}

/// Reads the keys of a suite.
struct SuiteReader {
  let problems: YAMLProblems
  let sources: SuiteSources
  let folder: String
  var suite = TuningSuite()
  /// Errors of files that the suite names.
  var fileErrors: [CairnError] = []

  init(file: String, _ sources: SuiteSources) {
    problems = YAMLProblems(file: file)
    self.sources = sources
    folder = splitPath(file).folder
    suite.file = file
  }

  mutating func read(_ node: YAMLNode) throws(CairnError) -> TuningSuite {
    let reader = MappingReader(node, called: "the suite", problems, SuiteForm.suite)
    reader.checkVersion("cairn-suite")
    suite.name = reader.value("name")?.text() ?? ""
    let datasets = reader.value("datasets")
    readDatasets(datasets?.list() ?? [])
    if let datasets, suite.datasets.isEmpty, problems.isEmpty, fileErrors.isEmpty {
      datasets.refuse("is empty; at least one dataset is required")
    }
    // References between entries cannot be checked without the datasets.
    guard fileErrors.isEmpty else {
      try problems.check()
      throw joined(fileErrors)
    }
    readPairs(reader.value("pairs")?.list() ?? [])
    readTimes(reader.value("reference-times")?.list() ?? [])
    readTracks(reader.value("reference-tracks")?.list() ?? [])
    readExpectations(reader.value("expectations")?.list() ?? [])
    readThresholds(reader.value("thresholds")?.mapping())
    reader.finish()
    if problems.isEmpty, fileErrors.isEmpty, suite.isEmpty {
      problems.add("the suite has nothing to compare", at: node, hint: "give it pairs")
    }
    try problems.check()
    guard fileErrors.isEmpty else { throw joined(fileErrors) }
    return suite
  }

  private func joined(_ errors: [CairnError]) -> CairnError {
    var first = errors[0]
    first.further += errors.dropFirst()
    return first
  }

  // MARK: Datasets

  private mutating func readDatasets(_ values: [YAMLValue]) {
    for value in values {
      guard let reader = value.mapping() else { continue }
      let id = reader.value("id")
      if reader.has("manifest") {
        readManifest(reader, id)
      } else {
        let database = database(reader.required("database"))
        let places = path(reader.value("places"))
        if reader.has("region") {
          problems.add("“region” is for a manifest", at: reader.node)
        }
        let name = id.map { word($0) } ?? database.map { .some(Self.name(ofDatabase: $0)) }
        if let database, let name = name ?? nil {
          add(name, database, places: places, at: id?.node ?? value.node)
        }
      }
      reader.finish()
    }
  }

  /// The path of a database, or of the one in a bundle's folder.
  private mutating func database(_ value: YAMLValue?) -> String? {
    guard let value, let path = path(value) else { return nil }
    do throws(CairnError) { return try sources.database(path) } catch {
      value.refuse("names a folder that \(error.message): \(path)")
      return nil
    }
  }

  /// `andorra` for `../out/andorra.routing.db`.
  private static func name(ofDatabase path: String) -> String {
    String(splitPath(path).name.prefix { $0 != "." })
  }

  private mutating func readManifest(_ reader: MappingReader, _ id: YAMLValue?) {
    let value = reader.required("manifest")
    let region = reader.value("region")
    let wanted = region?.text()
    let places = reader.value("places")
    let hasDatabase = reader.has("database")
    guard let value, let path = path(value) else { return }
    places?.refuse("is for a database: the regions of a manifest have theirs beside them")
    if hasDatabase {
      value.refuse("and “database” cannot be combined")
    }
    if let id, region == nil {
      id.refuse("needs “region”: without it, each region of the manifest has its own id")
    }
    guard let manifests = sources.manifests else { return value.refuse("cannot be read here") }
    do throws(CairnError) {
      var found = try manifests(path)
      if let region, let wanted {
        let known = found.map(\.region)
        found = found.filter { $0.region == wanted }
        if found.isEmpty {
          region.refuse(
            "names no region of the manifest: \(wanted.prefix(60))",
            hint: nearestWord(to: wanted, among: known).map { "did you mean \($0)?" }
              ?? "it has \(known.joined(separator: ", "))")
        }
      }
      for entry in found {
        guard sources.exists(entry.database) else {
          fileErrors.append(
            CairnError(
              "not-built", .noInput,
              "region \(entry.region) has not been built: \(entry.database) is missing",
              at: location(value.node), hint: "build it: cairn run \(path)"))
          continue
        }
        let name = id.flatMap { word($0) } ?? entry.region
        add(name, entry.database, elevation: entry.elevation, at: id?.node ?? value.node)
      }
    } catch { fileErrors.append(error) }
  }

  private mutating func add(
    _ id: String, _ database: String, places: String? = nil, elevation: [String] = [],
    at node: YAMLNode
  ) {
    guard !suite.datasets.contains(where: { $0.id == id }) else {
      return problems.add("two datasets are called \(id.prefix(60))", at: node)
    }
    suite.datasets.append(
      .init(
        id: id, database: database, location: location(node), elevation: elevation, places: places))
  }
}

extension TuningSuite {
  /// Whether there is nothing to compare profiles on.
  fileprivate var isEmpty: Bool {
    pairs.isEmpty && referenceTimes.isEmpty && referenceTracks.isEmpty && expectations.isEmpty
  }
}
