// SPDX-License-Identifier: Apache-2.0

/// Lets only one thread at a time work with a key.
package final class KeyedLock<Key: Hashable & Sendable>: Sendable {
  private let keysInUse = Monitor<Set<Key>>([])

  package init() {}

  /// Waits until no thread uses any of the keys and takes all of them at once, so that two threads
  /// cannot wait for each other.
  package func withLock<Result>(_ keys: Set<Key>, _ body: () throws -> Result) rethrows -> Result {
    keysInUse.wait { inUse -> Void? in
      guard inUse.isDisjoint(with: keys) else { return nil }
      inUse.formUnion(keys)
      return ()
    }
    defer { keysInUse.access { $0.subtract(keys) } }
    return try body()
  }
}
