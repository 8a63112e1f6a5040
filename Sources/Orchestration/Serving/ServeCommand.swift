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
    summary: "show regions in a browser: routes, profiles, warnings",
    discussion: """
      Serves a page to browsers on this machine only, until you press Ctrl-C. Click on the map to \
      find routes; change the numbers of a profile, search places, and see where the last run \
      warned. Writes nothing, and the page loads nothing from elsewhere. /api/route takes the \
      options of cairn route as parameters and returns the output of --format json. Replaced \
      databases are opened again. \(DatabaseChoice.discussion)
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option(
        "port", "PORT",
        help: "the port to listen on, 0 for any free port (default \(standardPort))"),
      .option(
        "elevation", "FOLDER", repeats: true,
        help: "a folder of HGT tiles for the relief of bundles without a hillshade"),
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
