// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import FoundationEssentials
import OSMInput
import StrictYAML

extension ManifestReader {
  /// The values for regions that do not set their own.
  struct RegionDefaults {
    var source: YAMLNode?
    var profiles: [Manifest.Profile]?
    var variants: [Manifest.Variant] = []
    var date: CalendarDate?
    var checks: Manifest.Checks
    var islandThresholdKilometres: Double?
    var hasRouting = true
    /// A path with the placeholder `{region}` for the id.
    var baseMap: YAMLValue?
    /// The names of the sources, including invalid ones, whose errors are not reported again for
    /// their regions.
    var sourceNames: [String]
    /// The folder for the bundles.
    var output: String
  }

  /// The most bytes of a region's name, which is part of command lines.
  private static let longestName = 1000

  /// Reads `regions` and `regions-from`.
  package func regions(_ top: MappingReader, _ defaults: RegionDefaults) -> [Manifest.Region] {
    let value = top.value("regions")
    let from = top.value("regions-from")
    if value == nil, from == nil { _ = top.required("regions") }
    let list = value?.list() ?? []
    if let value, list.isEmpty, from == nil, isList(value) {
      value.refuse("must list at least one region")
    }
    let regions = list.compactMap { region($0, defaults) }
    let lines = refuseRepeatedIDs(list)
    return regions + (from.map { features($0, defaults, taken: lines) } ?? [])
  }

  private func region(_ value: YAMLValue, _ defaults: RegionDefaults) -> Manifest.Region? {
    guard let reader = value.mapping() else { return nil }
    let id = reader.value("id")
    let nameValue = reader.value("name")
    let name = nameValue?.text() ?? ""
    if name.utf8.count > Self.longestName {
      nameValue?.refuse("must have at most \(Self.longestName) bytes")
    }
    let source = source(reader.value("source"), at: reader.node, defaults)
    let shape = shape(reader)
    let profiles = reader.value("profiles").map { self.profiles($0) } ?? defaults.profiles
    let hasRouting = reader.value("routing")?.boolean() ?? defaults.hasRouting
    let ownVariants = reader.value("variants")
    if !hasRouting { ownVariants?.refuse("need a region with routing") }
    let variants = ownVariants.map { self.variants($0) } ?? defaults.variants
    let date = date(reader) ?? defaults.date
    let checks = checks(reader.value("checks"), over: defaults.checks)
    let threshold = islandThreshold(reader) ?? defaults.islandThresholdKilometres
    let uuid = reader.value("uuid").flatMap { self.uuid($0) }
    let baseMap = reader.value("base-map") ?? defaults.baseMap
    let elevation = ownElevation(reader, defaults.output)
    reader.finish()
    if let id, let text = id.text(), !isRegionID(text) {
      id.refuse("must consist of lower-case letters, digits and hyphens, at most 64, not “\(text)”")
    }
    guard let source, let (shape, location) = shape, let id = id?.text() else { return nil }
    return Manifest.Region(
      id: id, uuid: uuid, name: name, source: source, shape: shape, profiles: profiles,
      variants: variants, date: date, checks: checks,
      islandThresholdKilometres: threshold, baseMap: self.baseMap(baseMap, of: id),
      elevation: elevation, hasRouting: hasRouting, location: location)
  }

  private func baseMap(_ value: YAMLValue?, of region: String) -> Manifest.BaseMapFile? {
    guard let value, let text = value.text() else { return nil }
    return Manifest.BaseMapFile(
      path: resolved(text.replacing("{region}", with: region)), location: location(value))
  }

  private func uuid(_ value: YAMLValue) -> UUID? {
    guard let text = value.text() else { return nil }
    guard let uuid = UUID(uuidString: text) else {
      value.refuse(
        "must be a UUID such as 7D444840-9DC0-11D1-B245-5FFDCE74FAD2, not “\(text.prefix(60))”")
      return nil
    }
    return uuid
  }

  private func source(_ value: YAMLValue?, at node: YAMLNode, _ defaults: RegionDefaults)
    -> String?
  {
    if let value { return sourceName(value, among: defaults.sourceNames) }
    guard let source = defaults.source else {
      problems.add(
        "a region needs a source, as there is no default", at: node,
        hint: "add source: NAME, or defaults: { source: NAME }")
      return nil
    }
    guard case .scalar(let text, _) = source.content else { return nil }
    return text
  }

  func sourceName(_ value: YAMLValue, among names: [String]) -> String? {
    guard let name = value.text() else { return nil }
    guard names.contains(name) else {
      let near = nearestWord(to: name, among: names)
      value.refuse(
        "names an unknown source: “\(name)”",
        hint: near.map { "did you mean \($0)?" }
          ?? (names.isEmpty ? nil : "known are \(names.joined(separator: ", "))"))
      return nil
    }
    return name
  }

  private func shape(_ reader: MappingReader) -> (Manifest.Shape, Location)? {
    let box = reader.value("bbox")
    let wraps = reader.value("wraps")
    let polygon = reader.value("polygon")
    switch (box, polygon) {
    case (let box?, nil):
      guard let numbers = box.numbers(count: 4) else { return nil }
      let bounds = BoundingBox(
        west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
      guard bounds.isValid else {
        box.refuse(
          "must be west, south, east, north in degrees, not \(bounds)",
          hint: bounds.problem.map { problem in
            bounds.swapped.map { "\(problem); did you mean [\($0.listed)]?" } ?? problem
          })
        return nil
      }
      checkWrapping(bounds, box, wraps)
      return (.box(bounds), location(box))
    case (nil, let polygon?):
      wraps?.refuse("works only with a bbox")
      guard let path = polygon.text() else { return nil }
      return (.polygon(path: resolved(path)), location(polygon))
    default:
      problems.add(
        "a region needs \(box == nil ? "a bbox or a polygon" : "either a bbox or a polygon")",
        at: reader.node)
      return nil
    }
  }

  /// Refuses a box that is wide only because its west and east are swapped, unless `wraps` confirms
  /// it.
  private func checkWrapping(_ bounds: BoundingBox, _ box: YAMLValue, _ wraps: YAMLValue?) {
    let isMeant = wraps?.boolean() ?? false
    if isMeant, !bounds.crossesAntimeridian {
      wraps?.refuse("works only with a box whose west is greater than its east", hint: "remove it")
    }
    guard bounds.crossesAntimeridian, bounds.widthDegrees > 180, !isMeant else { return }
    let turned = BoundingBox(
      west: bounds.east, south: bounds.south, east: bounds.west, north: bounds.north)
    box.refuse(
      "is \(decimal(bounds.widthDegrees, 1))° wide, as its west is greater than its east: it leads "
        + "around the world",
      hint: "did you mean [\(turned.listed)]? "
        + "If not, add wraps: true")
  }

  /// Reads `variants`: further databases of a region, each with profiles of its own.
  package func variants(_ value: YAMLValue) -> [Manifest.Variant] {
    var variants: [Manifest.Variant] = []
    for item in value.list() ?? [] {
      guard let reader = item.mapping() else { continue }
      let name = reader.value("name")
      let profiles = self.profiles(reader.value("profiles"))
      reader.finish()
      guard let name, let text = name.text() else { continue }
      if !isRegionID(text) {
        name.refuse(
          "must consist of lower-case letters, digits and hyphens, at most 64, not “\(text)”")
      } else if variants.contains(where: { $0.name == text }) {
        name.refuse("is the name of another variant: “\(text)”")
      } else {
        variants.append(Manifest.Variant(name: text, profiles: profiles))
      }
    }
    return variants
  }

  package func date(_ reader: MappingReader?) -> CalendarDate? {
    guard let value = reader?.value("date"), let text = value.text() else { return nil }
    guard let date = CalendarDate(text) else {
      value.refuse(
        "must be a calendar date, not “\(text.prefix(40))”",
        hint: "write it as YYYY-MM-DD, such as 2026-07-15")
      return nil
    }
    return date
  }

  package func islandThreshold(_ reader: MappingReader) -> Double? {
    reader.value("island-threshold-km")?.number()
  }

  package func checks(_ mapping: YAMLValue?, over defaults: Manifest.Checks) -> Manifest.Checks {
    guard let reader = mapping?.mapping() else { return defaults }
    var checks = defaults
    func value(_ name: Manifest.Checks.Name) -> YAMLValue? {
      let value = reader.value(name.rawValue)
      if let value { checks.locations[name] = location(value) }
      return value
    }
    if let least = value(.minEdges)?.integer() { checks.minEdges = least }
    if let least = value(.elevationCoverage)?.number() { checks.elevationCoverage = least }
    if let most = value(.maxDrift)?.number() { checks.maxDrift = most }
    reader.finish()
    return checks
  }

  /// Refuses duplicate ids, since both regions would write into one folder. Returns the lines of
  /// all ids.
  private func refuseRepeatedIDs(_ regions: [YAMLValue]) -> [String: Int] {
    var lineByID: [String: Int] = [:]
    for region in regions {
      guard case .mapping(let entries) = region.node.content,
        let entry = entries.first(where: { $0.key.text == "id" }),
        case .scalar(let id, _) = entry.value.content
      else { continue }
      if let line = lineByID.updateValue(entry.value.line, forKey: id) {
        problems.add("region “\(id)” appears twice, first on line \(line)", at: entry.value)
      }
    }
    return lineByID
  }

  /// The settings of `regions-from` for all its regions.
  private struct FeatureSettings {
    /// The GeoJSON file.
    var file: YAMLValue?
    /// The properties with the ids and the names.
    var idName = "id"
    var nameName = "name"
    var source: String?
    var elevation: [Manifest.ElevationFolder]?
    /// The manifest's defaults.
    var defaults: RegionDefaults
  }

  private func featureSettings(_ value: YAMLValue, _ defaults: RegionDefaults) -> FeatureSettings {
    var settings = FeatureSettings(file: value, defaults: defaults)
    guard case .mapping = value.node.content, let reader = value.mapping() else {
      settings.source = source(nil, at: value.node, defaults)
      return settings
    }
    settings.file = reader.value("file")
    settings.idName = reader.value("id")?.text() ?? settings.idName
    settings.nameName = reader.value("name")?.text() ?? settings.nameName
    settings.source = source(reader.value("source"), at: reader.node, defaults)
    if let own = reader.value("profiles") { settings.defaults.profiles = profiles(own) }
    if let own = reader.value("variants") { settings.defaults.variants = variants(own) }
    settings.defaults.date = date(reader) ?? defaults.date
    settings.defaults.checks = checks(reader.value("checks"), over: defaults.checks)
    settings.defaults.islandThresholdKilometres =
      islandThreshold(reader) ?? defaults.islandThresholdKilometres
    settings.defaults.hasRouting =
      reader.value("routing")?.boolean() ?? defaults.hasRouting
    settings.defaults.baseMap = reader.value("base-map") ?? defaults.baseMap
    settings.elevation = ownElevation(reader, defaults.output)
    reader.finish()
    return settings
  }

  /// Reads `regions-from`: each feature of a GeoJSON file is a region.
  private func features(
    _ value: YAMLValue, _ defaults: RegionDefaults, taken: [String: Int]
  ) -> [Manifest.Region] {
    let settings = featureSettings(value, defaults)
    guard let file = settings.file, let path = file.text().map(resolved) else { return [] }
    let features: RegionFeatures
    do throws(CairnError) { features = try RegionFeatures(path) } catch {
      problems.add(
        "\(error.location?.description ?? path): \(error.message)", at: file.node,
        hint: error.hint ?? "paths are relative to the manifest")
      return []
    }
    guard features.count > 0 else {
      file.refuse("names a file without features: \(path)")
      return []
    }
    var origins = taken.mapValues { "on line \($0)" }
    return (1...features.count).compactMap { number in
      guard let id = featureID(number, features, settings.idName, file, &origins),
        let name = featureName(number, features, settings.nameName, file),
        let source = settings.source
      else { return nil }
      let own = settings.defaults
      return Manifest.Region(
        id: id, name: name.isEmpty ? id : name, source: source,
        shape: .feature(path: path, number: number), profiles: own.profiles,
        variants: own.variants, date: own.date, checks: own.checks,
        islandThresholdKilometres: own.islandThresholdKilometres,
        baseMap: baseMap(own.baseMap, of: id), elevation: settings.elevation,
        hasRouting: own.hasRouting, location: location(file))
    }
  }

  /// The id of a feature; nil, with a problem, if it is missing, invalid or used by another region.
  ///
  /// - Parameter origins: The origins of the ids so far.
  private func featureID(
    _ number: Int, _ features: RegionFeatures, _ property: String, _ file: YAMLValue,
    _ origins: inout [String: String]
  ) -> String? {
    guard let id = features.label(property, of: number) else {
      file.refuse("has no property “\(property)” in feature \(number)")
      return nil
    }
    guard isRegionID(id) else {
      file.refuse(
        "has an id in feature \(number) that does not consist of lower-case letters, digits and "
          + "hyphens, at most 64: “\(id.prefix(70))”")
      return nil
    }
    if let origin = origins.updateValue("as feature \(number)", forKey: id) {
      file.refuse("has the region “\(id)” twice: in feature \(number), and \(origin)")
      return nil
    }
    return id
  }

  /// The name of a feature, "" if it has none; nil, with a problem, if it is invalid.
  private func featureName(
    _ number: Int, _ features: RegionFeatures, _ property: String, _ file: YAMLValue
  ) -> String? {
    let name = features.label(property, of: number) ?? ""
    guard name.utf8.count <= Self.longestName, name.utf8.allSatisfy({ $0 >= 0x20 }) else {
      file.refuse(
        "has a name in feature \(number) that is not one line of at most \(Self.longestName) bytes"
      )
      return nil
    }
    return name
  }
}
