// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

/// The executables under test: those beside the test bundle.
enum Executables {
  static let folder: String = {
    let folder = executableFolder()
    do { try linkStages(in: folder) } catch { Issue.record("cannot link the stages: \(error)") }
    return folder
  }()

  /// Makes the links with the names of the stages, as `make` does.
  private static func linkStages(in folder: String) throws {
    let list = try runProcess("\(folder)/cairn-stages", ["--list"])
    guard list.status == 0 else { throw TestFailure(list.stderr) }
    for name in list.stdout.split(separator: "\n") {
      let path = "\(folder)/\(name)"
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil else {
        continue
      }
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "cairn-stages")
    }
  }

  /// Whether they are of the build that ships, which debug builds and those with sanitizers are not.
  static let areReleased = folder.hasSuffix("/release") && !areSanitized

  /// Whether they have a sanitizer built in, as with `make test SANITIZE=thread`: then they take
  /// many times as long, and do not run with tight limits.
  static let areSanitized = sanitizer != nil

  /// The environment of the tests, with a cache of downloads that is not the user's.
  static let environment: [String: String] = {
    var variables = ProcessInfo.processInfo.environment
    let base = FileManager.default.temporaryDirectory.path
    variables["CAIRN_CACHE"] = "\(base)/cairn-test-downloads"
    return variables
  }()

  /// Runs an executable with some arguments.
  static func run(
    _ name: String, _ arguments: [String], environment: [String: String]? = nil,
    stdin: String = "/dev/null"
  ) throws -> ProcessResult {
    try runProcess(
      "\(folder)/\(name)", arguments, environment: environment ?? Self.environment, stdin: stdin)
  }

  /// Runs an executable and fails unless it ends with 0.
  @discardableResult
  static func succeed(_ name: String, _ arguments: [String]) throws -> ProcessResult {
    let result = try run(name, arguments)
    guard result.status == 0 else {
      throw TestFailure(
        "\(name) \(arguments.joined(separator: " ")): exit \(result.status)\n\(result.stderr)")
    }
    return result
  }
}

/// The stages from an OpenStreetMap file to a database, run one by one.
struct Chain {
  static let profiles = ["hiking", "cycling"]

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  init(_ folder: TemporaryFolder) { self.folder = folder }

  /// `r.trails` and `r.elevated`.
  var files: ElevatedFiles { ElevatedFiles(in: folder, name: "r") }

  /// Builds a database and returns its path.
  func build(
    _ source: String, with parser: String = "cairn-decode-pbf", hgt: String,
    options: [String] = [], profiles: [String] = Chain.profiles
  ) throws -> String {
    try buildGraph(source, with: parser, hgt: hgt, options: options)
    return try price(profiles, "r.routing.db")
  }

  /// Runs the stages up to `r.graph`.
  func buildGraph(
    _ source: String, with parser: String = "cairn-decode-pbf", hgt: String, options: [String] = []
  ) throws {
    try Executables.succeed(
      parser,
      ["--input", source, "--output", files.trails, "-q", "--report", folder.file("decode.json")]
        + options)
    try Executables.succeed(
      "cairn-sample-elevation",
      ["--input", files.trails, "--hgt", hgt, "--output", files.elevated, "-q"])
    try Executables.succeed(
      "cairn-build-graph",
      files.arguments
        + ["--output", folder.file("r.graph"), "-q", "--report", folder.file("graph.json")])
  }

  /// Makes a database of `r.graph` and returns its path.
  func price(_ profiles: [String], _ name: String) throws -> String {
    let database = folder.file(name)
    try Executables.succeed(
      "cairn-compute-costs",
      ["--input", folder.file("r.graph"), "--output", database, "-q"]
        + profiles.flatMap { ["--profile", $0] })
    return database
  }

  /// The whole numbers of an object of a report, such as `input`.
  func counts(_ report: String, _ object: String) throws -> [String: Int] {
    let bytes = Data(try folder.read(report))
    let json = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    return (json?[object] as? [String: Any] ?? [:]).compactMapValues { $0 as? Int }
  }
}

/// A text of JSON as a dictionary.
func jsonObject(_ text: String) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  guard let object = value as? [String: Any] else { throw TestFailure("no JSON object: \(text)") }
  return object
}
