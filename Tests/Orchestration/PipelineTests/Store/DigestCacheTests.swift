// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Digests of files that change while they are read")
struct DigestCacheTests {
  private let folder: TemporaryFolder
  private let cache: DigestCache
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    cache = DigestCache(folder.file("digests.json"))
    path = try folder.write("content", to: "base.mbtiles")
  }

  @Test("a file that another run links into its bundle meanwhile is read again")
  func links() throws {
    var readings = 0
    let digest = try cache.digest(ofFile: path) { path in
      readings += 1
      if readings <= 2 { #expect(link(path, folder.file("link\(readings)")) == 0) }
      return try SHA256Digest.ofFile(path)
    }
    #expect(try digest == SHA256Digest.ofFile(path))
    #expect(readings == 3)
  }

  @Test("a file that never comes to rest is told as such")
  func restless() throws {
    var readings = 0
    let error = #expect(throws: CairnError.self) {
      try cache.digest(ofFile: path) { path in
        readings += 1
        #expect(link(path, folder.file("link\(readings)")) == 0)
        return "any"
      }
    }
    #expect(error?.message == "changes while it is read")
    #expect(readings == 10)
  }

  @Test("a file that is written meanwhile is told at once, and its digest is not kept")
  func writing() throws {
    var readings = 0
    let error = #expect(throws: CairnError.self) {
      try cache.digest(ofFile: path) { path in
        readings += 1
        try folder.write("content, longer", to: "base.mbtiles")
        return "any"
      }
    }
    #expect(error?.message == "changes while it is read")
    #expect(readings == 1)
    #expect(try cache.digest(ofFile: path) == SHA256Digest.ofFile(path))
  }
}
