// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnRoutingDatabase

// The format of a hierarchy file, which lies beside the database that it was made from.
//
//   magic        8 bytes, "CAIRNHRY"
//   version      UInt32
//   hierarchies  UInt32, how many there are
//   bytes        UInt64, the size of the file
//   digest       UInt64 of all that follows, see WordDigest
//
// and for each hierarchy, of one profile:
//
//   digest       UInt64, of the graph that it was made from
//   core         UInt32, how many nodes are not contracted; only in version 2
//   nodes, edges, shortcuts, leaving, arriving, name
//                UInt32 each: how many nodes and edges the graph has, how many shortcuts and arcs
//                the hierarchy has, and how many bytes the profile's name has; an empty name
//                stands for the core columns
//   name         UTF-8
//   order        Int32 × nodes: the nodes, the least important one first
//   starts       Int32 × (nodes + 1): where the arcs that lead up from a node begin
//   links        Int32 × leaving: what these arcs are made of, see ContractionHierarchy.Link
//   starts, links
//                the same of the arcs that come down to a node
//   shortcuts    Int32 × 2 × shortcuts: two links each
//
// Version 1 is written if no hierarchy has a core. The nodes of a core are the last ones of the order;
// arcs between them lead up and down.
//
// All numbers are little-endian and unaligned. Costs are not stored: they follow from the database.

/// A `.hierarchy` file: the contraction hierarchies of a database, see ``ContractionHierarchy``.
public struct HierarchyFile: Sendable {
  /// The first bytes of a file.
  package static let magic = Array("CAIRNHRY".utf8)
  /// The supported versions of the format; the second one has cores.
  package static let versions: ClosedRange<UInt32> = 1...2
  /// The file extension, without a dot: `andorra.hierarchy` lies beside `andorra.routing.db`.
  public static let fileExtension = "hierarchy"

  private static let headerBytes = 32
  private static let mostHierarchies = 1 << 10

  /// One of the hierarchies.
  package struct Section: Sendable {
    /// The name of its profile; nil for the core columns.
    package let profile: String?
    fileprivate let graphDigest: UInt64
    fileprivate let nodes: Int
    fileprivate let edges: Int
    fileprivate let parts: ContractionHierarchy.Parts

    fileprivate init(
      profile: String?, graphDigest: UInt64, nodes: Int, edges: Int,
      parts: ContractionHierarchy.Parts
    ) {
      (self.profile, self.graphDigest) = (profile, graphDigest)
      (self.nodes, self.edges, self.parts) = (nodes, edges, parts)
    }

    fileprivate init(_ graph: CostGraph, _ parts: ContractionHierarchy.Parts) {
      self.init(
        profile: graph.profile, graphDigest: graph.digest, nodes: graph.nodes, edges: graph.edges,
        parts: parts)
    }

    /// Contracts a graph, without what searching needs.
    ///
    /// Throws `RoutingError.databaseUnusable(_:)` for a graph of 2³⁰ edges or more.
    package init(contracting graph: CostGraph) throws(RoutingError) {
      self.init(graph, try ContractionHierarchy.Parts(contracting: graph))
    }

    /// The number of shortcuts.
    package var shortcutCount: Int { parts.shortcuts.count / 2 }
    /// The number of nodes that are not contracted.
    package var coreCount: Int { parts.core }
  }

  private var sections: [Section]

  /// Makes the content of a file from hierarchies of the graphs of one database.
  public init(_ hierarchies: [ContractionHierarchy]) {
    self.init(hierarchies.map { Section(CostGraph($0.graph), $0.parts) })
  }

  /// Makes the content of a file from the hierarchies of the profiles of one database.
  package init(_ sections: [Section]) { self.sections = sections }

  /// The profiles with a hierarchy in the file; nil stands for the core columns.
  public var profiles: [String?] { sections.map(\.profile) }

  /// The hierarchy of a graph; nil if the file has none for its profile.
  ///
  /// Throws `RoutingError.hierarchyUnusable(_:)` if it was made from another graph.
  public func hierarchy(of graph: ProfileGraph) throws(RoutingError) -> ContractionHierarchy? {
    guard let section = sections.first(where: { $0.profile == graph.profile }) else { return nil }
    guard section.nodes == graph.network.nodeIDs.count, section.edges == graph.network.edges.count,
      section.graphDigest == CostGraph(graph).digest
    else {
      throw .hierarchyUnusable("it was made from another database or an earlier state of it")
    }
    do throws(ContractionHierarchy.BadParts) {
      return try ContractionHierarchy(graph, section.parts)
    } catch {
      throw .hierarchyUnusable("it is damaged: \(error.reason)")
    }
  }

  /// The bytes of the file.
  public func encoded() -> [UInt8] {
    let hasCore = sections.contains { $0.parts.core > 0 }
    var file = ByteWriter(Self.magic)
    file.add(fixed: hasCore ? Self.versions.upperBound : Self.versions.lowerBound)
    file.add(fixed: UInt32(truncatingIfNeeded: sections.count))
    // The size and the digest of what follows come last.
    let unknown = file.bytes.count..<Self.headerBytes
    file.add(raw: repeatElement(0, count: unknown.count))
    for section in sections {
      let (parts, name) = (section.parts, Array((section.profile ?? "").utf8))
      file.add(fixed: section.graphDigest)
      if hasCore { file.add(fixed: UInt32(truncatingIfNeeded: parts.core)) }
      let counts = [
        section.nodes, section.edges, parts.shortcuts.count / 2, parts.leavingLinks.count,
        parts.arrivingLinks.count, name.count,
      ]
      for count in counts { file.add(fixed: UInt32(truncatingIfNeeded: count)) }
      file.add(raw: name)
      file.add(parts.order)
      file.add(parts.leavingStarts)
      file.add(parts.leavingLinks)
      file.add(parts.arrivingStarts)
      file.add(parts.arrivingLinks)
      file.add(parts.shortcuts)
    }
    var digest = WordDigest()
    file.bytes.withUnsafeBytes {
      digest.add(UnsafeRawBufferPointer(rebasing: $0[Self.headerBytes...]))
    }
    var known = ByteWriter()
    known.add(fixed: UInt64(file.bytes.count))
    known.add(fixed: digest.value)
    file.bytes.replaceSubrange(unknown, with: known.bytes)
    return file.bytes
  }

  /// Reads the bytes of a file. Throws `RoutingError.hierarchyUnusable(_:)` if it is not a
  /// hierarchy file, is damaged or has another version.
  public init(reading bytes: UnsafeRawBufferPointer) throws(RoutingError) {
    var file = ByteReader(bytes)
    guard let magic = file.raw(8), magic.elementsEqual(Self.magic) else {
      throw .hierarchyUnusable("not a .\(Self.fileExtension) file")
    }
    guard let version: UInt32 = file.fixed() else { throw Self.cutOff }
    guard Self.versions.contains(version) else {
      throw .hierarchyUnusable(
        "it has version \(version) of the format, this build reads versions 1 and 2")
    }
    guard let count: UInt32 = file.fixed(), let size: UInt64 = file.fixed(),
      let digest: UInt64 = file.fixed(), size == UInt64(bytes.count)
    else { throw Self.cutOff }
    var found = WordDigest()
    found.add(UnsafeRawBufferPointer(rebasing: bytes[Self.headerBytes...]))
    guard found.value == digest, count <= Self.mostHierarchies else {
      throw .hierarchyUnusable("it is damaged: its digest does not match")
    }
    sections = []
    for _ in 0..<count {
      guard let section = Self.section(&file, hasCore: version > 1) else { throw Self.cutOff }
      guard !profiles.contains(section.profile) else {
        throw .hierarchyUnusable("it is damaged: it has two hierarchies for one profile")
      }
      sections.append(section)
    }
    guard file.isAtEnd else {
      throw .hierarchyUnusable("it is damaged: bytes follow its last hierarchy")
    }
  }

  private static let cutOff = RoutingError.hierarchyUnusable(
    "it is damaged: it is truncated or has extra bytes")

  private static func section(_ file: inout ByteReader, hasCore: Bool) -> Section? {
    guard let digest: UInt64 = file.fixed() else { return nil }
    var core = 0
    if hasCore {
      guard let count = file.count32() else { return nil }
      core = count
    }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = file.count32() else { return nil }
      counts.append(count)
    }
    let (nodes, edges, shortcuts, leaving, arriving) =
      (counts[0], counts[1], counts[2], counts[3], counts[4])
    guard let name = file.raw(counts[5]),
      let order = file.numbers(nodes),
      let leavingStarts = file.numbers(nodes + 1), let leavingLinks = file.numbers(leaving),
      let arrivingStarts = file.numbers(nodes + 1), let arrivingLinks = file.numbers(arriving),
      let links = file.numbers(2 * shortcuts)
    else { return nil }
    return Section(
      profile: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), graphDigest: digest,
      nodes: nodes, edges: edges,
      parts: .init(
        order: order, core: core, leavingStarts: leavingStarts, leavingLinks: leavingLinks,
        arrivingStarts: arrivingStarts, arrivingLinks: arrivingLinks, shortcuts: links))
  }
}

extension ByteWriter {
  fileprivate mutating func add(_ numbers: [Int32]) {
    numbers.map { $0.littleEndian }.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

extension ByteReader {
  /// A count of 32 bits; nil if it is greater than a section can have.
  fileprivate mutating func count32() -> Int? {
    guard let count: UInt32 = fixed(), count < UInt32(Int32.max) else { return nil }
    return Int(count)
  }

  fileprivate mutating func numbers(_ count: Int) -> [Int32]? {
    guard count <= left / 4, let numbers = raw(4 * count) else { return nil }
    return (0..<count).map {
      Int32(littleEndian: numbers.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self))
    }
  }
}
