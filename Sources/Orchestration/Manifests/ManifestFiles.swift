// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CostModel
import Glibc
import StrictYAML
import SystemIO

extension Manifest {
  /// The check of sources, elevation folders and base maps. A run treats them as data: their
  /// problems fail only the regions that need them.
  package enum DataCheck: Sendable {
    /// Not at all.
    case skipped
    /// Existing ones must have the expected format.
    case ifPresent
    /// They must exist.
    case required
  }

  /// Throws 66 with all files and folders needed by some regions that are missing, unreadable or a
  /// folder instead of a file, and 78 for invalid profile files and for databases with two profiles
  /// of one name, so that errors appear before hours of work.
  package func checkFiles(regions: [Region], data: DataCheck = .required) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    func check(
      _ path: String, _ location: Location, isFolder: Bool = false, mayBeMissing: Bool = false
    ) {
      guard case .line(let line, let column) = location.position,
        let problem = Self.problem(path, isFolder: isFolder)
      else { return }
      if mayBeMissing, !pathExists(path) { return }
      problems.add(
        "\(path) \(problem)", line: line, column: column,
        hint: pathExists(path) ? nil : "paths are relative to the manifest")
    }
    if data != .skipped {
      for name in Set(regions.map(\.source)).sorted() {
        guard let source = sources[name], !source.isRemote else { continue }
        check(source.path, source.location, mayBeMissing: data == .ifPresent)
        for changes in source.changes {
          let isFolder = folderExists(changes.path)
          check(
            changes.path, changes.location, isFolder: isFolder, mayBeMissing: data == .ifPresent)
        }
        if let problem = source.formatProblem,
          case .line(let line, let column) = source.location.position
        {
          problems.add(
            "\(source.path) \(problem.message)", line: line, column: column, hint: problem.hint)
        }
      }
      let folders = elevationFolders(of: regions).filter { $0.pattern == nil }
      if data == .required { for folder in folders { folder.checkRasters(problems) } }
      for folder in folders where !folder.hasRasters {
        check(folder.path, folder.location, isFolder: true, mayBeMissing: data == .ifPresent)
      }
      for case let map? in regions.map(\.baseMap) {
        check(map.path, map.location, mayBeMissing: data == .ifPresent)
      }
    }
    let profileSets = allProfiles(of: regions)
    var checked: Set<String> = []
    for profile in profileSets.joined() {
      guard case .file(let path) = profile.kind, checked.insert(path).inserted else { continue }
      check(path, profile.location)
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
    if data != .skipped { try checkBaseMaps(regions) }
    try checkProfiles(profileSets)
  }

  /// Throws 65 for a base map that is not one, is damaged or does not cover its region.
  private func checkBaseMaps(_ regions: [Region]) throws(CairnError) {
    let shapes = RegionShapes()
    for region in regions {
      guard let map = region.baseMap, pathExists(map.path) else { continue }
      _ = try BaseMap(map.path, covering: shapes.extent(region.shape))
    }
  }

  /// The problem of a path that must be a readable file or folder; nil if there is none.
  private static func problem(_ path: String, isFolder: Bool) -> String? {
    guard pathExists(path) else { return "does not exist" }
    if folderExists(path) != isFolder {
      return isFolder ? "is a file, but must be a folder" : "is a folder, but must be a file"
    }
    return access(path, isFolder ? R_OK | X_OK : R_OK) == 0
      ? nil : "cannot be read: \(systemMessage(errno))"
  }

  /// Reads all profile files. Throws 78 for an invalid one, and for duplicate names in a database.
  private func checkProfiles(_ sets: [[Profile]]) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    for profiles in sets {
      var known: Set<String> = []
      for profile in profiles {
        let name =
          switch profile.kind {
          case .builtIn(let name): name
          case .file(let path): try CostProfile(file: path).name
          }
        guard !known.insert(name).inserted,
          case .line(let line, let column) = profile.location.position
        else { continue }
        problems.add(
          "the profile “\(name)” appears twice", line: line, column: column,
          hint: "give the profile file another name: in it")
      }
    }
    try problems.check()
  }

  /// Throws 78 for words of custom commands that are files, which must be listed in the stage's
  /// inputs.
  package func checkCommands() throws(CairnError) {
    let problems = YAMLProblems(file: path)
    for stage in stages {
      guard case .line(let line, let column) = stage.location.position else { continue }
      for word in stage.command.dropFirst() {
        let parts = commandParts(word)
        guard parts.count == 1, case .text(let text) = parts[0] else { continue }
        let file = fileAtEnd(of: text) ?? fileAtEnd(of: text, in: splitPath(path).folder)
        guard let file else { continue }
        problems.add(
          "stage “\(stage.name)”: “\(file)” is a file, but not one of its inputs", line: line,
          column: column, hint: "list it under inputs: { NAME: \(file) } and write {NAME} instead")
      }
    }
    try problems.check()
  }
}

extension Manifest.ElevationFolder {
  fileprivate func checkRasters(_ problems: YAMLProblems) {
    guard hasRasters, rasterFiles.isEmpty, case .line(let line, let column) = location.position
    else { return }
    problems.add(
      "\(path): no such file", line: line, column: column,
      hint: "paths are relative to the manifest; * stands for any part of a name")
  }

  /// The rasters that match its path, sorted.
  package var rasterFiles: [String] {
    guard pattern == nil, isPattern(path) else { return isFile(path) ? [path] : [] }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(path, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }.filter { isFile($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// Whether a path is a pattern for several files.
func isPattern(_ path: String) -> Bool { path.contains { "*?[".contains($0) } }

extension Manifest.Source {
  /// The problem if the file is plainly of the other format; otherwise, or if it is unreadable,
  /// nil.
  fileprivate var formatProblem: (message: String, hint: String)? {
    // Reading a pipe would consume what the run needs.
    guard isFile(path) else { return nil }
    var head = [UInt8](repeating: 0, count: 64)
    let count = head.withUnsafeMutableBytes { bytes in
      (try? InputFile(path).read(into: bytes, at: 0)) ?? 0
    }
    head = Array(head[..<count])
    switch format {
    case .pbf:
      let start = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let isXML = start.first == UInt8(ascii: "<") || head.starts(with: [0x1F, 0x8B])
      return isXML ? ("is XML or gzip, not a PBF file", "write overpass: instead of pbf:") : nil
    case .overpass:
      // The first blob of every PBF file is of this type.
      let isPBF = head.indices.contains { head[$0...].starts(with: "OSMHeader".utf8) }
      return isPBF ? ("is a PBF file", "write pbf: instead of overpass:") : nil
    }
  }
}

/// The file named by a word of a command, alone or after an equals sign; nil if there is none.
package func fileAtEnd(of word: String, in folder: String = ".") -> String? {
  let value = word.drop { $0 != "=" }.dropFirst()
  return [word, String(value)].first { !$0.isEmpty && isFile(joinPath(folder, $0)) }
}
