// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

// Columns of a .trails file (n nodes, w ways):
//
//   node.id.lower  UInt32[n]    lower halves of OpenStreetMap ids, which are ascending and unique
//   node.id.start  UInt32[u]    the nodes at which their upper halves change, ascending from 0
//   node.id.upper  Int32[u]     the upper halves from there on
//   node.latitude  Int32[n]     10⁻⁷ degrees
//   node.longitude Int32[n]     10⁻⁷ degrees
//   tagged.node    UInt32[t]    the nodes that have tags, ascending
//   tagged.tag.*                their tags
//   way.id         Int64[w]     OpenStreetMap ids, ascending; a way that is incomplete in the
//                               input appears once for each of its pieces
//   way.ref.offset UInt32[w+1]  where each way's refs begin
//   way.ref        UInt32[r]    nodes of the ways, as indices into node.*
//   way.tag.*                   their tags
//   way.route.offset UInt32[w+1] where the waymarked routes of each way begin
//   way.route      UInt32[m]    routes of the ways, as indices into route.*; ascending within a way
//   route.id       Int64[q]     OpenStreetMap ids of waymarked-route relations, ascending, unique
//   route.tag.*                 their tags: network, ref, name, osmc:symbol …
//   route.member.offset UInt32[q+1] where the members of each route begin
//   route.member.id Int64[]     OpenStreetMap ids of the members in the order of the relation, whether
//                               the file has them or not
//   route.member.kind UInt8[]   type and role of each: 1 for a relation, plus 2 for forward, 4 for
//                               backward, plus 8 for alternative, 16 approach, 24 excursion,
//                               32 connection
//   poi.type       UInt8[p]     type of the object: 0 node, 1 way, 2 relation
//   poi.id         Int64[p]     OpenStreetMap ids, ascending and unique within a type
//   poi.latitude   Int32[p]     10⁻⁷ degrees; for an area its centre
//   poi.longitude  Int32[p]     10⁻⁷ degrees
//   poi.tag.*                   their tags
//   area.type      UInt8[a]     type of an area that is dangerous or closed: 1 way, 2 relation
//   area.id        Int64[a]     OpenStreetMap ids, ascending and unique within a type
//   area.tag.*                  their tags
//   area.line.offset UInt32[a+1] where each area's lines begin
//   area.point.offset UInt32[l+1] where each line's points begin
//   area.latitude  Int32[q]     10⁻⁷ degrees
//   area.longitude Int32[q]     10⁻⁷ degrees; inside is by the even-odd rule over all lines
//   line.*                      the same columns as area.* of rivers, lifts and the like; their lines
//                               are no outlines
//   string.*                    the texts of all tags
//   seam.node      UInt32[s]    the nodes at which ways of the margin meet those of the region,
//                               ascending
//
// What lies around the region, which only elevations depend on (m nodes, v ways):
//
//   margin.node.id Int64[m]     OpenStreetMap ids, ascending; none is a node of the region
//   margin.node.latitude, .longitude Int32[m] 10⁻⁷ degrees
//   margin.way.ref.offset UInt32[v+1] where each way's refs begin
//   margin.way.ref UInt32[]     nodes of the ways: below n indices into node.*, from n on into
//                               margin.node.*
//   margin.way.tag.*            the tags that their elevations depend on
//   margin.peak.latitude, .longitude Int32[] 10⁻⁷ degrees
//   margin.peak.tag.*           natural and ele of the peaks
//
// Columns of the .elevated file of a .trails file:
//
//   trails.digest  UInt8[]      the ContainerDigest of the .trails file, as text
//   node.elevation Float32[n]   metres above sea level, cleaned; NaN where unknown
//   sample.ref     UInt32[m]    the ref before each sample between two refs, ascending
//   sample.elevation Float32[m] metres above sea level at evenly spaced positions between two refs:
//                               of c samples, the kth is at k/(c + 1); NaN where unknown
//   poi.elevation  Float32[p]   metres above sea level, as the terrain model has it; NaN where
//                               unknown

/// The content of a `.trails` file, with or without the elevations of a `.elevated` file, open for
/// reading.
///
/// Opening checks everything that users of the file rely on: indices are within their columns, ids
/// and texts in order, coordinates valid, elevations plausible or NaN. A class, since calling
/// methods of so large a structure would copy it.
package final class TrailsFile: Sendable {
  /// The container itself.
  package let container: ContainerReader
  /// The container of the elevations, if they are known.
  private let elevated: ContainerReader?
  /// OpenStreetMap ids of the nodes, ascending.
  package let nodeIDs: NodeIDs
  /// Latitudes of the nodes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes of the nodes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// The nodes with tags, ascending.
  package let taggedNodes: Column<UInt32>
  /// The tags of ``taggedNodes``, in the same order.
  package let nodeTags: TagTable
  /// OpenStreetMap ids of the ways, ascending. A way that is incomplete in the input appears once
  /// for each of its pieces, and one of several ferry lines once for each that counts.
  package let wayIDs: Column<Int64>
  /// The start of each way's refs in ``refs``, and finally the end.
  package let refOffsets: Column<UInt32>
  /// The nodes of all ways, one way after another, as indices into the node columns.
  package let refs: Column<UInt32>
  /// The tags of the ways.
  package let wayTags: TagTable
  /// The waymarked routes and which ways they follow.
  package let routes: WaymarkedRoutes
  /// The points of interest.
  package let pointsOfInterest: PointsOfInterest
  /// The areas that are dangerous or closed.
  package let areas: LineObjects
  /// Rivers, lifts and the like, which are found by their names.
  package let lines: LineObjects
  /// The nodes at which ways beyond the region meet those of the region, ascending.
  package let seam: Column<UInt32>
  /// The surroundings of the region, which only elevations depend on; nil with a `.elevated` file.
  package let margin: Margin?
  /// The texts of all tags.
  package let strings: StringTable
  /// Metres above sea level of each node; NaN if unknown; nil without a `.elevated` file.
  package let elevations: Column<Float>?
  /// The ref before each sample, ascending; nil without a `.elevated` file.
  package let sampleRefs: Column<UInt32>?
  /// Metres above sea level between the nodes; NaN if unknown; nil without a `.elevated` file.
  package let sampleElevations: Column<Float>?

  /// Opens a `.trails` file, and the `.elevated` file with its elevations if one is given, and
  /// checks them on some threads. Throws 66 if one cannot be read and 65 if one is of another kind
  /// or damaged, or if the elevations are those of another file.
  package convenience init(_ path: String, elevated: String? = nil, threads: Int = 1)
    throws(CairnError)
  {
    let container = try ContainerReader(path, kinds: [.trails], threads: threads)
    var elevations: ContainerReader?
    if let elevated {
      elevations = try ContainerReader(elevated, kinds: [.elevated], threads: threads)
    }
    try self.init(container, elevated: elevations, threads: threads)
  }

  /// Checks the content of open containers on some threads. Throws 65 if one is damaged, or if the
  /// elevations are those of another file.
  init(_ container: ContainerReader, elevated: ContainerReader?, threads: Int) throws(CairnError) {
    self.container = container
    self.elevated = elevated
    try elevated?.checkTrails(container)
    nodeIDs = try NodeIDs(container)
    let nodes = nodeIDs.count
    latitudes = try container.column("node.latitude", count: nodes)
    longitudes = try container.column("node.longitude", count: nodes)
    strings = try StringTable(container)
    taggedNodes = try container.column("tagged.node")
    nodeTags = try TagTable(
      container, prefix: "tagged.tag", objects: taggedNodes.count, strings: strings.count)
    wayIDs = try container.column("way.id")
    refOffsets = try container.column("way.ref.offset", count: wayIDs.count + 1)
    refs = try container.column("way.ref")
    wayTags = try TagTable(
      container, prefix: "way.tag", objects: wayIDs.count, strings: strings.count)
    routes = try WaymarkedRoutes(container, ways: wayIDs.count, strings: strings.count)
    pointsOfInterest = try PointsOfInterest(container, elevated, strings: strings.count)
    areas = try LineObjects(container, prefix: "area", strings: strings.count)
    lines = try LineObjects(container, prefix: "line", strings: strings.count)
    seam = try container.column("seam.node")
    margin =
      elevated == nil ? try Margin(container, regionNodes: nodes, strings: strings.count) : nil
    elevations = try elevated?.column("node.elevation", count: nodes)
    sampleRefs = try elevated?.column("sample.ref")
    sampleElevations = try elevated?.column("sample.elevation", count: sampleRefs?.count)
    try checkAll(
      threads: threads,
      [
        { try self.checkWays() },
        { try self.checkNodes() },
        { try self.checkElevated() },
      ])
  }

  private func checkWays() throws(CairnError) {
    try checkOffsets(refOffsets, end: refs.count, "way.ref.offset", container)
    try checkIndices(refs, below: nodeIDs.count, "way.ref", container)
    try checkAscending(wayIDs, unique: false, "way.id", container)
  }

  private func checkNodes() throws(CairnError) {
    try nodeIDs.check(container)
    try checkCoordinates(latitudes, longitudes, "node", container)
    try checkIndices(taggedNodes, below: nodeIDs.count, "tagged.node", container)
    try checkAscending(taggedNodes, "tagged.node", container)
    try checkIndices(seam, below: nodeIDs.count, "seam.node", container)
  }

  private func checkElevated() throws(CairnError) {
    guard let elevated, let elevations, let sampleRefs, let sampleElevations else { return }
    try checkElevations(elevations, "node.elevation", elevated)
    try checkElevations(sampleElevations, "sample.elevation", elevated)
    try checkAscending(sampleRefs, unique: false, "sample.ref", elevated)
    try checkIndices(sampleRefs, below: refs.count, "sample.ref", elevated)
  }

  /// The origin of the data and of its elevations.
  package var provenance: Provenance { (elevated ?? container).provenance }

  /// Releases the memory of all but some columns; the next access reads the files again.
  package func releasePages(unless isNeeded: (_ name: String) -> Bool) {
    container.releasePages(unless: isNeeded)
    elevated?.releasePages(unless: isNeeded)
  }

  /// The coordinate of a node.
  package func coordinate(_ node: Int) -> FixedCoordinate {
    FixedCoordinate(latitude: latitudes[node], longitude: longitudes[node])
  }

  /// The indices of a way's refs in ``refs``.
  package func refs(ofWay way: Int) -> Range<Int> {
    Int(refOffsets[way])..<Int(refOffsets[way + 1])
  }

  /// Elevations between the nodes of ways.
  package struct Samples: Equatable, Sendable {
    /// The ref before each, ascending.
    package var refs: [UInt32]
    /// Metres above sea level; NaN if unknown.
    package var elevations: [Float]

    /// Creates a list of samples.
    package init(refs: [UInt32] = [], elevations: [Float] = []) {
      self.refs = refs
      self.elevations = elevations
    }
  }

  /// Writes the `.elevated` file of this file: the elevations of the nodes, optional samples between
  /// nodes, and the elevations of the points of interest, unknown by default: metres within ±20 000,
  /// or NaN.
  package func writeElevated(
    _ elevations: [Float], samples: Samples = Samples(), points: [Float]? = nil, to path: String,
    provenance: Provenance
  ) throws(CairnError) {
    let points = points ?? [Float](repeating: .nan, count: pointsOfInterest.count)
    guard elevations.count == nodeIDs.count, points.count == pointsOfInterest.count else {
      throw CairnError(
        "elevation-count", .software,
        "\(elevations.count) and \(points.count) elevations for \(nodeIDs.count) nodes and "
          + "\(pointsOfInterest.count) points of interest", at: Location(file: path))
    }
    guard samples.refs.count == samples.elevations.count else {
      throw CairnError(
        "elevation-count", .software,
        "\(samples.elevations.count) elevations for \(samples.refs.count) samples",
        at: Location(file: path))
    }
    let writer = try ElevatedWriter(self, to: path)
    let columns = writer.reserveElevations(samples: samples.refs.count)
    try columns.elevations.write(elevations, at: 0)
    try columns.sampleRefs.write(samples.refs, at: 0)
    try columns.sampleElevations.write(samples.elevations, at: 0)
    try columns.pointElevations.write(points, at: 0)
    try writer.commit(provenance)
  }
}

extension CairnError.Code {
  /// A `.elevated` file has the elevations of another `.trails` file.
  package static let wrongTrails: Self = "wrong-trails"
}

extension ContainerReader {
  /// Checks that the elevations in this container are those of a `.trails` file.
  fileprivate func checkTrails(_ trails: ContainerReader) throws(CairnError) {
    let digest: Column<UInt8> = try column("trails.digest")
    guard digest.elementsEqual(trails.digest.utf8) else {
      throw CairnError(
        .wrongTrails, .dataError, "has the elevations of another .trails file than \(trails.path)",
        at: Location(file: path),
        hint: "give the .trails file that cairn-sample-elevation read, or run that stage again")
    }
  }
}
