// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CostModel
import Manifests
import ResultStore
import SystemIO

/// Determines the inputs of an action once the actions before it are done.
package struct ActionResolver: Sendable {
  package let programs: StagePrograms
  package let digests: DigestCache
  /// The value of SOURCE_DATE_EPOCH, which the stages inherit and may write into their output.
  package let sourceDateEpoch: String?
  /// The shapes of the regions.
  package let shapes: RegionShapes

  package init(
    programs: StagePrograms, digests: DigestCache, sourceDateEpoch: String?, shapes: RegionShapes
  ) {
    self.programs = programs
    self.digests = digests
    self.sourceDateEpoch = sourceDateEpoch
    self.shapes = shapes
  }

  /// An action's key and its command line.
  package struct Resolved: Sendable {
    fileprivate indirect enum Word: Sendable {
      case text(String)
      /// The path of the result of another action.
      case input(String)
      /// The argument of `--region`.
      case region(String)
      case output
      case outputFolder
      case threads
      case joined([Word])
    }

    /// An input of an action that others may change meanwhile, with the digest in its key.
    fileprivate struct ReadFile: Sendable {
      enum Kind: Sendable {
        case file
        case profile
        case changes
        case tiles
        case executable
        /// A file whose digest is not known yet: its state stands for it.
        case unread
      }

      let path: String
      let kind: Kind
      let digest: String
      /// The states of its files: one that is exchanged and put back while a stage reads it has its
      /// digest, but another state.
      let states: [String]
    }

    package let key: ActionKey
    fileprivate let words: [Word]
    fileprivate let files: [ReadFile]
    /// The source whose state stands for its digest in the key.
    fileprivate let unread: DigestCache.Unread?

    /// Whether ``key`` is not yet that of a result: ``ActionResolver/resolve(_:_:read:product:)`` gives
    /// that.
    package var isProvisional: Bool { unread != nil }

    /// The stage's own arguments, with a path for its output.
    ///
    /// - Parameter copies: The copies of results for the program to use instead, by their paths.
    package func arguments(output: String, threads: Int, copies: [String: String] = [:]) -> [String]
    {
      Self.arguments([self], output: output, threads: threads, copies: copies)
    }

    /// The paths of the results of other actions.
    package var inputs: [String] {
      func inputs(_ word: Word) -> [String] {
        switch word {
        case .input(let path): [path]
        case .joined(let words): words.flatMap(inputs)
        default: []
        }
      }
      return words.flatMap(inputs)
    }

    /// The arguments of a stage that does a batch of actions, which differ only in their regions.
    package static func arguments(
      _ actions: [Resolved], output: String, threads: Int, copies: [String: String] = [:]
    ) -> [String] {
      func text(_ word: Word) -> String {
        switch word {
        case .text(let text), .region(let text): text
        case .input(let path): copies[path] ?? path
        case .output: output
        case .outputFolder: splitPath(output).folder
        case .threads: "\(threads)"
        case .joined(let words): words.map(text).joined()
        }
      }
      guard let first = actions.first else { return [] }
      return first.words.enumerated().flatMap { index, word -> [String] in
        guard case .region = word else { return [text(word)] }
        return actions.flatMap { ["--region", text($0.words[index])] }
      }
    }
  }

  /// The inputs on which the arguments of an action depend, collected word by word.
  private struct Reading {
    var symbols: [String] = []
    var inputs: [ActionKey.Component] = []
    var files: [Resolved.ReadFile] = []
    /// Whether the state of a source may stand for its digest.
    var mayReadLate = false
    var unread: DigestCache.Unread?

    /// Adds an input and returns its symbol.
    mutating func add(_ role: String, _ digest: String) -> String {
      inputs.append(.init(name: role, value: digest))
      return "@\(inputs.count - 1)"
    }
  }

  /// - Parameters:
  ///   - readsLate: Whether the digest of a source that is not known yet is left open, since the
  ///     stage will tell it. See ``Resolved/isProvisional``.
  ///   - product: The finished action with an index.
  package func resolve(
    _ action: Action, readsLate: Bool = false, product: (Int) throws -> FinishedAction
  ) throws -> Resolved {
    var reading = Reading(mayReadLate: readsLate)
    var words: [Resolved.Word] = []
    for argument in action.arguments {
      words.append(try word(argument, &reading, product: product))
    }
    var components = [
      ActionKey.Component(
        name: ActionKey.stagePart, value: "\(action.stage.rawValue) \(action.stage.formatVersion)")
    ]
    if let program = action.stage.executable, action.stage.dependsOnProgram {
      let path = programs.path(of: program)
      let states = try states(.executable, path)
      let identity = try digests.identity(ofExecutable: path)
      reading.files.append(.init(path: path, kind: .executable, digest: identity, states: states))
      components.append(.init(name: ActionKey.executablePart, value: identity))
    }
    if case .custom(_, let products) = action.stage {
      components.append(.init(name: ActionKey.outputsPart, value: products.joined(separator: "\n")))
    }
    components.append(
      .init(name: ActionKey.argumentsPart, value: reading.symbols.joined(separator: "\n")))
    if let sourceDateEpoch, action.stage.dependsOnProgram {
      components.append(.init(name: ActionKey.datePart, value: sourceDateEpoch))
    }
    return Resolved(
      key: ActionKey(components + reading.inputs), words: words, files: reading.files,
      unread: reading.unread)
  }

  /// What a provisionally resolved action is, now that its stage has ended and no file has changed.
  ///
  /// - Parameter read: The digest of the source that was read; nil if the stage did not tell it.
  package func resolve(
    _ action: Action, _ resolved: Resolved, read: String?, product: (Int) throws -> FinishedAction
  ) throws -> Resolved {
    if let unread = resolved.unread, let read, SHA256Digest.isDigest(read) {
      digests.record(read, of: unread)
    }
    return try resolve(action, product: product)
  }

  /// The path of a file that has changed since an action was resolved, though it may have its old
  /// content again; nil if none has.
  package func changedFile(_ action: Resolved) -> String? {
    action.files.first {
      (try? states($0.kind, $0.path)) != $0.states || (try? digest($0.kind, $0.path)) != $0.digest
    }?.path
  }

  /// What has changed since an action was resolved that is finished now; nil if nothing has.
  package func change(
    of action: Action, since finished: FinishedAction, product: (Int) throws -> FinishedAction
  ) throws -> String? {
    let resolved = try resolve(action, product: product)
    guard resolved.key.components == finished.components else {
      return resolved.key.changes(since: finished.components, of: action).text
    }
    return changedFile(resolved).map { "\($0) changed" }
  }

  private func digest(_ kind: Resolved.ReadFile.Kind, _ path: String) throws -> String {
    switch kind {
    case .file: try digests.digest(ofFile: path)
    // A comment in the file changes nothing.
    case .profile: try CostProfile(file: path).fingerprint()
    case .changes: try digests.digest(ofChanges: path)
    case .tiles: try digests.digest(ofTiles: path)
    case .executable: try digests.identity(ofExecutable: path)
    case .unread: try digests.state(ofFile: path)
    }
  }

  private func states(_ kind: Resolved.ReadFile.Kind, _ path: String) throws -> [String] {
    switch kind {
    case .file, .profile, .executable, .unread: [try digests.state(ofFile: path)]
    case .changes: try digests.states(ofChanges: path)
    case .tiles: try digests.states(ofTiles: path)
    }
  }

  private func add(
    _ kind: Resolved.ReadFile.Kind, _ path: String, _ role: String, _ reading: inout Reading
  ) throws -> Resolved.Word {
    let states = try states(kind, path)
    let digest = try digest(kind, path)
    reading.files.append(.init(path: path, kind: kind, digest: digest, states: states))
    reading.symbols.append(reading.add(role, digest))
    return .text(path)
  }

  private func word(
    _ argument: Argument, _ reading: inout Reading, product: (Int) throws -> FinishedAction
  ) throws -> Resolved.Word {
    switch argument {
    case .word(let word):
      // An argument that begins with @ must not pass for a symbol.
      reading.symbols.append(word.hasPrefix("@") ? "@" + word : word)
      return .text(word)
    case .uncounted(let word):
      return .text(word)
    case .file(let path, let role):
      if reading.mayReadLate, role.hasPrefix(ActionKey.sourceRole),
        let unread = try digests.unread(path)
      {
        reading.unread = unread
        return try add(.unread, path, role, &reading)
      }
      return try add(.file, path, role, &reading)
    case .profile(let path, let role):
      return try add(.profile, path, role, &reading)
    case .changes(let path, let role):
      return try add(.changes, path, role, &reading)
    case .tiles(let path, let role):
      return try add(.tiles, path, role, &reading)
    case .raster(let files, let role):
      return try raster(files, role, &reading)
    case .product(let index, let role):
      let input = try product(index)
      reading.symbols.append(reading.add(role, input.record.sha256))
      return .input(input.product)
    case .obstacle(let error): throw error
    case .program(let path):
      // The whole file: data may be appended to a program without changing its build id.
      return try add(.file, path, "program", &reading)
    case .region(let id, let shape):
      return try region(id, shape, &reading)
    case .box(let shape):
      let box = try shapes.extent(shape).description
      reading.symbols.append(box)
      return .text(box)
    case .output:
      reading.symbols.append("@output")
      return .output
    case .outputFolder:
      reading.symbols.append("@output-dir")
      return .outputFolder
    case .threads:
      reading.symbols.append("@threads")
      return .threads
    case .joined(let parts):
      // One word: its parts must not be mistaken for separate words.
      var inner = Reading(inputs: reading.inputs, files: reading.files)
      var words: [Resolved.Word] = []
      for part in parts { words.append(try word(part, &inner, product: product)) }
      reading.inputs = inner.inputs
      reading.files = inner.files
      reading.symbols.append("@joined \(inner.symbols.map { "\($0.utf8.count) \($0)" })")
      return .joined(words)
    }
  }

  private func raster(_ files: [String], _ role: String, _ reading: inout Reading) throws
    -> Resolved.Word
  {
    let sum = SHA256Digest()
    for path in files {
      let states = try states(.file, path)
      let digest = try digest(.file, path)
      reading.files.append(.init(path: path, kind: .file, digest: digest, states: states))
      sum.update("\(digest)\n")
    }
    reading.symbols.append(reading.add(role, sum.finish()))
    return .text(files.first ?? "")
  }

  private func region(_ id: String, _ shape: Manifest.Shape, _ reading: inout Reading) throws
    -> Resolved.Word
  {
    switch shape {
    case .box(let box):
      reading.symbols += ["--bbox", box.description]
      return .region("\(id)=\(box)")
    case .polygon(let path):
      try add(path, feature: nil, &reading)
      return .region("\(id)=\(path)")
    case .feature(let path, let number):
      try add(path, feature: number, &reading)
      return .region("\(id)=\(path)#\(number)")
    }
  }

  /// Adds a polygon, whose name is the digest of its corners.
  private func add(_ path: String, feature: Int?, _ reading: inout Reading) throws {
    let name = try shapes.region(path, feature: feature).name ?? ""
    reading.symbols += ["--polygon", reading.add("polygon", name)]
    guard let digest = shapes.digest(ofFile: path) else { return }
    reading.files.append(
      .init(path: path, kind: .file, digest: digest, states: try states(.file, path)))
  }
}
