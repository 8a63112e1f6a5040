// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Routing
import RoutingDatabase
import StageKit
import SystemIO

/// The hierarchies that a command with many routes uses.
enum HierarchyChoice {
  static let option = CommandDefinition.Option.option(
    "hierarchy", "FILE",
    help: "what cairn prepare-routing made (default: NAME.hierarchy beside the database)")

  /// Reads the graph of a profile into memory with its hierarchy from the file that is named, or
  /// from the one beside the database, if there is one.
  ///
  /// A file that is named must be right, and have the profile; one that only lies there and was made
  /// from another state of the database is left out with a word. Throws 66 if the named file is not
  /// there, and 65 for one that cannot be used.
  ///
  /// - Parameter profile: nil for the columns of a database that has the contract's tables alone.
  static func engine(_ arguments: Arguments, _ store: RoutingStore, profile: String?) throws
    -> RoutingEngine
  {
    let profiles = profile.map { [$0] }
    if let path = arguments.value("hierarchy") {
      do {
        let file = try read(path)
        guard file.profiles.contains(profile) else {
          let name = profile ?? "the contract's columns"
          throw RoutingError.hierarchyUnusable("it has none for \(name)")
        }
        return try .inMemory(store, profiles: profiles, hierarchies: file)
      } catch RoutingError.hierarchyUnusable(let reason) {
        throw RoutingError.hierarchyUnusable(reason).ofCommand(at: path)
      }
    }
    let path = standardPath(beside: store.path)
    if pathExists(path) {
      do {
        return try .inMemory(store, profiles: profiles, hierarchies: try read(path))
      } catch RoutingError.hierarchyUnusable(let reason) {
        let error = RoutingError.hierarchyUnusable(reason).ofCommand(at: path)
        Console.note("cairn: warning: \(error)")
      }
    }
    return try .inMemory(store, profiles: profiles)
  }

  /// A file larger than this is none of ours.
  private static let mostBytes = 1 << 34

  private static func read(_ path: String) throws -> HierarchyFile {
    try InputFile(path).readAll(limit: mostBytes).withUnsafeBytes { try HierarchyFile(reading: $0) }
  }

  /// The name of the file that belongs to a database.
  static func standardPath(beside database: String) -> String {
    let ending = [".routing.db", ".db"].first { database.hasSuffix($0) } ?? ""
    return database.dropLast(ending.count) + "." + HierarchyFile.fileExtension
  }
}
