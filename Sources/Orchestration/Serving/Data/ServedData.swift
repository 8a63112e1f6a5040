// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit
import Requests
import SystemIO

/// Databases as of the time of opening. A request uses one of these throughout, whatever is
/// published meanwhile.
final class ServedData: Sendable {
  /// The metadata of a database.
  struct Part: Sendable {
    /// The path of the database.
    var path: String
    var metadata: [String: String]
    /// Its entry in the index of its output folder.
    var entry: IndexRecord.Region?

    /// Its area.
    var box: BoundingBox? {
      metadata[RoutingMetadataKey.boundingBox].flatMap { BoundingBox(commandLine: $0) }
    }
  }

  /// Counts how often the databases were opened.
  let generation: Int
  let databases: DatabaseChoice
  let parts: [Part]
  let store: RoutingStore
  /// The places of all databases; nil if there are none.
  let places: SearchSet?
  /// The databases of places.
  let placeFiles: [String]
  let engines: EngineShelf
  private let states: [String: FileState?]

  /// Opens the databases for command-line arguments. Throws their errors.
  ///
  /// - Parameter mostInMemory: The size up to which they are searched in memory.
  init(_ words: [String], generation: Int, mostInMemory: Int) throws(CairnError) {
    self.generation = generation
    databases = try DatabaseChoice(words)
    let files = databases.paths.compactMap(placesBeside)
    placeFiles = files
    let indexes = words.filter(folderExists).map { joinPath($0, IndexRecord.fileName) }
    // Before opening, so that a replacement in between is noticed.
    states = Dictionary(
      (databases.paths + files + indexes).map { ($0, FileState($0)) }, uniquingKeysWith: { $1 })
    parts = try databases.paths.map { path throws(CairnError) in try Self.part(path) }
    store = databases.store()
    do throws(RoutingError) { try store.open() } catch {
      throw error.ofCommand(at: databases.title)
    }
    do throws(SearchError) {
      places = files.isEmpty ? nil : try SearchSet(paths: files)
    } catch { throw error.ofCommand(at: title(of: files)) }
    engines = EngineShelf(
      bytes: databases.paths.reduce(0) { $0 + fileSize($1) }, mostInMemory: mostInMemory)
  }

  deinit { store.close() }

  private static func part(_ path: String) throws(CairnError) -> Part {
    let store = RoutingStore(path: path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      let (folder, region) = splitPath(splitPath(path).folder)
      let index = IndexRecord(inFolder: folder)
      return Part(
        path: path, metadata: try store.metadata(),
        entry: index?.regions.first { $0.id == region })
    } catch { throw error.ofCommand(at: path) }
  }

  /// Whether all files are still those that were opened.
  var isCurrent: Bool { states.allSatisfy { FileState($0.key) == $0.value } }
}
