// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Glibc
import StrictYAML
import SystemIO

extension ManifestReader {
  /// Reads `stages`: the custom stages.
  ///
  /// - Parameter manifest: The manifest with the regions, in whose bundles the names of outputs
  ///   must be unique.
  package func stages(_ value: YAMLValue?, _ manifest: Manifest) -> [Manifest.CustomStage] {
    var stages: [Manifest.CustomStage] = []
    for item in value?.list() ?? [] {
      if let stage = stage(item, before: stages, manifest) { stages.append(stage) }
    }
    return stages
  }

  private func stage(
    _ value: YAMLValue, before: [Manifest.CustomStage], _ manifest: Manifest
  ) -> Manifest.CustomStage? {
    guard let reader = value.mapping() else { return nil }
    let name = reader.value("name")
    let command = reader.value("command")
    let after = reader.value("after")
    let inputs = self.inputs(reader.value("inputs")?.mapping())
    let outputs = reader.value("outputs").map { self.outputs($0, before: before, manifest) } ?? []
    reader.finish()
    let words = command.map { self.command($0, inputs: inputs, outputs: outputs) } ?? []
    guard let name, let text = name.text(), let command, let after else { return nil }
    let taken = Stage.reservedNames + [Manifest.anyStage] + before.map(\.name)
    if !isRegionID(text) {
      name.refuse(
        "must consist of lower-case letters, digits and hyphens, at most 64, not “\(text)”")
    } else if taken.contains(text) {
      name.refuse("is the name of another stage: “\(text)”")
    }
    let isBuilt = { (name: String) in
      switch name {
      case Stage.sampleElevation.rawValue: manifest.hasElevation
      case Stage.collectPlaces.rawValue: manifest.hasWaypoints
      case Stage.indexPlaces.rawValue: manifest.hasSearch
      case Stage.buildTiles(.trails).rawValue:
        manifest.tiles.layers.contains { $0.kind == .trails }
      default: true
      }
    }
    let names = Stage.regionalNames.filter(isBuilt) + before.map(\.name)
    guard let before = after.choice(of: names) else { return nil }
    return Manifest.CustomStage(
      name: text, command: words, after: before, inputs: inputs, outputs: outputs,
      location: location(command))
  }

  private func inputs(_ reader: MappingReader?) -> [Manifest.CustomStage.Input] {
    (reader?.all() ?? []).compactMap { key, value in
      if !isRegionID(key.text) || Manifest.CustomStage.placeholders.contains(key.text) {
        problems.add(
          "the name of an input must consist of lower-case letters, digits and hyphens, and not be "
            + Manifest.CustomStage.placeholders.joined(separator: ", "), at: key)
      }
      return value.text().map {
        Manifest.CustomStage.Input(name: key.text, path: resolved($0), location: location(value))
      }
    }
  }

  private func outputs(
    _ value: YAMLValue, before: [Manifest.CustomStage], _ manifest: Manifest
  ) -> [String] {
    let values = value.list() ?? []
    if values.isEmpty, isList(value) { value.refuse("must name at least one file") }
    // SQLite treats a file with one of these suffixes next to a database as part of it.
    let variants = Set(manifest.regions.flatMap { $0.variants.map { ".\($0.name)" } })
    let databases =
      ([""] + variants.sorted()).map { "{region}\($0).routing.db" }
      + ["{region}.waypoints.db", "{region}.places.db", "{region}.mbtiles"]
      + TileLayer.allExtensions.map { "{region}.\($0)" }
    let taken =
      before.flatMap(\.outputs) + Stage.attemptFiles
      + databases.flatMap { name in ["", "-journal", "-wal", "-shm"].map { name + $0 } }
      + [RegionRecord.fileName, BundleRecord.fileName]
      + (manifest.bundleNames == .uuid ? uuidNames(manifest) : [])
    let regions = manifest.regions.map(\.id)
    var names: [String] = []
    func isTaken(_ name: String) -> Bool {
      (["{region}"] + regions).contains { id in
        let file = name.replacing("{region}", with: id).lowercased()
        return (taken + names).contains {
          $0.replacing("{region}", with: id).lowercased() == file
        }
      }
    }
    for value in values {
      guard let name = value.text() else { continue }
      let plain = name.replacing("{region}", with: "r")
      let isPlain = plain.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0)
      }
      if !isPlain || plain.hasPrefix(".") || plain.utf8.count > 100 {
        value.refuse(
          "must be a file name of letters, digits, dots, hyphens and {region}, not "
            + "“\(name.prefix(110))”")
      } else if isTaken(name) {
        value.refuse(
          "is the name of another file: “\(name)”",
          hint: (taken + names).contains(name)
            ? nil : "many file systems ignore case")
      } else {
        names.append(name)
      }
    }
    return names
  }

  /// The names of databases derived from the UUIDs of their regions.
  private func uuidNames(_ manifest: Manifest) -> [String] {
    manifest.regions.flatMap { region in
      let stem = manifest.databaseStem(of: region)
      return (["routing.db", "waypoints.db", "places.db", "mbtiles"] + TileLayer.allExtensions).map
      {
        "\(stem).\($0)"
      }
        + region.variants.map { $0.databaseName(stem: stem) }
    }
  }

  private func command(
    _ value: YAMLValue, inputs: [Manifest.CustomStage.Input], outputs: [String]
  ) -> [String] {
    let values = value.list() ?? []
    if values.isEmpty, isList(value) {
      value.refuse("must be a program and its arguments: [program, argument, …]")
    }
    let placeholders = Manifest.CustomStage.placeholders + inputs.map(\.name)
    var used: Set<String> = []
    let words = values.compactMap { value -> String? in
      guard let word = value.text() else { return nil }
      for case .placeholder(let name) in commandParts(word) {
        used.insert(name)
        guard !placeholders.contains(name) else { continue }
        let near = nearestWord(to: name, among: placeholders)
        value.refuse(
          "contains an unknown placeholder: {\(name)}",
          hint: near.map { "did you mean {\($0)}?" }
            ?? "known are {\(placeholders.joined(separator: "}, {"))}; write {{ for a brace")
      }
      return word
    }
    if let first = values.first, let word = words.first,
      commandParts(word).contains(where: { if case .placeholder = $0 { true } else { false } })
    {
      first.refuse("must be the program itself, not a placeholder such as {input}")
    }
    if used.contains("output"), outputs.count > 1 {
      value.refuse(
        "contains {output}, but the stage has several outputs",
        hint: "use {output-dir}, their folder")
    } else if !values.isEmpty, !used.contains("output"), !used.contains("output-dir") {
      value.refuse(
        "does not contain the path of its output",
        hint: "add {output}, the file, or {output-dir}, its folder"
      )
    }
    return words
  }
}

/// A piece of a word of a custom stage's command.
package enum CommandPart: Equatable {
  case text(String)
  /// `{NAME}`: replaced later.
  case placeholder(String)
}

/// Splits a word at placeholders such as `{input}`. `{{` is a literal brace; braces around anything
/// other than a name are kept.
package func commandParts(_ word: String) -> [CommandPart] {
  var parts: [CommandPart] = []
  var text = ""
  var rest = word[...]
  while let letter = rest.first {
    if rest.hasPrefix("{{") {
      text.append("{")
      rest = rest.dropFirst(2)
      continue
    }
    let name = rest.dropFirst().prefix {
      $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-")
    }
    if letter == "{", !name.isEmpty, rest[name.endIndex...].hasPrefix("}") {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
      parts.append(.placeholder(String(name)))
      rest = rest[name.endIndex...].dropFirst()
    } else {
      text.append(letter)
      rest = rest.dropFirst()
    }
  }
  return text.isEmpty ? parts : parts + [.text(text)]
}

extension Manifest.CustomStage {
  /// The placeholders for every command: the result of the previous stage, the decoded ways, the file
  /// or folder to write, and the region's id, name and box.
  static let placeholders = [
    "input", "trails", "output", "output-dir", "region", "region-name", "bbox", "threads",
  ]

  /// The path of the program; nil if it is missing. Relative to the manifest if it has a slash,
  /// otherwise from `PATH`.
  package var program: String? {
    guard let word = command.first else { return nil }
    let parts = commandParts(word)
    guard case .text(let name)? = parts.first, parts.count == 1 else { return nil }
    if name.contains("/") {
      let path = simplifiedPath(joinPath(splitPath(location.file).folder, name))
      return isFile(path) && access(path, X_OK) == 0 ? path : nil
    }
    return programInPath(name)
  }
}
