// SPDX-License-Identifier: Apache-2.0

/// Cairn's own folder in an output folder, by paths from there.
package enum StoreFolder {
  /// The folder.
  package static let name = ".cairn"
  /// Where bundles, and the next index, are made before they are published.
  package static let staging = "\(name)/staging"
  /// The folders of elevation tiles that are downloaded for regions.
  package static let tiles = "\(name)/tiles"
}
