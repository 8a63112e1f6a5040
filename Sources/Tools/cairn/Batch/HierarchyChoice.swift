// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Routing
import RoutingDatabase
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
  static func graph(_ arguments: Arguments, _ store: RoutingStore, _ choice: RouteChoice) throws
    -> (ProfileGraph, ContractionHierarchy?)
  {
    // A database with the contract's tables alone has no profiles.
    let profile = try store.profileNames().isEmpty ? nil : choice.profileName
    let graph = try ProfileGraph(
      try RoadNetwork(reading: store), profile: profile, reading: store)
    if let path = arguments.value("hierarchy") {
      do {
        guard let hierarchy = try read(path).hierarchy(of: graph) else {
          let name = profile ?? "the contract's columns"
          throw RoutingError.hierarchyUnusable("it has none for \(name)")
        }
        return (graph, hierarchy)
      } catch let error as RoutingError {
        throw error.ofCommand(at: path)
      }
    }
    let path = standardPath(beside: store.path)
    guard pathExists(path) else { return (graph, nil) }
    do {
      return (graph, try read(path).hierarchy(of: graph))
    } catch {
      let reason = (error as? RoutingError)?.ofCommand(at: path) ?? asCairnError(error)
      Console.note("cairn: warning: \(reason)")
      return (graph, nil)
    }
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
