// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Glibc
import Requests

/// `cairn serve`: a viewer of databases in the browser of this machine.
package struct ServeCommand: Command {
  private static let standardPort = 8080

  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn-serve",
    summary: "look at regions in a browser: routes, profiles, warnings",
    discussion: """
      Serves a page to the browsers of this machine, and to nobody else, until Ctrl-C ends it. It \
      shows routes by clicks on a map, lets you change the numbers of a profile, search places and \
      see where the last run warned. Nothing is written, and the page loads nothing from elsewhere. \
      /api/route takes the options of cairn route as parameters and gives what its --format json \
      prints. A database that is replaced meanwhile is opened anew. \(DatabaseChoice.discussion)
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option(
        "port", "PORT",
        help: "the port to listen on, 0 for any that is free (default \(standardPort))"),
      .option(
        "elevation", "FOLDER", repeats: true,
        help: "HGT tiles to draw the relief from where a bundle has no hillshade"),
    ],
    examples: ["cairn serve build/sample", "cairn serve valley.routing.db"])

  /// Serves until a signal ends the process; there is nothing to clean up.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let port = try arguments.integer("port", in: 0...65_535) ?? standardPort
    let viewer = try Viewer(arguments.positionals, elevation: arguments.all("elevation"))
    let server = try HTTPServer(port: UInt16(port), handler: viewer)
    try Console.write("http://localhost:\(server.port)/\n")
    Console.note("cairn serve: serving \(viewer.title) until Ctrl-C")
    while true {
      sleep(1)
      server.cancelOverdue()
    }
  }
}
