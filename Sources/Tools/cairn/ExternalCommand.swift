// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import Glibc
import SystemIO

/// A command that is a separate executable: a stage, or one supplied by the user.
struct ExternalCommand {
  /// The stages in the order of the data.
  static let stages = [
    ("fetch", "download a file and verify its digest"),
    ("decode-pbf", "extract the ways of a region from an .osm.pbf"),
    ("parse-overpass", "extract the ways of a region from OSM or Overpass XML"),
    ("sample-elevation", "add elevations from HGT tiles to all nodes"),
    ("collect-places", "collect peaks, huts, springs and other places as waypoints"),
    ("index-places", "index the names of places, trails and routes for search"),
    ("build-tiles", "draw trails, waymarked routes and points of interest as map tiles"),
    ("build-graph", "split ways at junctions into a graph"),
    ("compute-costs", "compute costs and times and write a .routing.db"),
    ("validate", "validate the databases and the map tiles of a bundle"),
  ]

  /// Commands with executables of their own that are not stages.
  static let others = [("serve", "show regions in a browser: routes, profiles, warnings")]

  private let name: String

  init(_ name: String) { self.name = name }

  /// Replaces this process by the executable; returns only if it does not exist.
  func run(_ words: [String]) -> ExitCode {
    let isPlain = name.utf8.allSatisfy { $0 != UInt8(ascii: "/") } && !name.hasPrefix("-")
    if isPlain {
      let program = "cairn-\(name)"
      var arguments = ([program] + words).map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      execv(joinPath(executableFolder(), program), &arguments)
      execvp(program, &arguments)
    }
    let known = Cairn.commands.map(\.name) + (Self.stages + Self.others).map(\.0)
    let hint = nearestWord(to: name, among: known).map { "did you mean \($0)?" }
    Console.note(
      "cairn: error: unknown command “\(name)” (\(hint ?? "cairn help lists all commands"))")
    return .usage
  }
}
