// SPDX-License-Identifier: Apache-2.0
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
    let key: ActionKey
    private let words: [String?]

    fileprivate init(key: ActionKey, words: [String?]) {
      self.key = key
      self.words = words
    }

    /// The stage's own arguments, with a path for its output.
    func arguments(output: String) -> [String] { words.map { $0 ?? output } }
  }

  /// - Parameter product: The finished action of a number.
  func resolve(
    _ action: Action, executable: String, product: (Int) throws -> FinishedAction
  ) throws -> Resolved {
    var words: [String?] = []
    var symbols: [String] = []
    var inputs: [ActionKey.Component] = []
    func addInput(_ role: String, path: String, digest: String) {
      words.append(path)
      symbols.append("@\(inputs.count)")
      inputs.append(.init(name: role, value: digest))
    }
    for argument in action.arguments {
      switch argument {
      case .word(let word):
        words.append(word)
        // An argument that begins with @ must not pass for a symbol.
        symbols.append(word.hasPrefix("@") ? "@" + word : word)
      case .file(let path, let role):
        addInput(role, path: path, digest: try digests.digest(ofFile: path))
      case .tiles(let path, let role):
        addInput(role, path: path, digest: try digests.digest(ofTiles: path))
      case .product(let number):
        let input = try product(number)
        addInput("input", path: input.product, digest: input.record.sha256)
      case .output:
        words.append(nil)
        symbols.append("@output")
      }
    }
    var components: [ActionKey.Component] = [
      .init(name: "stage", value: "\(action.stage.rawValue) \(action.stage.formatVersion)"),
      .init(
        name: "executable", value: try digests.identity(ofExecutable: executor.path(of: executable))
      ),
      .init(name: "arguments", value: symbols.joined(separator: "\n")),
    ]
    if let sourceDateEpoch {
      components.append(.init(name: "SOURCE_DATE_EPOCH", value: sourceDateEpoch))
    }
    return Resolved(key: try ActionKey(components + inputs), words: words)
  }
}
