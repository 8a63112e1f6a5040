// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Glibc
import SystemIO

/// A command that is an executable of its own: a stage, or one that a user supplies.
struct ExternalCommand {
  /// The stages, in the order of the data.
  static let stages = [
    ("fetch", "fetch a file from a URL and check its digest"),
    ("decode-pbf", "cut a region's ways out of an .osm.pbf"),
    ("parse-overpass", "the same from OSM or Overpass XML"),
    ("sample-elevation", "give every node its elevation"),
    ("build-graph", "cut ways at their junctions into a graph"),
    ("compute-costs", "work out costs and write a .routing.db"),
    ("validate", "check a .routing.db"),
    ("prepare-routing", "make a .routing.db ready for many routes"),
  ]

  private let name: String

  init(_ name: String) { self.name = name }

  /// Becomes the executable; returns only if there is none.
  func run(_ words: [String]) -> ExitCode {
    let isPlain = name.utf8.allSatisfy { $0 != UInt8(ascii: "/") } && !name.hasPrefix("-")
    if isPlain {
      let program = "cairn-\(name)"
      var arguments = ([program] + words).map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      execv(joinPath(executableFolder(), program), &arguments)
      execvp(program, &arguments)
    }
    let known = Cairn.commands.map(\.name) + Self.stages.map(\.0)
    let hint = nearestWord(to: name, among: known).map { "did you mean \($0)?" }
    Console.note(
      "cairn: error: no command is called “\(name)” (\(hint ?? "cairn help lists them"))")
    return .usage
  }
}
