// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Elevation
import Execution
import Manifests
import MovingSources
import OSMInput
import Planning
import SystemIO

/// Checks the data of a manifest before a night does: whether sources are whole and cover their
/// regions, whether servers have them, and from where each region gets its elevation tiles.
struct DataCheckup {
  /// A finding.
  struct Result {
    var finding: Finding
    /// How a command ends because of it.
    var exitCode = ExitCode.success
  }

  /// Asks a server for the size of a file, as far as it states one. Throws as a download would.
  typealias Asking = (_ url: String) throws(CairnError) -> Int?

  private let manifest: Manifest
  private let ask: Asking
  private let shapes = RegionShapes()

  init(_ manifest: Manifest, ask: @escaping Asking) { (self.manifest, self.ask) = (manifest, ask) }

  /// Asks servers by `cairn-fetch`.
  init(_ manifest: Manifest, _ programs: StagePrograms) {
    let program = programs.path(of: "cairn-fetch")
    self.init(manifest) { url throws(CairnError) in try FetchProcess.head(url, by: program) }
  }

  /// All findings, in the order of the manifest. Throws the errors of the regions' shapes.
  func results() throws(CairnError) -> [Result] {
    var results: [Result] = []
    var misplaced: Set<String> = []
    for name in Set(manifest.regions.map(\.source)).sorted() {
      guard let source = manifest.sources[name] else { continue }
      if source.isRemote {
        results.append(server(source))
      } else if source.format == .pbf {
        results += try extract(source, &misplaced)
      }
    }
    var tiles = Tiles(ask: ask)
    for region in manifest.regions where !misplaced.contains(region.id) {
      results += try elevation(region, &tiles)
    }
    return results
  }

  private func server(_ source: Manifest.Source) -> Result {
    let shown = redactedURL(source.path)
    do throws(CairnError) {
      let bytes = try ask(source.path)
      return Result(
        finding: Finding(
          .good, "source \(source.name)",
          "\(shown) answers" + (bytes.map { ": \(byteSize($0))" } ?? "")))
    } catch {
      // An API takes nothing but queries, and some servers nothing but downloads.
      let isThere = error.exitCode == .noInput && error.code != .notOnServer
      guard !(isThere && source.isAnswer) else {
        return Result(finding: Finding(.good, "source \(source.name)", "\(shown) answers"))
      }
      return Self.result(error, "source \(source.name)", isThere ? .note : .wrong)
    }
  }

  private static func result(
    _ error: CairnError, _ subject: String, _ verdict: Finding.Verdict = .wrong
  ) -> Result {
    var text = error
    text.hint = nil
    return Result(
      finding: Finding(verdict, subject, text.description, fix: error.hint),
      exitCode: verdict == .wrong ? error.exitCode : .success)
  }

  /// Whether a PBF file is whole, and which regions lie outside of it.
  private func extract(_ source: Manifest.Source, _ misplaced: inout Set<String>)
    throws(CairnError) -> [Result]
  {
    let subject = "source \(source.name)"
    let box: BoundingBox?
    do throws(CairnError) { box = try PBFParser(source.path).header.box } catch {
      return [Self.result(error, subject)]
    }
    var results = [
      Result(
        finding: Finding(
          .good, subject, "\(source.path) is whole, \(byteSize(fileSize(source.path)))"))
    ]
    guard let box else { return results }
    for region in manifest.regions where region.source == source.name {
      let extent = try shapes.extent(region.shape)
      guard !extent.meets(box) else { continue }
      misplaced.insert(region.id)
      let swapped = extent.swapped.flatMap { $0.meets(box) ? $0 : nil }
      results.append(
        Result(
          finding: Finding(
            .wrong, "region \(region.id)",
            swapped == nil
              ? "lies outside of \(source.path), which covers [\(box.listed)]"
              : "its latitudes and longitudes look swapped: [\(extent.listed)] lies outside of "
                + source.path,
            fix: swapped.map { "longitude comes first: did you mean [\($0.listed)]?" }
              ?? "give it another bbox or source"),
          exitCode: .dataError))
    }
    return results
  }

  /// From where a region gets each of its tiles.
  private func elevation(_ region: Manifest.Region, _ tiles: inout Tiles) throws(CairnError)
    -> [Result]
  {
    let folders = manifest.elevation(of: region)
    // Only GDAL knows which tiles rasters give.
    guard !folders.isEmpty, !folders.contains(where: { $0.hasRasters && $0.pattern == nil }),
      let needed = TilePattern.tiles(of: try shapes.extent(region.shape), marginDegrees: 0)
    else { return [] }
    let subject = "elevation of \(region.id)"
    var results: [Result] = []
    var found: [String: [String]] = [:]
    var missing: [String] = []
    search: for tile in needed {
      do throws(CairnError) {
        for folder in folders where try tiles.have(tile, folder) {
          found[folder.place, default: []].append(tile.description)
          continue search
        }
        missing.append(tile.description)
      } catch {
        // A damaged tile or a lost server is told once.
        guard tiles.told.insert(error.description).inserted else { continue }
        results.append(Self.result(error, subject))
      }
    }
    let names = unrepeated(folders.map(\.place))
    for name in names {
      guard let tiles = found[name] else { continue }
      results.append(
        Result(finding: Finding(.good, subject, "\(Self.shown(tiles)) from \(name)")))
    }
    guard !missing.isEmpty else { return results }
    let isAll = missing.count == needed.count
    let isRequired = isAll && (region.checks.elevationCoverage ?? 0) > 0
    results.append(
      Result(
        finding: Finding(
          isRequired ? .wrong : .note, subject, manifest.lack(of: missing, in: region),
          fix: isAll
            ? "add \(missing.count == 1 ? "it" : "them"), or set elevation: none for the region"
            : "add \(missing.count == 1 ? "it" : "them"), unless there is only sea"),
        exitCode: isRequired ? .noInput : .success))
    return results
  }

  private static func shown(_ tiles: [String]) -> String {
    tiles.count > 4 ? "\(tiles.count) tiles" : listed(tiles)
  }

  /// The tiles that sources have, each read or asked for once.
  private struct Tiles {
    let ask: Asking
    /// The errors that were told.
    var told: Set<String> = []
    private var folders: [String: ElevationSource] = [:]
    private var known: [String: Swift.Result<Bool, CairnError>] = [:]
    /// The servers that cannot be reached, which are not asked for every tile.
    private var lost: [String: CairnError] = [:]

    init(ask: @escaping Asking) { self.ask = ask }

    /// Whether a source has a tile. Throws 65 or 66 for one that cannot be read, and the errors of
    /// its server.
    mutating func have(_ tile: ElevationTileID, _ folder: Manifest.ElevationFolder)
      throws(CairnError) -> Bool
    {
      let key = folder.pattern?.url(of: tile) ?? joinPath(folder.path, tile.description)
      if let known = known[key] { return try known.get() }
      let result = Swift.Result { () throws(CairnError) in try look(tile, folder) }
      known[key] = result
      return try result.get()
    }

    private mutating func look(_ tile: ElevationTileID, _ folder: Manifest.ElevationFolder)
      throws(CairnError) -> Bool
    {
      guard let pattern = folder.pattern else {
        if let source = folders[folder.path] { return try source.hasWhole(tile) }
        let source = try ElevationSource(folder: folder.path)
        folders[folder.path] = source
        return try source.hasWhole(tile)
      }
      if let error = lost[pattern.url] { throw error }
      do throws(CairnError) {
        _ = try ask(pattern.url(of: tile))
        return true
      } catch {
        if error.code == .notOnServer { return false }
        // It is there, and takes nothing but downloads.
        if error.exitCode == .noInput { return true }
        lost[pattern.url] = error
        throw error
      }
    }
  }
}

extension HeaderBlock {
  /// The bounding box of the extract; nil if the file states none that is valid.
  fileprivate var box: BoundingBox? {
    guard let bounds else { return nil }
    let box = BoundingBox(
      west: Double(bounds.left) / 1e9, south: Double(bounds.bottom) / 1e9,
      east: Double(bounds.right) / 1e9, north: Double(bounds.top) / 1e9)
    return box.isValid ? box : nil
  }
}
