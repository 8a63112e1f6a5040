// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Glibc
import SystemIO

/// `cairn keygen`: a key for signing releases.
package struct KeygenCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn keygen",
    summary: "make a key pair to sign an index",
    discussion: """
      Writes a private key (Ed25519) to FILE, readable only by its owner, for cairn publish \
      --sign, and the public key to FILE.pub, for cairn update --key and for apps. Replaces \
      nothing.
      """,
    positionals: [.init("FILE", help: "the private key to write")],
    examples: ["cairn keygen publisher.key"])

  /// Writes both files.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let path = arguments.positionals[0]
    for path in [path, path + ".pub"] where nameExists(path) {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists", at: Location(file: path),
        hint: "keys are never replaced, because clients trust the one they have")
    }
    let key = try Ed25519.newKey()
    let previous = umask(0o077)
    defer { umask(previous) }
    try AtomicOutput.write(KeyFile.text(.secret, key), to: path) { _ in false }
    umask(previous)
    let publicKey = Ed25519.publicKey(of: key)
    try AtomicOutput.write(KeyFile.text(.open, publicKey), to: path + ".pub") { _ in false }
    try Console.write("\(hexadecimal(publicKey))\n")
    return .success
  }
}
