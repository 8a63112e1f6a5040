// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import CostModel
import Diagnostics

/// A mapping in the manifest's format: its keys, their values and what they are for.
///
/// This describes the format a second time, for editors and for the user; that it agrees with the
/// reader is tested, key by key.
struct ManifestForm: Sendable {
  /// The value of a key.
  indirect enum Value: Sendable {
    case text(pattern: String? = nil)
    case boolean
    case integer(ClosedRange<Int>)
    /// At least 0, at most `maximum` if there is one.
    case number(maximum: Double? = nil)
    case choice([String])
    case list(Value, atLeast: Int = 0, atMost: Int? = nil)
    case mapping(ManifestForm)
    /// A mapping whose keys the author chooses.
    case table(Value, keys: String? = nil)
    case either([Value])
  }

  /// A key.
  struct Key: Sendable {
    let name: String
    let value: Value
    let isRequired: Bool
    let help: String

    init(_ name: String, _ value: Value, required: Bool = false, _ help: String) {
      self.name = name
      self.value = value
      isRequired = required
      self.help = help
    }
  }

  let keys: [Key]
  /// Groups of keys one of which is required, and with `isOne` excludes the others.
  var alternatives: [[String]] = []
  var isOne = true
  /// Keys that are required if another one is used.
  var needs: [String: [String]] = [:]
}

extension ManifestForm {
  private static let id = "^[a-z0-9][a-z0-9-]{0,63}$"
  private static let size = "^[0-9.]+ *(kB|KiB|MB|MiB|GB|GiB)$"

  static let checks = ManifestForm(keys: [
    Key("min-edges", .integer(0...Int.max), "the least number of edges"),
    Key(
      "elevation-coverage", .number(maximum: 1),
      "the least share of nodes with an elevation, from 0 to 1"),
    Key(
      "max-drift", .number(),
      "the share by which counts, lengths and costs may differ from what is published"),
  ])

  static let source = ManifestForm(
    keys: [
      Key("pbf", .text(), "a file in the PBF format, .osm.pbf"),
      Key("overpass", .text(), "a file of OSM or Overpass XML, plain or gzip"),
      Key(
        "url", .text(pattern: "^(https?|file)://[!-~]+$"),
        "where a file is downloaded from, once; requires its sha256"),
      Key("sha256", .text(pattern: "^[0-9A-Fa-f]{64}$"), "the digest of the file at the url"),
      Key(
        "format", .choice(Manifest.Source.Format.allCases.map(\.rawValue)),
        "the format of the data at the url, if its name does not say"),
      Key("max-size", .text(pattern: size), "the most that is downloaded (default 200 GB)"),
    ], alternatives: [["pbf"], ["overpass"], ["url"]],
    needs: ["url": ["sha256"], "sha256": ["url"], "format": ["url"], "max-size": ["url"]])

  static let tiles = ManifestForm(keys: [
    Key("hgt", .text(), required: true, "a folder of HGT tiles, which may be .gz or .zip")
  ])

  static let elevation = ManifestForm(keys: [
    Key(
      "sources", .list(.mapping(tiles), atLeast: 1), required: true,
      "where elevations come from, in order of preference"),
    Key(
      "smoothing-metres", .number(),
      "the distance to either side over which elevations are averaged; 0 for none"),
    Key("threshold-metres", .number(), "the least rise or fall that counts; 0 for all"),
    Key("step-metres", .number(), "the longest distance between two samples"),
  ])

  private static let date = Key(
    "date", .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    "the day for which seasonal and conditional access is evaluated (default: that of the data)")
  private static let profileList = Key(
    "profiles", .list(.text(), atLeast: 1),
    "the profiles of the database, instead of those of the manifest")
  static let variant = ManifestForm(keys: [
    Key("name", .text(pattern: id), required: true, "its name in that of the database"),
    Key("profiles", .list(.text(), atLeast: 1), required: true, "its profiles"),
  ])
  private static let variants = Key(
    "variants", .list(.mapping(variant)),
    "further databases in the bundle, ID.NAME.routing.db, each with profiles of its own")
  private static let islands = Key(
    "island-threshold-km", .number(),
    "the total length below which a disconnected part counts as an island")

  static let region = ManifestForm(
    keys: [
      Key("id", .text(pattern: id), required: true, "its name in paths"),
      Key("name", .text(), required: true, "its display name"),
      Key("source", .text(), "the name of its source (default: the one in defaults)"),
      Key(
        "bbox", .list(.number(), atLeast: 4, atMost: 4),
        "west, south, east, north in degrees; where west is greater than east, it crosses the "
          + "antimeridian"),
      Key("polygon", .text(), "a GeoJSON or .poly file; the region is all its areas"),
      profileList,
      variants,
      date,
      Key("checks", .mapping(checks), "its checks, which override those in defaults"),
      islands,
    ], alternatives: [["bbox"], ["polygon"]])

  static let regionsFrom = ManifestForm(keys: [
    Key("file", .text(), required: true, "a GeoJSON FeatureCollection; each feature is a region"),
    Key("id", .text(), "the property with a region's id (default id)"),
    Key("name", .text(), "the property with its name (default name)"),
    Key("source", .text(), "the name of their source (default: the one in defaults)"),
    profileList,
    variants,
    date,
    Key("checks", .mapping(checks), "their checks, which override those in defaults"),
    islands,
  ])

  static let stage = ManifestForm(keys: [
    Key("name", .text(pattern: id), required: true, "its name in messages and folders"),
    Key(
      "command", .list(.text(), atLeast: 1), required: true,
      "a program and its arguments, with {\(Manifest.CustomStage.placeholders.joined(separator: "}, {"))} "
        + "and the names of inputs; write {{ for a brace"),
    Key(
      "after", .text(), required: true,
      "the stage whose result is {input}: one of "
        + (Stage.processNames.filter { $0 != "fetch" }).joined(separator: ", ")
        + " or one listed before it"),
    Key(
      "inputs", .table(.text(), keys: id), "further files that it reads, by names of your choice"),
    Key(
      "outputs", .list(.text(), atLeast: 1), required: true,
      "names of the files that it writes and that are added to the bundle; {region} is the id"),
  ])

  static let resources = ManifestForm(keys: [
    Key("threads", .integer(1...256), "worker threads"),
    Key("memory", .text(pattern: size), "memory reserved for it, such as 2 GiB"),
    Key(
      "time", .text(pattern: "^[0-9.]+ *(s|min|h|d)$"),
      "how long it may run before it is stopped, such as 30 min"),
  ])

  static let defaults = ManifestForm(keys: [
    Key("source", .text(), "the source of regions that do not name one"),
    profileList,
    variants,
    date,
    Key("checks", .mapping(checks), "the checks that a region must pass to be published"),
    islands,
  ])

  /// The whole manifest.
  static let manifest = ManifestForm(
    keys: [
      Key("cairn", .integer(Manifest.version...Manifest.version), required: true, "the version"),
      Key("name", .text(), required: true, "the name of the set of regions"),
      Key("output", .text(), required: true, "the folder for the bundles"),
      Key(
        "sources", .table(.mapping(source)), required: true,
        "where OpenStreetMap data comes from, by names of your choice"),
      Key(
        "elevation",
        .either([
          .list(.mapping(tiles), atLeast: 1), .mapping(elevation), .choice(["none"]),
        ]),
        "where elevations come from, in order of preference, or a mapping that also says how they "
          + "are cleaned, or none"),
      Key(
        "profiles", .list(.text(), atLeast: 1),
        "cost profiles: \(CostProfile.builtIn.map(\.name).joined(separator: ", ")) or paths "
          + "of profile files; the first one fills the database's own cost columns (default: "
          + "\(CostProfile.defaults.map(\.name).joined(separator: " and ")))"),
      Key("defaults", .mapping(defaults), "the values for regions that do not set their own"),
      Key("regions", .list(.mapping(region)), "the regions, one bundle each"),
      Key(
        "regions-from", .either([.text(), .mapping(regionsFrom)]),
        "further regions: the features of a GeoJSON file"),
      Key(
        "waypoints", .boolean,
        "whether bundles have peaks, huts, springs and the like as waypoints (default true)"),
      Key(
        "search", .boolean, "whether bundles have the database for offline search (default true)"),
      Key("stages", .list(.mapping(stage)), "stages of your own, done for each region"),
      Key(
        "resources", .table(.mapping(resources)),
        "what stages may use, by their names; \(Manifest.anyStage) is for all others"),
      Key(
        "retries", .integer(0...10),
        "how often a stage that failed for a temporary reason is run again (default "
          + "\(Manifest.defaultRetries))"),
    ], alternatives: [["regions"], ["regions-from"]], isOne: false)
}

extension ManifestForm {
  /// The JSON Schema (draft 2020-12) of manifests, for editors.
  static var schema: JSONValue {
    guard case .object(var schema) = manifest.json else { return .null }
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Cairn manifest"
    schema["description"] = "What cairn run makes: regions, and the data and rules for them"
    return .object(schema)
  }

  private var json: JSONValue {
    var object: [String: JSONValue] = [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.json) })),
    ]
    let required = keys.filter(\.isRequired).map { JSONValue.text($0.name) }
    if !required.isEmpty { object["required"] = .list(required) }
    if !alternatives.isEmpty {
      object[isOne ? "oneOf" : "anyOf"] = .list(
        alternatives.map { .object(["required": .list($0.map { .text($0) })]) })
    }
    if !needs.isEmpty {
      object["dependentRequired"] = .object(needs.mapValues { .list($0.map { .text($0) }) })
    }
    return .object(object)
  }
}

extension ManifestForm.Key {
  fileprivate var json: JSONValue {
    guard case .object(var object) = value.json else { return .null }
    object["description"] = .text(help)
    return .object(object)
  }
}

extension ManifestForm.Value {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let pattern):
      var object: [String: JSONValue] = ["type": "string", "minLength": 1]
      if let pattern { object["pattern"] = .text(pattern) }
      return .object(object)
    case .boolean: return .object(["type": "boolean"])
    case .integer(let range):
      var object: [String: JSONValue] = ["type": "integer", "minimum": .integer(range.lowerBound)]
      if range.upperBound < Int.max { object["maximum"] = .integer(range.upperBound) }
      return .object(object)
    case .number(let maximum):
      guard let maximum else { return .object(["type": "number"]) }
      return .object(["type": "number", "minimum": 0, "maximum": .number(maximum)])
    case .choice(let words):
      return .object(["type": "string", "enum": .list(words.map { .text($0) })])
    case .list(let value, let least, let most):
      var object: [String: JSONValue] = ["type": "array", "items": value.json]
      if least > 0 { object["minItems"] = .integer(least) }
      if let most { object["maxItems"] = .integer(most) }
      return .object(object)
    case .mapping(let form):
      return form.json
    case .table(let value, let keys):
      var object: [String: JSONValue] = ["type": "object", "additionalProperties": value.json]
      if let keys { object["propertyNames"] = .object(["pattern": .text(keys)]) }
      return .object(object)
    case .either(let values):
      return .object(["anyOf": .list(values.map(\.json))])
    }
  }
}
