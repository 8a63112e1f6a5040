// SPDX-License-Identifier: Apache-2.0

/// What is new on a server, and what it costs.
public struct UpdatePlan: Sendable {
  /// What becomes of a region.
  public enum Kind: Hashable, Sendable {
    /// It is on the server and not installed.
    case available
    /// The server has another version than the one that is installed.
    case changed
    /// It is as on the server.
    case current
    /// It is installed, and the server does not have it any more. It stays.
    case left
  }

  /// How a file of a bundle is got.
  enum Source: Hashable, Sendable {
    /// It is there.
    case installed
    /// From the installed file and a delta, or where that fails as a whole.
    case delta(DeltaRecord)
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
    /// What becomes of it.
    public var kind: Kind
    /// The region in the index; nil if it left that.
    public var entry: IndexRecord.Region?
    /// How many bytes are to be downloaded at most, if every delta can be applied.
    public var bytes = 0
    /// How many bytes the files have that are to be written.
    public var wholeBytes = 0
    /// How many bytes of the disk are taken until the update is done.
    public var diskBytes = 0
    var steps: [Step] = []
  }

  /// The index that was found.
  public var index: IndexRecord
  /// The regions of the index in its order, and then those that left it.
  public var regions: [Region]

  /// The regions that are installed and have changed.
  public var changed: [Region] { regions.filter { $0.kind == .changed } }
}
