// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension GPXExporter {
  /// Why a file was not written.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file of this name exists and is not a GPX file.
    case occupied(path: String)
    /// The file cannot be written.
    case file(path: String, reason: String)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .occupied(let path): "\(path): exists and is not a GPX file"
      case .file(let path, let reason): "\(path): \(reason)"
      }
    }
  }

  /// The longest name of a file that all common file systems take, in bytes of UTF-8, with its
  /// ending.
  static let longestNameBytes = 200

  /// Writes a file to the temporary folder, for sharing, and returns its URL.
  ///
  /// Slashes, backslashes, colons, spaces and control characters in the name, and dots at its
  /// beginning, become `_`, so that it always names a file in that folder. It ends with `.gpx`. A
  /// GPX file of the same name is replaced atomically. The file is not removed afterwards.
  ///
  /// Throws ``Failure``.
  public static func saveToTemporaryFile(content: String, filename: String) throws(Failure) -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: fileName(filename))
    if FileManager.default.fileExists(atPath: url.path), !isGPX(url) {
      throw .occupied(path: url.path)
    }
    do { try Data(content.utf8).write(to: url, options: .atomic) } catch {
      throw .file(path: url.path, reason: "\(error)")
    }
    return url
  }

  /// A name without characters that have a meaning in a path.
  package static func fileName(_ name: String) -> String {
    let ending = ".gpx"
    var clean = ""
    for scalar in name.unicodeScalars {
      let isReplaced =
        "/\\: ".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control
        || (scalar == "." && clean.allSatisfy { $0 == "_" })
      clean.unicodeScalars.append(isReplaced ? "_" : scalar)
    }
    if clean.lowercased().hasSuffix(ending) { clean.removeLast(ending.count) }
    while clean.utf8.count > longestNameBytes - ending.utf8.count { clean.removeLast() }
    return (clean.isEmpty ? "track" : clean) + ending
  }

  private static func isGPX(_ url: URL) -> Bool {
    // Not mapped: another program may truncate it.
    guard let file = fopen(url.path, "rb") else { return false }
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 1000)
    let count = fread(&head, 1, head.count, file)
    return String(decoding: head.prefix(count), as: UTF8.self).contains("<gpx")
  }
}

extension GPXExporter.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? { "The GPX file cannot be saved." }

  /// The path and why it failed.
  public var failureReason: String? { description }
}
