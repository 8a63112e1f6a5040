// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnUpdates
import Foundation
import Synchronization
import SystemIO

/// What a server does to a file that was asked for, by its path in the tree; what it fails with, if it
/// does.
typealias Fault = @Sendable (_ path: String, _ file: URL) -> UpdateError?

/// A server of a tree on this machine, without a network: it copies, and does what it is told instead.
final class Tree: UpdateTransport {
  let path: String
  /// What is done after a file was copied; by its path in the tree.
  let fault = Mutex<Fault?>(nil)
  let asked = Mutex<[String]>([])

  init(_ path: String) { self.path = path }

  func download(_ path: String, to file: URL, expected: FileRecord?, limit: Int)
    async throws(UpdateError)
  {
    asked.withLock { $0.append(path) }
    let source = URL(filePath: self.path + "/" + path)
    guard let data = try? Data(contentsOf: source) else {
      throw .missing("\(path): not found")
    }
    do { try data.prefix(limit).write(to: file) } catch { throw .notWritten("\(error)") }
    let fault = fault.withLock { $0 }
    if let error = fault?(path, file) { throw error }
  }

  var bytes: Int {
    asked.withLock { $0 }.reduce(0) { $0 + fileSize(joinPath(path, $1)) }
  }
}
