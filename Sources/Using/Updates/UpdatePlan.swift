// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The new versions on a server, and the cost of installing them.
public struct UpdatePlan: Sendable {
  /// The state of a region.
  public enum Kind: Hashable, Sendable {
    /// On the server, not installed.
    case available
    /// Installed, and the server has another version, or files are damaged or missing.
    case changed
    /// Installed, as on the server. See ``RegionUpdater/verifies``.
    case current
    /// Installed, but no longer on the server. It stays.
    case left
  }

  /// How a file of a bundle is got.
  enum Source: Hashable, Sendable {
    /// Already installed.
    case installed
    /// From the installed file and a delta, or whole if that fails.
    // Apart from the others, since a plan has a step for each file of the index.
    indirect case delta(DeltaRecord)
    /// As a whole.
    case whole
  }

  struct Step: Hashable, Sendable {
    var name: String
    var file: FileRecord
    var source: Source
  }

  /// A region.
  public struct Region: Sendable, Identifiable {
    /// Its id, the name of its folder.
    public var id: String
    /// Its name.
    public var name: String
    /// Its state.
    public var kind: Kind
    /// The region in the index; nil if it left that.
    public var entry: IndexRecord.Region?
    /// The installed files, or `bundle.json`, that are damaged or missing, in alphabetical order; an
    /// update fetches them again.
    public var damaged: [String] = []
    /// The most bytes to download, if every delta can be applied.
    public var bytes = 0
    /// The size of the files to write, in bytes.
    public var wholeBytes = 0
    /// The disk space, in bytes, taken until the update is done.
    public var diskBytes = 0
    var steps: [Step] = []
  }

  /// The index that was found.
  public var index: IndexRecord
  /// The regions of the index in its order, then those no longer in it.
  public var regions: [Region]
  /// Where an updater that was interrupted before had files that are not of a bundle: they were
  /// moved to these folders now.
  public var kept: [URL] = []
  /// The number of an index seen before, if this one is not newer; only without a key, where the
  /// number shows nothing.
  public var olderThan: Int?

  /// The installed regions that have changed or are damaged.
  public var changed: [Region] { regions.filter { $0.kind == .changed } }
}
