// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import Requests

/// `cairn profiles`: the available cost profiles.
struct ProfilesCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn profiles",
    summary: "list the built-in cost profiles, or those of a .routing.db",
    positionals: [
      .init(
        "DB", repeats: true, required: false,
        help: "routing databases, or an output folder; lists the profiles that all have")
    ],
    options: [.flag("json", help: "print JSON")],
    examples: ["cairn profiles", "cairn profiles valley.routing.db"])

  private struct Row: Encodable {
    var name: String
    var description: String
    var fingerprint: String
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let rows =
      if !arguments.positionals.isEmpty {
        try stored(try DatabaseChoice(arguments.positionals))
      } else {
        try CostProfile.builtIn.map {
          Row(name: $0.name, description: $0.summary, fingerprint: try $0.fingerprint())
        }
      }
    if arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(rows), as: UTF8.self))
    } else {
      let cells = rows.map { [$0.name, $0.description] }
      try Console.write(TextTable([.left, .left], rows: cells).fitting(Console.columns).text)
    }
    return .success
  }

  private static func stored(_ databases: DatabaseChoice) throws(CairnError) -> [Row] {
    let profiles = try withStore(databases) { store throws(RoutingError) in try store.profiles() }
    guard !profiles.isEmpty else {
      throw CairnError(
        "no-profiles", .negative, "has no cost profiles", at: Location(file: databases.title),
        hint: "its only costs are those in routing_edges")
    }
    return profiles.map { profile in
      let summary = (try? CostProfile(definition: profile.definition))?.summary ?? ""
      return Row(
        name: printable(profile.name), description: printable(summary),
        fingerprint: profile.fingerprint)
    }
  }
}

/// `cairn profile show`: a cost profile as a file.
struct ProfileShowCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn profile show",
    summary: "print a cost profile as a complete YAML file",
    discussion: """
      The file contains every parameter with a comment, and defines the same profile: a starting \
      point for your own, under another name.
      """,
    positionals: [.init("PROFILE", help: "a built-in profile, or a profile file")],
    examples: ["cairn profile show trail-hiking", "cairn profile show family > my-family.yaml"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let profile = try CostProfile.named(arguments.positionals[0])
    try Console.write(try profile.yamlText())
    return .success
  }
}

/// `cairn profile schema`: the format of profile files.
struct ProfileSchemaCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn profile schema",
    summary: "print a JSON Schema of cost profile files",
    discussion: """
      Editors use the schema (draft 2020-12) to complete and check a profile as you write it.
      """,
    examples: ["cairn profile schema > cairn-profile.schema.json"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    try Console.write(String(decoding: try encodeJSON(ProfileForm.schema), as: UTF8.self))
    return .success
  }
}

/// `cairn profile check`: whether profile files are valid.
struct ProfileCheckCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn profile check",
    summary: "check cost profile files",
    discussion: "Reports every problem with line and column. Exits with 78 if a file is invalid.",
    positionals: [.init("FILE", repeats: true, help: "a profile file")],
    examples: ["cairn profile check profiles/*.yaml"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    try checkFiles(arguments.positionals) { path throws(CairnError) in
      let (profile, remarks) = try CostProfile.checked(file: path)
      let print = try profile.fingerprint().prefix(12)
      try Console.write("\(path): \(profile.name), fingerprint \(print)…\n")
      for remark in remarks { Console.note("\(definition.name): \(remark)") }
    }
  }
}
