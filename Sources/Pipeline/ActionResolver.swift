// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import SystemIO

/// Finds out what an action depends on, once the actions before it are done.
struct ActionResolver: Sendable {
  let executor: LocalExecutor
  let digests: DigestCache
  /// The value of SOURCE_DATE_EPOCH, which the stages inherit and may write into their output.
  let sourceDateEpoch: String?

  /// An action's key and its command line.
  struct Resolved: Sendable {
    fileprivate enum Word: Sendable {
      case text(String)
      /// What `--region` takes.
      case region(String)
      case output
    }

    let key: ActionKey
    fileprivate let words: [Word]

    /// The stage's own arguments, with a path for its output.
    func arguments(output: String) -> [String] { Self.arguments([self], output: output) }

    /// The arguments of a stage that does several actions at once, which differ in nothing but
    /// their regions.
    static func arguments(_ actions: [Resolved], output: String) -> [String] {
      guard let first = actions.first else { return [] }
      return first.words.enumerated().flatMap { place, word -> [String] in
        switch word {
        case .text(let text): [text]
        case .output: [output]
        case .region:
          actions.flatMap { action -> [String] in
            guard case .region(let region) = action.words[place] else { return [] }
            return ["--region", region]
          }
        }
      }
    }
  }

  /// - Parameter product: The finished action of a number.
  func resolve(_ action: Action, product: (Int) throws -> FinishedAction) throws -> Resolved {
    var words: [Resolved.Word] = []
    var symbols: [String] = []
    var inputs: [ActionKey.Component] = []
    func addInput(_ role: String, _ word: Resolved.Word, digest: String) {
      words.append(word)
      symbols.append("@\(inputs.count)")
      inputs.append(.init(name: role, value: digest))
    }
    for argument in action.arguments {
      switch argument {
      case .word(let word):
        words.append(.text(word))
        // An argument that begins with @ must not pass for a symbol.
        symbols.append(word.hasPrefix("@") ? "@" + word : word)
      case .file(let path, let role):
        addInput(role, .text(path), digest: try digests.digest(ofFile: path))
      case .profile(let path, let role):
        addInput(role, .text(path), digest: try CostProfile(file: path).fingerprint())
      case .tiles(let path, let role):
        addInput(role, .text(path), digest: try digests.digest(ofTiles: path))
      case .product(let number):
        let input = try product(number)
        addInput("input", .text(input.product), digest: input.record.sha256)
      case .region(let id, .box(let box)):
        words.append(.region("\(id)=\(box)"))
        symbols += ["--bbox", box.description]
      case .region(let id, .polygon(let path)):
        symbols.append("--polygon")
        addInput("polygon", .region("\(id)=\(path)"), digest: try digests.digest(ofFile: path))
      case .output:
        words.append(.output)
        symbols.append("@output")
      }
    }
    let executable = executor.path(of: action.stage.executable ?? action.stage.rawValue)
    var components: [ActionKey.Component] = [
      .init(name: "stage", value: "\(action.stage.rawValue) \(action.stage.formatVersion)"),
      .init(name: "executable", value: try digests.identity(ofExecutable: executable)),
      .init(name: "arguments", value: symbols.joined(separator: "\n")),
    ]
    if let sourceDateEpoch {
      components.append(.init(name: "SOURCE_DATE_EPOCH", value: sourceDateEpoch))
    }
    return Resolved(key: try ActionKey(components + inputs), words: words)
  }
}
