// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// Files of changes by their paths.
package enum ChangeFolder {
  private static let endings = [".osc", ".osc.gz"]
  /// What other programs append to the name of a file that they compress.
  private static let otherCompressions = [
    "7z", "br", "bz2", "lz", "lz4", "lzma", "lzo", "rar", "xz", "z", "zip", "zst", "zstd",
  ]
  /// Replication servers have two levels of folders.
  private static let maximumDepth = 4
  /// The most files of one folder: years of daily changes.
  private static let maximumFiles = 10_000

  /// The change files at a path, in the order of application: the path itself, or all files in that
  /// folder and its subfolders that end in `.osc` or `.osc.gz`, in upper or lower case, sorted by
  /// path with numbers in numerical order.
  ///
  /// Throws 66 if the path does not exist, 65 for too many files, for one in another compression, and
  /// if one of consecutive numbers is missing, such as `000/004/124.osc.gz` between 123 and 125.
  package static func files(at path: String) throws(CairnError) -> [String] {
    guard folderExists(path) else { return [path] }
    var found: [String] = []
    try collect(path, "", depth: 0, &found)
    let sorted = found.map { (name: $0, key: numberedParts($0)) }
      .sorted { isBefore($0.key, $1.key) }.map(\.name)
    try checkSequence(sorted, path)
    return sorted.map { joinPath(path, $0) }
  }

  private static func collect(
    _ root: String, _ prefix: String, depth: Int, _ found: inout [String]
  ) throws(CairnError) {
    for name in try folderContents(joinPath(root, prefix)) where !name.hasPrefix(".") {
      let lower = name.lowercased()
      let inner = prefix.isEmpty ? name : "\(prefix)/\(name)"
      if folderExists(joinPath(root, inner)) {
        if depth < maximumDepth { try collect(root, inner, depth: depth + 1, &found) }
      } else if endings.contains(where: lower.hasSuffix) {
        found.append(inner)
      } else if otherCompressions.contains(where: { lower.hasSuffix(".osc.\($0)") }) {
        throw CairnError(
          .wrongFileKind, .dataError, "is a change file in a compression that is not read",
          at: Location(file: joinPath(root, inner)),
          hint: "replace it by the uncompressed .osc, or by .osc.gz")
      }
      guard found.count <= maximumFiles else {
        throw CairnError(
          .tooManyObjects, .dataError, "has more than \(maximumFiles) change files",
          at: Location(file: root), hint: "use a newer extract and the changes since then")
      }
    }
  }

  /// A part of a path: digits, or what is between them.
  private enum Part: Equatable {
    case number(Substring)
    case text(Substring)
  }

  private static func numberedParts(_ path: String) -> [Part] {
    var parts: [Part] = []
    var rest = path[...]
    while let first = rest.first {
      let isNumber = first.isASCII && first.isNumber
      let part = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
      parts.append(isNumber ? .number(part) : .text(part))
      rest = rest[part.endIndex...]
    }
    return parts
  }

  private static func isBefore(_ left: [Part], _ right: [Part]) -> Bool {
    for (left, right) in zip(left, right) where left != right {
      switch (left, right) {
      case (.number(let left), .number(let right)):
        let (a, b) = (left.drop { $0 == "0" }, right.drop { $0 == "0" })
        if a.count != b.count { return a.count < b.count }
        if a != b { return a < b }
        if left.count != right.count { return left.count < right.count }
      case (.number, .text): return true
      case (.text, .number): return false
      case (.text(let left), .text(let right)):
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      }
    }
    return left.count < right.count
  }

  /// Throws 65 where files that are named as replication servers do, `AAA/BBB/CCC`, have a gap.
  private static func checkSequence(_ names: [String], _ folder: String) throws(CairnError) {
    var last: (number: Int, name: String)?
    for name in names {
      guard let number = sequenceNumber(name) else { continue }
      if let last, number != last.number + 1, number != last.number {
        throw CairnError(
          "missing-changes", .dataError,
          "has changes \(last.name) and \(name), but nothing in between",
          at: Location(file: folder), hint: "fetch the missing files, or use a newer extract")
      }
      last = (number, name)
    }
  }

  /// The number of `000/004/123.osc.gz`; nil for other names.
  static func sequenceNumber(_ name: String) -> Int? {
    let parts = name.split(separator: "/")
    guard parts.count == 3, let file = parts.last else { return nil }
    let digits = parts.dropLast().map { $0 } + [file.prefix { $0 != "." }]
    guard digits.allSatisfy({ $0.utf8.count == 3 && $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
      return nil
    }
    return Int(digits.joined())
  }
}
