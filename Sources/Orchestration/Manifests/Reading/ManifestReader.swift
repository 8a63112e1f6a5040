// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import CostModel
import FoundationEssentials
import StrictYAML
import SystemIO

extension Manifest {
  /// Reads a manifest.
  ///
  /// Throws 66 if the file cannot be read, and 78 with all errors in it, each with file, line and
  /// column. It does not check whether the named files exist; see ``checkFiles(regions:data:)``.
  package static func load(_ path: String) throws(CairnError) -> Manifest {
    try read(try YAMLDocument.parse(file: path), of: path)
  }

  /// Reads a manifest from stdin, whose paths are relative to the current folder. Throws as
  /// ``load(_:)``, and 74 if stdin cannot be read.
  package static func loadStandardInput() throws(CairnError) -> Manifest {
    let copy = try StandardInputCopy()
    return try read(try YAMLDocument.parse(file: copy.path, called: "stdin"), of: "stdin")
  }

  private static func read(_ document: YAMLNode, of path: String) throws(CairnError) -> Manifest {
    let problems = YAMLProblems(file: path)
    let manifest = ManifestReader(path: path, problems: problems).manifest(document)
    try problems.check()
    return manifest
  }
}

/// Turns a document into a manifest and records the errors in it. The result is complete only if
/// there are none.
struct ManifestReader {
  let path: String
  let problems: YAMLProblems

  func manifest(_ document: YAMLNode) -> Manifest {
    let top = MappingReader(document, called: "the manifest", problems, ManifestForm.manifest)
    top.checkVersion("cairn")
    let defaults = top.value("defaults")?.mapping()
    let defaultSource = defaults?.value("source")
    let defaultProfiles = defaults?.value("profiles").map { profiles($0) }
    let defaultVariants = defaults?.value("variants").map { variants($0) } ?? []
    let defaultDate = date(defaults)
    let defaultChecks = checks(defaults?.value("checks"), over: .init())
    let defaultThreshold = defaults.flatMap(islandThreshold)
    let defaultRouting = defaults?.value("routing")?.boolean()
    let defaultBaseMap = defaults?.value("base-map")
    let sourceReader = top.value("sources")?.mapping()
    let sourceNames = sourceReader?.keys.map(\.text) ?? []
    let elevationValue = top.value("elevation")
    let isWithoutElevation = elevationValue.map(isNone) ?? false
    let name = top.value("name")?.text() ?? ""
    let output = resolved(top.value("output")?.text() ?? "")
    let (folders, elevationOptions) = elevation(isWithoutElevation ? nil : elevationValue, output)
    var manifest = Manifest(
      path: path, name: name, output: output,
      sources: sources(sourceReader, output), elevation: folders,
      elevationOptions: elevationOptions, profiles: profiles(top.value("profiles")), regions: [])
    manifest.isWithoutElevation = isWithoutElevation
    if let defaultSource { _ = sourceName(defaultSource, among: sourceNames) }
    manifest.regions = regions(
      top,
      RegionDefaults(
        source: defaultSource?.node, profiles: defaultProfiles, variants: defaultVariants,
        date: defaultDate, checks: defaultChecks,
        islandThresholdKilometres: defaultThreshold,
        hasRouting: defaultRouting ?? true, baseMap: defaultBaseMap,
        sourceNames: sourceNames, output: output))
    manifest.routableHighways = routableHighways(top.value("routable-highways"))
    manifest.bundleNames = bundleNames(top.value("bundle"))
    manifest.hasWaypoints = top.value("waypoints")?.boolean() ?? true
    manifest.hasSearch = top.value("search")?.boolean() ?? true
    manifest.tiles = tiles(
      top.value("tiles"),
      // Where the manifest says that there is none, there are no such tiles.
      isDrawable: manifest.hasElevation || manifest.regions.allSatisfy(manifest.saysElevation))
    let deltas = top.value("deltas")?.mapping()
    manifest.deltasKept = deltas?.value("keep")?.integer() ?? 0
    deltas?.finish()
    manifest.lintIgnore = (top.value("lint-ignore")?.text()).map(resolved)
    manifest.stages = stages(top.value("stages"), manifest)
    manifest.resources = resources(
      top.value("resources"), stages: Stage.processNames + manifest.stages.map(\.name))
    manifest.retries = top.value("retries")?.integer() ?? Manifest.defaultRetries
    defaults?.finish()
    top.finish()
    checkCoverage(&manifest, defaultChecks)
    checkContents(manifest)
    checkUUIDs(manifest)
    return manifest
  }

  /// Refuses a region whose bundle would be empty.
  private func checkContents(_ manifest: Manifest) {
    guard problems.isEmpty, !manifest.hasWaypoints, !manifest.hasSearch else { return }
    for region in manifest.regions where !region.hasRouting && region.baseMap == nil {
      let hasElevation = !manifest.elevation(of: region).isEmpty
      guard !manifest.tiles.layers.contains(where: { hasElevation || !$0.kind.isTerrain }),
        case .line(let line, let column) = region.location.position
      else { continue }
      problems.add(
        "region “\(region.id)” has neither routing nor waypoints, search, tiles or a base-map",
        line: line, column: column)
    }
  }

  /// Refuses two regions with one UUID.
  private func checkUUIDs(_ manifest: Manifest) {
    var owners: [UUID: String] = [:]
    for region in manifest.regions {
      guard let owner = owners.updateValue(region.id, forKey: manifest.uuid(of: region)),
        owner != region.id, case .line(let line, let column) = region.location.position
      else { continue }
      problems.add(
        "region “\(region.id)” has the UUID of region “\(owner)”", line: line, column: column)
    }
  }

  /// The values of `highway`, sorted, so that their order in the file does not matter; nil for all
  /// of them.
  private func routableHighways(_ value: YAMLValue?) -> [String]? {
    guard let value else { return nil }
    let list = value.list() ?? []
    if isList(value), list.isEmpty { value.refuse("must list at least one value of highway") }
    var known: Set<String> = []
    for item in list {
      guard let highway = item.choice() else { continue }
      if !known.insert(highway).inserted { item.refuse("appears twice: “\(highway)”") }
    }
    return known == TagSelection.routableHighways ? nil : known.sorted()
  }

  private func bundleNames(_ value: YAMLValue?) -> Manifest.BundleNames {
    let reader = value?.mapping()
    let names = reader?.value("names")?.choice().flatMap(Manifest.BundleNames.init)
    reader?.finish()
    return names ?? .id
  }

  /// Requires elevations of regions that have a source of them and no check of their own. Where
  /// `elevation: none` says that there are none, a check that comes from the defaults does not count;
  /// any other one would fail for every database, and is refused.
  private func checkCoverage(_ manifest: inout Manifest, _ defaults: Manifest.Checks) {
    for index in manifest.regions.indices {
      let region = manifest.regions[index]
      guard manifest.elevation(of: region).isEmpty else {
        manifest.regions[index].checks.elevationCoverage =
          region.checks.elevationCoverage ?? Manifest.Checks.standardCoverage
        continue
      }
      let location = region.checks.locations[.elevationCoverage]
      guard let location, (region.checks.elevationCoverage ?? 0) > 0, region.hasRouting else {
        continue
      }
      if location == defaults.locations[.elevationCoverage], manifest.saysElevation(of: region) {
        manifest.regions[index].checks.elevationCoverage = nil
        continue
      }
      guard problems.isEmpty, case .line(let line, let column) = location.position else { continue }
      problems.add(
        "region “\(region.id)” cannot pass the check elevation-coverage without elevation",
        line: line, column: column,
        hint: manifest.saysElevation(of: region)
          ? "add elevation: with folders of tiles, or remove the check"
          : "add elevation: with folders of tiles, or elevation: none")
      return
    }
  }

  /// Whether a value is the word `none`.
  func isNone(_ value: YAMLValue) -> Bool {
    if case .scalar("none", _) = value.node.content { return true }
    return false
  }

  /// The listed profiles; without a list the default ones.
  func profiles(_ value: YAMLValue?) -> [Manifest.Profile] {
    guard let value else {
      return CostProfile.defaults.map {
        Manifest.Profile(kind: .builtIn($0.name), location: Location(file: path))
      }
    }
    let list = value.list() ?? []
    if isList(value), list.isEmpty { value.refuse("must list at least one profile") }
    var known: Set<String> = []
    return list.compactMap { item in
      guard let text = item.text() else { return nil }
      guard known.insert(text).inserted else {
        item.refuse("appears twice: “\(text)”")
        return nil
      }
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

extension Manifest {
  /// Whether any region has elevations.
  var hasElevation: Bool {
    !elevation.isEmpty || regions.contains { !elevation(of: $0).isEmpty }
  }
}
