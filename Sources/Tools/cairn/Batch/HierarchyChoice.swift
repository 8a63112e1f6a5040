// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Requests
import SystemIO

/// The hierarchy of a command that finds many routes.
enum HierarchyChoice {
  static let option = CommandDefinition.Option.option(
    "hierarchy", "FILE",
    help: "output of cairn prepare-routing (default: NAME.hierarchy beside the database)")

  /// Reads the graph of a profile into memory, together with its hierarchy from the file given with
  /// `--hierarchy` or else from the file beside the database, if it exists.
  ///
  /// On a day with other costs than the database's there is none; a note on stderr says so if one
  /// was given.
  ///
  /// A file given with `--hierarchy` must be valid and contain the profile. The file beside the
  /// database is ignored with a warning if it is unusable. Throws 66 if the given file does not
  /// exist, and 65 if it is unusable.
  static func graph(_ arguments: Arguments, _ store: RoutingStore, _ choice: RouteChoice) throws
    -> (ProfileGraph, ContractionHierarchy?)
  {
    let profile = choice.profile
    guard choice.trial == nil else {
      guard arguments.value("hierarchy") == nil else {
        throw arguments.usageError(
          "--hierarchy works only with profiles stored in the database")
      }
      return (try choice.graph(store), nil)
    }
    let graph = try choice.builtGraph(store)
    if let day = choice.otherDay, !graph.isUnchanged(on: day) {
      if let path = arguments.value("hierarchy") {
        Console.note(
          "cairn: \(path) is valid for the day of the database only; using A* for "
            + "\(day)")
      }
      return (try graph.on(day), nil)
    }
    if let path = arguments.value("hierarchy") {
      guard store.paths.count == 1 else {
        throw arguments.usageError("--hierarchy works with one database only; omit it to use A*")
      }
      do {
        guard let hierarchy = try read(path).hierarchy(of: graph) else {
          let name = profile ?? "the costs in routing_edges"
          throw RoutingError.hierarchyUnusable("the file contains none for \(name)")
        }
        return (graph, hierarchy)
      } catch let error as RoutingError {
        throw error.ofCommand(at: path)
      }
    }
    guard store.paths.count == 1 else { return (graph, nil) }
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

  /// No hierarchy file is larger than this.
  private static let maximumBytes = 1 << 34

  private static func read(_ path: String) throws -> HierarchyFile {
    try InputFile(path).readAll(limit: maximumBytes).withUnsafeBytes {
      try HierarchyFile(reading: $0)
    }
  }

  /// The default path of the hierarchy file of a database.
  static func standardPath(beside database: String) -> String {
    let ending = [".routing.db", ".db"].first { database.hasSuffix($0) } ?? ""
    return database.dropLast(ending.count) + "." + HierarchyFile.fileExtension
  }
}
