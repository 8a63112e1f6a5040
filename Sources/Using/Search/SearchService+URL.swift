// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SearchService {
  /// Opens a database; see ``init(path:)``.
  public convenience init(url: URL) throws(SearchError) { try self.init(path: url.path) }
}
