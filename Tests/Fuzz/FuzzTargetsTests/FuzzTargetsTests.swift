// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The files below a folder of `Tests/Fuzz`, by their paths there.
private func inputs(_ folder: String) -> [String] {
  let root = packageRoot + "/Tests/Fuzz/" + folder
  let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
  return names.filter { name in
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
    return exists && !isFolder.boolValue && name != "README.md"
  }.sorted()
}

@Suite("Fuzz targets")
struct FuzzTargetsTests {
  private func replay(_ target: FuzzTarget, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try target.check($0) }
  }

  @Test(
    "an input that once broke a reader ends in success or in an error of ours",
    arguments: inputs("Regressions"))
  func regressions(name: String) throws {
    let target = try #require(
      FuzzTarget.all.first { name.hasPrefix($0.name + "-") }, "it is named after no target")
    try replay(target, try bytesOfFile(packageRoot + "/Tests/Fuzz/Regressions/" + name))
  }

  @Test("a seed is read or refused with an error of ours", arguments: inputs("Seeds"))
  func seeds(name: String) throws {
    let folder = name.prefix { $0 != "/" }
    let target = try #require(FuzzTarget.named(String(folder)), "no target has this folder")
    let bytes = try bytesOfFile(packageRoot + "/Tests/Fuzz/Seeds/" + name)
    try replay(target, bytes)
    // Cut off anywhere, it is just a shorter input.
    for share in 1..<8 { try replay(target, Array(bytes.prefix(bytes.count * share / 8))) }
  }

  @Test(
    "a target survives its computed seeds, changed ones and no bytes at all",
    arguments: FuzzTarget.all.map(\.name))
  func computedSeeds(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    try replay(target, [])
    for seed in try target.seeds() {
      try replay(target, seed)
      var random = SeededGenerator(seed: 1)
      for _ in 0..<20 {
        var bytes = seed
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
        try replay(target, bytes)
      }
    }
  }

  @Test("each target has seeds: computed ones, a folder, or some that seeds.py makes")
  func seedsOfAll() throws {
    let folders = Set(inputs("Seeds").map { $0.prefix { $0 != "/" } })
    let script = try String(contentsOfFile: packageRoot + "/Tests/Fuzz/seeds.py", encoding: .utf8)
    for target in FuzzTarget.all where !folders.contains(target.name[...]) {
      #expect(
        try !target.seeds().isEmpty || script.contains("\"\(target.name)\""), "\(target.name)")
    }
  }

  @Test("names are words that no other name begins with")
  func names() {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(!names.contains { $0.hasPrefix(name + "-") })
      #expect(name.allSatisfy { $0.isLetter && $0.isLowercase })
    }
  }
}
