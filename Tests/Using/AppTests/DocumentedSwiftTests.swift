// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Foundation
import Testing

/// The Swift in documents, checked as an app's compiler sees it: against the built modules, without
/// what is visible only within Cairn's package.
@Suite("Swift in the documents")
struct DocumentedSwiftTests {
  /// README.md, the articles of DocC, and the pages of docs whose Swift is a program: it begins with
  /// its imports.
  private static let documents: [String] = {
    let folder = packageRoot + "/docs"
    let pages = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let sources = packageRoot + "/Sources"
    let articles = (try? FileManager.default.subpathsOfDirectory(atPath: sources)) ?? []
    return ["README.md"]
      + articles.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().map {
        "Sources/" + $0
      }
      + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
      .filter { page in
        let source = (try? swift(in: page)) ?? ""
        return source.hasPrefix("import ") || source.hasPrefix("#if canImport(")
      }
  }()

  /// The blocks of a document, one after the other: later ones use what earlier ones declare.
  private static func swift(in document: String) throws -> String {
    let text = try String(contentsOfFile: "\(packageRoot)/\(document)", encoding: .utf8)
    var lines: [Substring] = []
    var isSwift = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isSwift = line == "```swift"
      } else if isSwift {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func typeCheck(_ source: String) throws -> ProcessResult {
    let compiler = try AppCompiler()
    if source.contains("import CoreLocation") { try compiler.addCoreLocation() }
    if source.contains("CoreHapticsPlayer") { try compiler.addHaptics() }
    if source.contains("CryptoKitCryptography") { try compiler.addCryptoKit() }
    return try compiler.typeCheck(source)
  }

  @Test("the Swift of a document compiles in an app", arguments: documents)
  func documentsCompile(_ document: String) throws {
    let source = try Self.swift(in: document)
    // The README's needs one import and no other.
    if document == "README.md" { #expect(source.hasPrefix("import CairnRouting\n")) }
    let result = try typeCheck(source)
    #expect(result.status == 0, "\(document): \(result.stderr)")
  }

  @Test("an app does not see what only Cairn's tools use")
  func internalsAreHidden() throws {
    let names = [
      "CairnError", "WarningTally", "RoutingDatabaseWriter", "EdgeRow", "SearchEdge",
      "DatabaseStatistics", "RoutingSchema", "Arc", "SpherePoint",
    ]
    let lines = names.enumerated().map { "let value\($0) = \($1).self" }
    let result = try typeCheck("import CairnGuidance\n" + lines.joined(separator: "\n"))
    #expect(result.status != 0)
    for name in names {
      #expect(result.stderr.contains("cannot find '\(name)' in scope"), "\(result.stderr)")
    }
  }
}
