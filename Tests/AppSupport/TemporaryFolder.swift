// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A new empty folder that is removed, with all it holds, when the object goes.
///
/// Keep the object in a variable that lives as long as the files are needed.
package final class TemporaryFolder: Sendable {
  /// The absolute path.
  package let path: String

  /// Makes the folder under the system's temporary folder.
  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cairn-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private static let left = Mutex<[String]>([])
  private static let removal: Void = {
    atexit { TemporaryFolder.left.withLock { $0.forEach(TemporaryFolder.remove) } }
  }()

  /// Makes a folder that is removed when the process ends, for what many tests read.
  package static func untilExit() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    left.withLock { $0.append(folder.path) }
    removal
    return folder
  }

  private static func remove(_ path: String) {
    // A test may have taken away the right to change the folder.
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  deinit { Self.remove(path) }

  /// The path of `name` in the folder, whether something is there or not.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, replacing one of the same name, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    // Some file systems wait for the disk when a file is emptied and written again.
    unlink(file(name))
    // Data.write(to:) waits until the disk has the bytes, which no test needs.
    guard let stream = fopen(file(name), "wb") else { throw TestFailure("cannot write \(name)") }
    let written = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, written == bytes.count else {
      throw TestFailure("cannot write \(name)")
    }
    return file(name)
  }

  /// Writes a text file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// The content of a file of the folder.
  package func read(_ name: String) throws -> [UInt8] { try bytesOfFile(file(name)) }

  /// The names in the folder, hidden ones included, sorted.
  package var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The content of a file.
package func bytesOfFile(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}
