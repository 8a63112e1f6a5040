// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import FoundationEssentials
import Manifests
import ResultStore

extension ActionKey {
  /// The changes since an action with the components `earlier` ran, in words of the manifest.
  ///
  /// - Parameter plan: The plan of the action, which has the names of the stages before it.
  package func changes(since earlier: [Component], of action: Action, in plan: Plan? = nil)
    -> [Change]
  {
    if earlier == components { return changes(since: earlier) }
    let (old, new) = (KeySettings(earlier, action.stage), KeySettings(components, action.stage))
    let settings = new.changes(since: old)
    var isCairns = old.rest != new.rest
    var others: [Change] = []
    for var change in changes(since: earlier) {
      switch change.name {
      case Self.stagePart, Self.executablePart: isCairns = true
      case Self.argumentsPart: break
      case Self.outputsPart, Self.datePart:
        change.isInWords = true
        change.old = change.old?.replacing("\n", with: ", ")
        change.new = change.new?.replacing("\n", with: ", ")
        others.append(change)
      default:
        // A new or a former input is in the settings; so is the origin of the ways.
        guard change.old != nil, change.new != nil,
          !(change.name == Plan.inputRole && settings.contains { $0.name == KeySettings.elevation })
        else { continue }
        change.name = Self.words(change.name, action, plan)
        others.append(change)
      }
    }
    let all = settings + others
    guard isCairns || all.isEmpty else { return all }
    return all + [Change(name: "Cairn itself (stage \(action.stage.rawValue))", old: "", new: "")]
  }

  /// The name of an input for a user.
  private static func words(_ role: String, _ action: Action, _ plan: Plan?) -> String {
    let parts = role.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count) {
    case (Plan.inputRole, 1), (Plan.trailsRole, 1):
      let index = action.arguments.lazy.compactMap { $0.product(role: role) }.first
      let stage = index.flatMap { plan?.actions[$0].stage.rawValue }
      return stage.map { "the result of \($0)" } ?? "the result of the stage before"
    case ("elevation", 3) where parts[1] != "folder":
      return "tile \(parts[2]) of elevation source \(parts[1])"
    case ("next", 2): return "tile \(parts[1]) of the next elevation source"
    default: return role
    }
  }
}

extension [ActionKey.Change] {
  /// All changes on one line.
  package var text: String { map(\.description).joined(separator: "; ") }
}

extension Argument {
  /// The index of the action whose result this is under a role.
  fileprivate func product(role: String) -> Int? {
    switch self {
    case .product(let index, role): index
    case .joined(let parts): parts.lazy.compactMap { $0.product(role: role) }.first
    default: nil
    }
  }
}

/// What the arguments in a key say, by the key of the manifest that says so.
private struct KeySettings {
  static let elevation = "elevation"

  /// The keys of the manifest for the options of Cairn's stages.
  private static let names = [
    "--attribution": "attribution", "--bbox": "bbox", "--changes": "changes", "--date": "date",
    "--every-tile": "elevation preset", "--format": "format of tiles", "--gdal": "GDAL",
    "--hgt": elevation, "--highways": "routable-highways",
    "--island-threshold": "island-threshold-km", "--polygon": "polygon", "--profile": "profiles",
    "--raster": "rasters", "--region-id": "id", "--region-name": "name",
    "--resolution": "resolution", "--sha256": "sha256", "--smoothing-metres": "smoothing-metres",
    "--step-metres": "step-metres", "--threshold-metres": "threshold-metres",
    "--trails": elevation, "--without-elevation": elevation, "--zooms": "zooms",
  ]
  /// The values of options that have none, or whose value says nothing.
  private static let values = [
    "--every-tile": "yes", "--polygon": "a file", "--trails": "from sample-elevation",
    "--without-elevation": "none",
  ]

  /// The settings, in the order of their options.
  private var names: [String] = []
  private var values: [String: [String]] = [:]
  /// The words with which Cairn calls its stage anyway.
  private(set) var rest: [String] = []
  /// The names of the inputs.
  private let roles: [String]

  init(_ components: [ActionKey.Component], _ stage: Stage) {
    let position = components.firstIndex { $0.name == ActionKey.argumentsPart }
    let text = position.map { components[$0].value } ?? ""
    let inputs = position.map { components[($0 + 1)...] } ?? []
    roles = inputs.map(\.name).filter { $0 != ActionKey.datePart }
    let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if case .custom = stage {
      // The program comes first.
      add("arguments of the command", [words.dropFirst().map(placeholder).joined(separator: " ")])
    } else {
      addOptions(words)
    }
  }

  private mutating func add(_ name: String, _ more: [String]) {
    if values[name] == nil { names.append(name) }
    values[name, default: []] += more
  }

  private mutating func addOptions(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts.first ?? "")
      var value = parts.count > 1 ? String(parts[1]) : nil
      if value == nil, let next = words.first, !next.hasPrefix("--") {
        value = words.popFirst().map(input)
      }
      let role = value ?? ""
      if option == "--input", role.hasPrefix(ActionKey.sourceRole) {
        add("source", [String(role.dropFirst(ActionKey.sourceRole.count))])
      } else if let name = Self.names[option] {
        add(name, [Self.values[option] ?? shown(role)])
      } else {
        rest += [option, role]
      }
    }
  }

  /// The name of an input for its symbol; any other word as it is.
  private func input(_ word: String) -> String {
    guard word.hasPrefix("@"), let number = Int(word.dropFirst()), roles.indices.contains(number)
    else { return word.hasPrefix("@@") ? String(word.dropFirst()) : word }
    return roles[number]
  }

  /// A value without the word that its setting says.
  private func shown(_ value: String) -> String {
    for head in ["profile ", "elevation ", "next "] where value.hasPrefix(head) {
      return String(value.dropFirst(head.count))
    }
    guard value.hasPrefix(ActionKey.changesRole) else { return value }
    return "entry \(value.dropFirst(ActionKey.changesRole.count))"
  }

  /// A word of a custom command as in the manifest.
  private func placeholder(_ word: String) -> String {
    let joined = "@joined "
    if word.hasPrefix(joined),
      let parts = try? JSONDecoder().decode(
        [String].self, from: Data(word.dropFirst(joined.count).utf8))
    {
      return parts.map { placeholder(String($0.drop { $0 != " " }.dropFirst())) }.joined()
    }
    let value = input(word)
    guard word.hasPrefix("@"), !word.hasPrefix("@@") else { return value }
    switch value {
    case "@output", "@output-dir", "@threads": return "{\(value.dropFirst())}"
    case Plan.inputRole, Plan.trailsRole: return "{\(value)}"
    default:
      for head in ["input ", "file "] where value.hasPrefix(head) {
        let name = value.dropFirst(head.count)
        return head == "file " ? String(name) : "{\(name)}"
      }
      return value
    }
  }

  func changes(since earlier: KeySettings) -> [ActionKey.Change] {
    (names + earlier.names.filter { values[$0] == nil }).compactMap { name in
      let (old, new) = (earlier.values[name], values[name])
      guard old != new else { return nil }
      return ActionKey.Change(
        name: name, old: old?.joined(separator: ", "), new: new?.joined(separator: ", "),
        isInWords: true)
    }
  }
}
