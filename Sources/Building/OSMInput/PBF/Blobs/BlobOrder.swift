// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// The kinds of objects in a blob.
struct ObjectKinds: OptionSet, Sendable {
  let rawValue: UInt8

  static let nodes = ObjectKinds(rawValue: 1)
  static let ways = ObjectKinds(rawValue: 2)
  static let relations = ObjectKinds(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The kind of the objects in a field of a group.
  @inline(__always)
  init(groupField number: Int) {
    switch number {
    case 1, 2: self = .nodes
    case 3: self = .ways
    case 4: self = .relations
    default: self = []
    }
  }
}

/// The starts of ways and relations in a file with nodes, ways and relations in this order.
struct BlobOrder: Equatable {
  /// The first blob that contains ways or relations.
  var firstWays: Int
  /// The first blob that contains relations.
  var firstRelations: Int

  /// No known order: any blob may contain any objects.
  static let unknown = BlobOrder(firstWays: 0, firstRelations: 0)

  private init(firstWays: Int, firstRelations: Int) {
    self.firstWays = firstWays
    self.firstRelations = firstRelations
  }

  /// Finds the first blobs by binary search. The result is meaningless for a file in another order.
  /// Adds the contents of the blobs looked into to those that `scan` knows.
  init(_ scan: inout BlobScan) throws(CairnError) {
    var probe = BlobProbe(scan)
    let blobs = scan.index.data.count
    firstWays = try probe.first(in: 0..<blobs, with: [.ways, .relations])
    firstRelations = try probe.first(in: firstWays..<blobs, with: .relations)
    scan.known = probe.contents
  }
}

/// Determines the contents of single blobs.
private struct BlobProbe: ~Copyable {
  private let index: BlobIndex
  private var reader: BlobReader
  private var block = PrimitiveBlock()
  private var known: [Int: ObjectKinds] = [:]
  /// The contents of the first of them, so that they are not decompressed again. In a small file
  /// they are a good part of the whole.
  private(set) var contents: [Int: [UInt8]] = [:]
  private var keptBytes = 0
  private static let maximumKeptBytes = 1 << 23

  init(_ scan: BlobScan) {
    index = scan.index
    reader = BlobReader(scan.file)
  }

  /// The first blob in a range that contains any of some kinds, provided that all later ones do.
  mutating func first(in range: Range<Int>, with kinds: ObjectKinds) throws(CairnError) -> Int {
    try range.partitioningIndex { blob throws(CairnError) in
      try !self.kinds(in: blob).isDisjoint(with: kinds)
    }
  }

  private mutating func kinds(in blob: Int) throws(CairnError) -> ObjectKinds {
    if let known = known[blob] { return known }
    var block = block
    var copy: [UInt8] = []
    let remaining = Self.maximumKeptBytes - keptBytes
    let kinds = try reader.withContent(of: index.data[blob]) { content throws(CairnError) in
      if content.count <= remaining { copy = Array(content) }
      try block.read(content)
      var kinds: ObjectKinds = []
      for group in block.groups {
        var reader = ProtobufReader(group)
        while let field = try reader.nextField() {
          kinds.insert(ObjectKinds(groupField: field.number))
          try reader.skip(field)
        }
      }
      return kinds
    }
    known[blob] = kinds
    if !copy.isEmpty {
      keptBytes += copy.count
      contents[blob] = copy
    }
    return kinds
  }
}

/// The contents of the blobs that have been read so far.
struct KnownBlobs {
  private var kinds: [ObjectKinds?]

  init(_ count: Int) { kinds = Array(repeating: nil, count: count) }

  /// All blobs from one on.
  func all(from first: Int) -> [Int] { Array(first..<kinds.count) }

  /// The blobs from one on that contain objects of a kind, or have not been read yet.
  func blobs(with kind: ObjectKinds, from first: Int) -> [Int] {
    (first..<kinds.count).filter { kinds[$0]?.contains(kind) ?? true }
  }

  /// Records the contents of blobs.
  mutating func add(_ contents: [(blob: Int, kinds: ObjectKinds)]) {
    for entry in contents { kinds[entry.blob] = entry.kinds }
  }

  /// Whether any blob in a range is known to contain objects of some kinds.
  func has(_ searched: ObjectKinds, in blobs: Range<Int>) -> Bool {
    kinds[blobs].contains { !($0?.isDisjoint(with: searched) ?? true) }
  }
}
