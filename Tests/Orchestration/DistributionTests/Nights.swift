// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import Foundation
import Manifests
import Planning
import RunSupport
import SystemIO
import TestSupport

@testable import Distribution

/// A world whose data changes every night, and the tree that is published of it.
struct Nights {
  let world: World
  var tree: String { world.folder.file("tree") }

  init(deltas keep: Int = 3) throws {
    world = try World()
    try world.change("search: false\n", to: "search: false\ndeltas: { keep: \(keep) }\n")
  }

  /// Another night's data is built.
  func build(_ night: Int) throws {
    // The first line is all that the graph of the fake stages takes.
    let words = (0..<2000).map { $0 == 7 * night ? "edited" : "way\($0)" }
    try world.folder.write(words.joined(separator: " ") + "\n", to: "valley.osm.pbf")
    try world.run()
  }

  /// Publishes what is built.
  @discardableResult
  func publish(
    key: [UInt8]? = nil, keep: Int = 7, lifetimeDays: Int? = nil, now: Int64 = 1_700_000_000,
    verifies: Bool = false, followsFuture: Bool = false
  ) throws -> ReleaseTree.Outcome {
    let folder = OutputFolder(try Manifest.load(world.folder.file("m.yaml")))
    let index = try IndexRecord(contentsOf: URL(filePath: world.folder.file("out/index.json")))
    var contents = ReleaseContents(folder)
    let released = try contents.index(index)
    let tree = try ReleaseTree(
      tree, folder.digests, verifies: verifies, followsFuture: followsFuture)
    let outcome = try tree.publish(
      released, from: contents.sources, now: now, lifetimeDays: lifetimeDays, key: key, keep: keep)
    try folder.digests.save()
    return outcome
  }

  /// The files in a folder by their paths.
  func files(_ folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = joinPath(folder, name)
      if isRealFile(path) { files[name] = try bytesOfFile(path) }
    }
    return files
  }
}
