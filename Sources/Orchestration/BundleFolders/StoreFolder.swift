// SPDX-License-Identifier: Apache-2.0

/// Cairn's own folder in an output folder, by paths from there.
package enum StoreFolder {
  /// The folder.
  package static let name = ".cairn"
  /// The folder in which bundles and the next index are made before publishing.
  package static let staging = "\(name)/staging"
  /// The folders of elevation tiles that are downloaded for regions.
  package static let tiles = "\(name)/tiles"
}
