// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RoutingStore {
  /// Makes a store for a file, without opening the database.
  public convenience init(url: URL) { self.init(path: url.path) }
}
