// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import RoutingDatabase

extension RoutingStore {
  /// Opens a database, reads something of it and closes it. Throws 66 and 65 where it cannot be read
  /// or used.
  package static func reading<Content>(
    _ path: String, _ body: (RoutingStore) throws(RoutingError) -> Content
  ) throws(CairnError) -> Content {
    let store = RoutingStore(path: path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      return try body(store)
    } catch { throw error.ofCommand(at: path) }
  }
}
